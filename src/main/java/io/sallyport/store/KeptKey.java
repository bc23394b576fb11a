package io.sallyport.store;

import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A key of the database's, resting in it as a {@link KeyKeeper} wrapped it: {@code KIND:KEY}, a line end, what the keeper gave. The row
 * {@code data-key} has the one that seals, {@code data-key/ID} those of the past that may still be needed to open.
 *
 * @param name of the row
 */
record KeptKey(String name, byte[] resting) {

    private static final String SEALING = "data-key";
    private static final String EARLIER = SEALING + "/";

    /** All of that database, the one that seals first. */
    static List<KeptKey> all(Readers readers) {
        return readers.read(connection -> {
            List<KeptKey> all = new ArrayList<>();
            try (PreparedStatement select = connection.prepareStatement(
                            "select name, value from store_value where name = 'data-key' or name glob 'data-key/*'"
                                    + " order by name");
                    ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    all.add(new KeptKey(rows.getString(1), rows.getBytes(2)));
                }
            }
            return all;
        });
    }

    /** The one that seals, to be written. */
    static KeptKey sealing(KeyPlace.Kept place, byte[] wrapped) {
        byte[] head = (place + "\n").getBytes(StandardCharsets.UTF_8);
        byte[] all = Arrays.copyOf(head, head.length + wrapped.length);
        System.arraycopy(wrapped, 0, all, head.length, wrapped.length);
        return new KeptKey(SEALING, all);
    }

    void write(Tx tx) throws SQLException {
        StoreValue.write(tx, name, resting);
    }

    /** Makes room for another that seals; the one that did, if there was any, stays for what it has sealed. @param id of its key */
    static void retire(Tx tx, String id) throws SQLException {
        StoreValue.rename(tx, SEALING, EARLIER + id);
    }

    /** Forgets one of the past. */
    static void remove(Tx tx, String id) throws SQLException {
        StoreValue.remove(tx, EARLIER + id);
    }

    boolean seals() {
        return name.equals(SEALING);
    }

    /** Who wrapped it, as {@code sallyport.key} names him. */
    String place() {
        return new String(resting, 0, end(), StandardCharsets.UTF_8);
    }

    byte[] wrapped() {
        return Arrays.copyOfRange(resting, Math.min(end() + 1, resting.length), resting.length);
    }

    /** The id of a key of the past. */
    String id() {
        return name.substring(EARLIER.length());
    }

    private int end() {
        int end = 0;
        while (end < resting.length && resting[end] != '\n') {
            end++;
        }
        return end;
    }

    @Override
    public String toString() {
        return "KeptKey[" + name + " by " + place() + "]";
    }
}

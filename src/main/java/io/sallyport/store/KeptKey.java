package io.sallyport.store;

import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The database's key, resting in the database as a {@link KeyKeeper} wrapped it: {@code KIND:KEY}, a line end, what the keeper gave. */
final class KeptKey {

    private static final String NAME = "data-key";

    private KeptKey() {}

    /** The wrapped key of that database; null where it has none. */
    static byte @Nullable [] resting(Readers readers) {
        Optional<byte[]> row = readers.read(connection -> {
            try (PreparedStatement select =
                    connection.prepareStatement("select value from store_value where name = ?")) {
                select.setString(1, NAME);
                try (ResultSet rows = select.executeQuery()) {
                    return rows.next() ? Optional.of(rows.getBytes(1)) : Optional.empty();
                }
            }
        });
        return row.orElse(null);
    }

    static void write(Tx tx, byte[] resting) throws java.sql.SQLException {
        PreparedStatement insert = tx.prepare("insert into store_value (name, value) values (?, ?)");
        insert.setString(1, NAME);
        insert.setBytes(2, resting);
        insert.executeUpdate();
    }

    static byte[] of(KeyPlace.Kept place, byte[] wrapped) {
        byte[] head = (place + "\n").getBytes(StandardCharsets.UTF_8);
        byte[] all = Arrays.copyOf(head, head.length + wrapped.length);
        System.arraycopy(wrapped, 0, all, head.length, wrapped.length);
        return all;
    }

    /** Who wrapped it, as {@code sallyport.key} names him. */
    static String place(byte[] resting) {
        return new String(resting, 0, end(resting), StandardCharsets.UTF_8);
    }

    static byte[] wrapped(byte[] resting) {
        return Arrays.copyOfRange(resting, Math.min(end(resting) + 1, resting.length), resting.length);
    }

    private static int end(byte[] resting) {
        int end = 0;
        while (end < resting.length && resting[end] != '\n') {
            end++;
        }
        return end;
    }
}

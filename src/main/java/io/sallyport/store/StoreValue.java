package io.sallyport.store;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/** The table of single values. */
final class StoreValue {

    private StoreValue() {}

    static Optional<byte[]> read(Readers readers, String name) {
        return readers.read(connection -> {
            try (PreparedStatement select =
                    connection.prepareStatement("select value from store_value where name = ?")) {
                select.setString(1, name);
                try (ResultSet rows = select.executeQuery()) {
                    return rows.next() ? Optional.of(rows.getBytes(1)) : Optional.empty();
                }
            }
        });
    }

    /** In place of the one before. */
    static void write(Tx tx, String name, byte[] value) throws SQLException {
        PreparedStatement write = tx.prepare("insert into store_value (name, value) values (?, ?)"
                + " on conflict (name) do update set value = excluded.value");
        write.setString(1, name);
        write.setBytes(2, value);
        write.executeUpdate();
    }

    static void rename(Tx tx, String from, String to) throws SQLException {
        PreparedStatement rename = tx.prepare("update store_value set name = ? where name = ?");
        rename.setString(1, to);
        rename.setString(2, from);
        rename.executeUpdate();
    }

    static void remove(Tx tx, String name) throws SQLException {
        PreparedStatement delete = tx.prepare("delete from store_value where name = ?");
        delete.setString(1, name);
        delete.executeUpdate();
    }
}

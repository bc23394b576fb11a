package io.sallyport.proxy.tls;

import io.sallyport.store.Seal;
import io.sallyport.store.SealedColumn;
import io.sallyport.store.Tx;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The table of interception authorities. A private key rests sealed, bound to its own row. */
final class JdbcAuthorities {

    static final SealedColumn SEALED =
            SealedColumn.of("interception_authority", "sealed_key", List.of("id"), key -> place(key.getFirst()));

    private final Seal seal;

    JdbcAuthorities(Seal seal) {
        this.seal = seal;
    }

    /** Oldest first. */
    static List<Root> all(Connection connection) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(
                        "SELECT id, created_at, signs_from, withdrawn_at, certificate FROM interception_authority"
                                + " ORDER BY created_at, id");
                ResultSet row = select.executeQuery()) {
            List<Root> all = new ArrayList<>();
            while (row.next()) {
                all.add(new Root(
                        row.getString("id"),
                        Certificates.read(row.getBytes("certificate")),
                        Instant.ofEpochMilli(row.getLong("created_at")),
                        instant(row, "signs_from"),
                        instant(row, "withdrawn_at")));
            }
            return all;
        }
    }

    /** @throws io.sallyport.store.StoreFault when it was sealed with another key, or changed */
    PrivateKey key(Connection connection, String id) throws SQLException {
        try (PreparedStatement select =
                connection.prepareStatement("SELECT sealed_key FROM interception_authority WHERE id = ?")) {
            select.setString(1, id);
            try (ResultSet row = select.executeQuery()) {
                if (!row.next()) {
                    throw new IllegalStateException("there is no interception CA " + id);
                }
                return PrivateKeys.read(seal.open(row.getBytes(1), place(id)));
            }
        }
    }

    void add(Tx tx, Root root, PrivateKey key) throws SQLException {
        byte[] encoded = key.getEncoded();
        try {
            PreparedStatement insert = tx.prepare(
                    "INSERT INTO interception_authority (id, created_at, signs_from, certificate, sealed_key)"
                            + " VALUES (?, ?, ?, ?, ?)");
            insert.setString(1, root.id());
            insert.setLong(2, root.createdAt().toEpochMilli());
            set(insert, 3, root.signsFrom());
            insert.setBytes(4, Certificates.der(root.certificate()));
            insert.setBytes(5, seal.seal(encoded, place(root.id())));
            insert.executeUpdate();
        } finally {
            Arrays.fill(encoded, (byte) 0);
        }
    }

    static void signsFrom(Tx tx, String id, Instant from) throws SQLException {
        mark(tx, "UPDATE interception_authority SET signs_from = ? WHERE id = ?", id, from);
    }

    static void withdrawn(Tx tx, String id, Instant at) throws SQLException {
        mark(tx, "UPDATE interception_authority SET withdrawn_at = ? WHERE id = ?", id, at);
    }

    private static void mark(Tx tx, String sql, String id, Instant at) throws SQLException {
        PreparedStatement update = tx.prepare(sql);
        update.setLong(1, at.toEpochMilli());
        update.setString(2, id);
        update.executeUpdate();
    }

    static String id(X509Certificate certificate) {
        return certificate.getSerialNumber().toString(16);
    }

    private static String place(String id) {
        return "interception-authority/" + id;
    }

    private static void set(PreparedStatement statement, int index, @Nullable Instant at) throws SQLException {
        if (at == null) {
            statement.setNull(index, Types.BIGINT);
        } else {
            statement.setLong(index, at.toEpochMilli());
        }
    }

    private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
        long millis = row.getLong(column);
        return row.wasNull() ? null : Instant.ofEpochMilli(millis);
    }
}

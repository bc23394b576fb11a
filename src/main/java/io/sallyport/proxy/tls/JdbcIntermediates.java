package io.sallyport.proxy.tls;

import io.sallyport.store.Readers;
import io.sallyport.store.Seal;
import io.sallyport.store.SealedColumn;
import io.sallyport.store.Writer;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The table of intermediates, so that a restart and another node use the one that there is. A private key rests sealed, bound to its row. */
final class JdbcIntermediates {

    static final SealedColumn SEALED =
            SealedColumn.of("interception_intermediate", "sealed_key", List.of("id"), key -> place(key.getFirst()));

    private final Writer writer;
    private final Readers readers;
    private final Seal seal;

    JdbcIntermediates(Writer writer, Readers readers, Seal seal) {
        this.writer = writer;
        this.readers = readers;
        this.seal = seal;
    }

    record Row(X509Certificate certificate, PrivateKey key) {}

    /** The one that holds longest. */
    Optional<Row> longest(String authority, String constraint) {
        return readers.read(connection -> {
            try (PreparedStatement select =
                    connection.prepareStatement("SELECT id, certificate, sealed_key FROM interception_intermediate"
                            + " WHERE authority = ? AND constrained_to = ? ORDER BY not_after DESC, id LIMIT 1")) {
                select.setString(1, authority);
                select.setString(2, constraint);
                try (ResultSet row = select.executeQuery()) {
                    return row.next()
                            ? Optional.of(new Row(
                                    Certificates.read(row.getBytes("certificate")),
                                    PrivateKeys.read(
                                            seal.open(row.getBytes("sealed_key"), place(row.getString("id"))))))
                            : Optional.empty();
                }
            }
        });
    }

    /** Durable when it returns; those that are past their end leave with it. */
    void add(String authority, String constraint, Row made, Instant now) {
        String id = made.certificate().getSerialNumber().toString(16);
        byte[] encoded = made.key().getEncoded();
        byte[] sealed = seal.seal(encoded, place(id));
        Arrays.fill(encoded, (byte) 0);
        writer.write(tx -> {
            PreparedStatement delete = tx.prepare("DELETE FROM interception_intermediate WHERE not_after < ?");
            delete.setLong(1, now.toEpochMilli());
            delete.executeUpdate();
            PreparedStatement insert = tx.prepare("INSERT INTO interception_intermediate"
                    + " (id, authority, constrained_to, not_after, certificate, sealed_key) VALUES (?, ?, ?, ?, ?, ?)");
            insert.setString(1, id);
            insert.setString(2, authority);
            insert.setString(3, constraint);
            insert.setLong(4, made.certificate().getNotAfter().getTime());
            insert.setBytes(5, Certificates.der(made.certificate()));
            insert.setBytes(6, sealed);
            return insert.executeUpdate();
        });
    }

    private static String place(String id) {
        return "interception-intermediate/" + id;
    }
}

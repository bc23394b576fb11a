package io.sallyport.proxy.tls;

import io.sallyport.store.Seal;
import io.sallyport.store.Tx;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;

/** The table of interception authorities, within one transaction. A private key rests sealed, bound to its own row. */
final class JdbcAuthorities {

    private final Tx tx;
    private final Seal seal;

    JdbcAuthorities(Tx tx, Seal seal) {
        this.tx = tx;
        this.seal = seal;
    }

    Optional<Certificates.Issuer> newest() throws SQLException {
        PreparedStatement select = tx.prepare(
                "SELECT id, certificate, sealed_key FROM interception_authority ORDER BY created_at DESC, id LIMIT 1");
        try (ResultSet row = select.executeQuery()) {
            if (!row.next()) {
                return Optional.empty();
            }
            byte[] key = seal.open(row.getBytes("sealed_key"), place(row.getString("id")));
            return Optional.of(
                    new Certificates.Issuer(Certificates.read(row.getBytes("certificate")), privateKey(key)));
        }
    }

    void add(Certificates.Issuer issuer, Instant now) throws SQLException {
        String id = id(issuer.certificate());
        byte[] key = issuer.key().getEncoded();
        try {
            PreparedStatement insert = tx.prepare(
                    "INSERT INTO interception_authority (id, created_at, certificate, sealed_key) VALUES (?, ?, ?, ?)");
            insert.setString(1, id);
            insert.setLong(2, now.toEpochMilli());
            insert.setBytes(3, issuer.certificate().getEncoded());
            insert.setBytes(4, seal.seal(key, place(id)));
            insert.executeUpdate();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the interception CA can't be encoded", e);
        } finally {
            Arrays.fill(key, (byte) 0);
        }
    }

    private static String id(X509Certificate certificate) {
        return certificate.getSerialNumber().toString(16);
    }

    private static String place(String id) {
        return "interception-authority/" + id;
    }

    private static PrivateKey privateKey(byte[] encoded) {
        try {
            return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(encoded));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the interception CA's key can't be read", e);
        } finally {
            Arrays.fill(encoded, (byte) 0);
        }
    }
}

package io.sallyport.proxy;

import io.sallyport.store.Readers;
import io.sallyport.store.Seal;
import io.sallyport.store.SealedColumn;
import io.sallyport.store.Writer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The key of {@link SentContent}: made once, sealed in the database, the same for every node on it. */
final class SentContentKey {

    private static final String NAME = "sent-content-key";

    static final SealedColumn SEALED = SealedColumn.value(NAME);

    private static final int BYTES = 32;

    private final SecretKeySpec key;

    SentContentKey(byte[] key) {
        this.key = new SecretKeySpec(key, "HmacSHA256");
    }

    static SentContentKey open(Writer writer, Readers readers, Seal seal) {
        Optional<byte[]> known = sealed(readers);
        if (known.isEmpty()) {
            byte[] fresh = new byte[BYTES];
            new SecureRandom().nextBytes(fresh);
            byte[] sealed = seal.seal(fresh, NAME);
            writer.write(tx -> {
                // Another node may have been first.
                PreparedStatement insert =
                        tx.prepare("insert into store_value (name, value) values (?, ?) on conflict do nothing");
                insert.setString(1, NAME);
                insert.setBytes(2, sealed);
                return insert.executeUpdate();
            });
            known = sealed(readers);
        }
        return new SentContentKey(seal.open(known.orElseThrow(), NAME));
    }

    private static Optional<byte[]> sealed(Readers readers) {
        return readers.read(connection -> {
            try (PreparedStatement select =
                    connection.prepareStatement("select value from store_value where name = ?")) {
                select.setString(1, NAME);
                try (ResultSet rows = select.executeQuery()) {
                    return rows.next() ? Optional.of(rows.getBytes(1)) : Optional.empty();
                }
            }
        });
    }

    SentContent begin() {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(key);
            return new SentContent(mac);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has HMAC-SHA256", e);
        }
    }
}

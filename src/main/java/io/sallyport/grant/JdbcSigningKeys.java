package io.sallyport.grant;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import io.sallyport.store.Readers;
import io.sallyport.store.Seal;
import io.sallyport.store.SealedColumn;
import io.sallyport.store.StoreFault;
import io.sallyport.store.Tx;
import io.sallyport.store.Writer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.text.ParseException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The signing keys, sealed in the database, made at first start. One signs; the retired ones verify as long as a token of theirs can live. */
final class JdbcSigningKeys implements SigningKeys {

    /** A grant may be opened a moment after its token was signed: such tokens belong to the key that retired in between. */
    private static final long SIGNED_BEFORE_OPENED_MILLIS = 60_000;

    static final SealedColumn SEALED =
            SealedColumn.of("signing_key", "sealed", List.of("kid"), key -> place(key.getFirst()));

    private static final String INSERT = "insert into signing_key (kid, sealed, made_at) values (?, ?, ?)";
    private static final String RETIRE = "update signing_key set sealed = ?, retired_at = ? where kid = ?";
    private static final String ALL = "select kid, sealed, retired_at from signing_key order by made_at desc, kid";
    private static final String LAST_EXPIRY = "select coalesce(max(expires_at), 0) from grants where opened_at <= ?";

    private final Writer writer;
    private final Seal seal;
    private final Clock clock;
    private volatile List<SigningKey> keys; // the signing one first

    private JdbcSigningKeys(Writer writer, Seal seal, Clock clock, List<SigningKey> keys) {
        this.writer = writer;
        this.seal = seal;
        this.clock = clock;
        this.keys = keys;
    }

    /** @throws StoreFault when the keys can't be read, or were sealed under another key */
    static JdbcSigningKeys load(Writer writer, Readers readers, Seal seal, Clock clock) {
        JdbcSigningKeys loaded =
                new JdbcSigningKeys(writer, seal, clock, readers.read(connection -> read(connection, seal)));
        if (loaded.keys.isEmpty()) {
            loaded.rotate();
        }
        return loaded;
    }

    private static List<SigningKey> read(Connection connection, Seal seal) throws SQLException {
        List<SigningKey> found = new ArrayList<>();
        try (PreparedStatement query = connection.prepareStatement(ALL);
                ResultSet rows = query.executeQuery()) {
            while (rows.next()) {
                long retired = rows.getLong("retired_at");
                boolean signs = rows.wasNull();
                ECKey key = opened(seal, rows.getString("kid"), rows.getBytes("sealed"));
                long last = signs ? Long.MIN_VALUE : lastExpiry(connection, retired + SIGNED_BEFORE_OPENED_MILLIS);
                found.add(signs ? 0 : found.size(), new SigningKey(key, last));
            }
        }
        return List.copyOf(found);
    }

    private static long lastExpiry(Connection connection, long openedUntil) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(LAST_EXPIRY)) {
            query.setLong(1, openedUntil);
            try (ResultSet row = query.executeQuery()) {
                return row.next() ? row.getLong(1) : 0;
            }
        }
    }

    /** The signing one first; the same list until a rotation. */
    List<SigningKey> all() {
        return keys;
    }

    SigningKey current() {
        return keys.getFirst();
    }

    @Nullable
    SigningKey byId(@Nullable String kid) {
        for (SigningKey key : keys) {
            if (key.kid().equals(kid)) {
                return key;
            }
        }
        return null;
    }

    /** The signing key and those retired ones of which a token can still live. */
    JWKSet published() {
        List<JWK> live = new ArrayList<>();
        List<SigningKey> all = keys;
        for (SigningKey key : all) {
            if (key == all.getFirst() || key.lastExpiry() > clock.millis()) {
                live.add(key.publicKey());
            }
        }
        return new JWKSet(live);
    }

    @Override
    public synchronized String rotate() {
        ECKey made = make();
        long now = clock.millis();
        List<SigningKey> before = keys;
        writer.write(tx -> {
            if (!before.isEmpty()) {
                retire(tx, before.getFirst().publicKey(), now);
            }
            insert(tx, made, now);
            return made.getKeyID();
        });
        List<SigningKey> after = new ArrayList<>(List.of(new SigningKey(made, Long.MIN_VALUE)));
        after.addAll(before);
        keys = List.copyOf(after);
        return made.getKeyID();
    }

    private void insert(Tx tx, ECKey key, long now) throws SQLException {
        PreparedStatement row = tx.prepare(INSERT);
        row.setString(1, key.getKeyID());
        row.setBytes(2, sealed(key));
        row.setLong(3, now);
        row.executeUpdate();
    }

    private void retire(Tx tx, ECKey publicHalf, long now) throws SQLException {
        PreparedStatement row = tx.prepare(RETIRE);
        row.setBytes(1, sealed(publicHalf));
        row.setLong(2, now);
        row.setString(3, publicHalf.getKeyID());
        row.executeUpdate();
    }

    private static ECKey make() {
        try {
            return new ECKeyGenerator(Curve.P_256)
                    .keyID(RandomId.of("key"))
                    .keyUse(KeyUse.SIGNATURE)
                    .algorithm(JWSAlgorithm.ES256)
                    .generate();
        } catch (JOSEException e) {
            throw new IllegalStateException("every Java platform makes keys on P-256", e);
        }
    }

    private byte[] sealed(ECKey key) {
        return seal.seal(key.toJSONString().getBytes(StandardCharsets.UTF_8), place(key.getKeyID()));
    }

    private static ECKey opened(Seal seal, String kid, byte[] sealed) {
        try {
            return ECKey.parse(new String(seal.open(sealed, place(kid)), StandardCharsets.UTF_8));
        } catch (ParseException e) {
            throw new StoreFault("signing key " + kid + " is not a JWK", e);
        }
    }

    private static String place(String kid) {
        return "signing-key/" + kid;
    }
}

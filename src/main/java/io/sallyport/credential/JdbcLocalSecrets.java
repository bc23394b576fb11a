package io.sallyport.credential;

import io.sallyport.credential.source.Fetched;
import io.sallyport.credential.source.LocalSource;
import io.sallyport.credential.source.Material;
import io.sallyport.credential.source.SecretValue;
import io.sallyport.credential.source.SourceFault;
import io.sallyport.credential.source.SourceTools;
import io.sallyport.store.Readers;
import io.sallyport.store.Seal;
import io.sallyport.store.SealedColumn;
import io.sallyport.store.Tx;
import java.io.IOException;
import java.io.InputStream;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The table of written-in secrets. */
final class JdbcLocalSecrets implements LocalSecrets, SourceTools.LocalReader {

    static final SealedColumn SEALED = SealedColumn.of(
            "local_secret",
            "sealed",
            List.of("credential", "face_digest", "revision"),
            key -> place(key.get(0), key.get(1), key.get(2)));

    private final Readers readers;
    private final Seal seal;
    private final Clock clock;
    private Consumer<String> listener = credential -> {};

    JdbcLocalSecrets(Readers readers, Seal seal, Clock clock) {
        this.readers = readers;
        this.seal = seal;
        this.clock = clock;
    }

    /** Called with the credential's name after each commit. To be set before the first secret is put. */
    void onPut(Consumer<String> heard) {
        this.listener = heard;
    }

    private record Row(String faceDigest, String revision, byte[] sealed) {}

    @Override
    public Entry seal(Credential credential, InputStream secret) throws IOException {
        CompiledCredential compiled = CredentialLeases.compiled(credential);
        if (!compiled.source().writtenIn()) {
            return new Entry.Refused("credential '" + compiled.name() + "' has a source of kind "
                    + compiled.sourceKind() + "; only local and oauth-refresh-token are written in");
        }
        try (Material material = Material.of(secret.readNBytes(SecretValue.READ_AT_MOST))) {
            Optional<String> problem = compiled.injection().problem(material);
            if (problem.isPresent()) {
                return new Entry.Refused("credential '" + compiled.name() + "': " + problem.get());
            }
            SecretValue value = material.part(Material.SECRET).orElseThrow();
            String revision = UUID.randomUUID().toString();
            String digest = compiled.faceDigest();
            byte[] sealed = seal.seal(value.bytes(), place(compiled.name(), digest, revision));
            return new Entry.Taken(new SealedSecret(compiled.name(), digest, revision, sealed));
        }
    }

    @Override
    public void put(Tx tx, SealedSecret secret, String by) throws SQLException {
        PreparedStatement upsert = tx.prepare("""
                INSERT INTO local_secret (credential, face_digest, revision, sealed, entered_at, entered_by)
                VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (credential) DO UPDATE SET face_digest = excluded.face_digest, revision = excluded.revision,
                    sealed = excluded.sealed, entered_at = excluded.entered_at, entered_by = excluded.entered_by""");
        upsert.setString(1, secret.credential());
        upsert.setString(2, secret.faceDigest());
        upsert.setString(3, secret.revision());
        upsert.setBytes(4, secret.sealed());
        upsert.setLong(5, clock.millis());
        upsert.setString(6, by);
        upsert.executeUpdate();
        tx.afterCommit(() -> listener.accept(secret.credential()));
    }

    @Override
    public Fetched read(String credential, String face, @Nullable Object known) throws SourceFault {
        Optional<Row> found = readers.read(connection -> {
            try (PreparedStatement select = connection.prepareStatement(
                    "SELECT face_digest, revision, sealed FROM local_secret WHERE credential = ?")) {
                select.setString(1, credential);
                try (ResultSet row = select.executeQuery()) {
                    return row.next()
                            ? Optional.of(new Row(row.getString(1), row.getString(2), row.getBytes(3)))
                            : Optional.empty();
                }
            }
        });
        Row row = found.orElseThrow(() -> SourceFault.missing("no secret has been entered"));
        if (!row.faceDigest().equals(face)) {
            throw SourceFault.denied(
                    "its destinations or injection have changed since the secret was entered; it must be entered anew");
        }
        return row.revision().equals(known)
                ? new Fetched.Unchanged(LocalSource.BELIEVED)
                : Fetched.given(
                        Material.of(seal.open(row.sealed(), place(credential, row.faceDigest(), row.revision()))),
                        row.revision(),
                        LocalSource.BELIEVED);
    }

    private static String place(String credential, String digest, String revision) {
        return "local-secret/" + credential + "/" + digest + "/" + revision;
    }
}

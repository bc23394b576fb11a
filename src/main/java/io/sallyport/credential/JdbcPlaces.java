package io.sallyport.credential;

import io.sallyport.http.Destination;
import io.sallyport.store.Readers;
import io.sallyport.store.Tx;
import io.sallyport.store.Writer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The table of confirmed places, and what is in it in memory. A place is held against two subjects, the credential's name and its source: a
 * document under another name that has the same source is no way around.
 */
final class JdbcPlaces implements Places {

    private static final String FIRST_USE = "first use";

    private final Writer writer;
    private final Clock clock;
    private final boolean asked;
    private final Map<String, Set<String>> known = new ConcurrentHashMap<>();

    /** @param asked false where changes are reviewed elsewhere: then no place is ever held back */
    JdbcPlaces(Writer writer, Readers readers, Clock clock, boolean asked) {
        this.writer = writer;
        this.clock = clock;
        this.asked = asked;
        readers.read(connection -> {
            try (PreparedStatement select = connection.prepareStatement("SELECT subject, place FROM credential_place");
                    ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    remember(rows.getString(1), rows.getString(2));
                }
                return known.size();
            }
        });
    }

    @Override
    public List<String> unconfirmed(Credential credential) {
        CompiledCredential compiled = CredentialLeases.compiled(credential);
        if (!asked || compiled.source().writtenIn()) {
            return List.of();
        }
        return places(compiled).stream()
                .filter(place -> subjects(compiled).stream()
                        .anyMatch(subject -> known.containsKey(subject)
                                && !known.get(subject).contains(place)))
                .toList();
    }

    @Override
    public List<String> confirmed(Credential credential) {
        return subjects(CredentialLeases.compiled(credential)).stream()
                .flatMap(subject -> known.getOrDefault(subject, Set.of()).stream())
                .distinct()
                .sorted()
                .toList();
    }

    /** Before its first use: its places are on disk when this completes, so that a later change is one. At once where they are. */
    CompletionStage<Integer> met(CompiledCredential credential) {
        if (!asked
                || credential.source().writtenIn()
                || subjects(credential).stream().allMatch(known::containsKey)) {
            return CompletableFuture.completedFuture(0);
        }
        return writer.submit(tx -> {
            confirm(tx, credential, FIRST_USE);
            return 0;
        });
    }

    @Override
    public void confirm(Tx tx, Credential credential, String by) throws SQLException {
        CompiledCredential compiled = CredentialLeases.compiled(credential);
        List<String> places = places(compiled);
        List<String> subjects = subjects(compiled);
        for (String subject : subjects) {
            for (String place : places) {
                PreparedStatement insert = tx.prepare("""
                        INSERT INTO credential_place (subject, place, credential, confirmed_at, confirmed_by)
                        VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING""");
                insert.setString(1, subject);
                insert.setString(2, place);
                insert.setString(3, credential.name());
                insert.setLong(4, clock.millis());
                insert.setString(5, by);
                insert.executeUpdate();
            }
        }
        tx.afterCommit(() -> subjects.forEach(subject -> places.forEach(place -> remember(subject, place))));
    }

    private void remember(String subject, String place) {
        known.computeIfAbsent(subject, _ -> ConcurrentHashMap.newKeySet()).add(place);
    }

    private static List<String> places(CompiledCredential credential) {
        return credential.destinations().stream()
                .map(destination -> place(destination, credential))
                .sorted()
                .toList();
    }

    private static String place(Destination destination, CompiledCredential credential) {
        String ranges = destination.addresses().isEmpty() ? "" : " at " + destination.addresses();
        return destination + ranges + ", as " + credential.injection();
    }

    private static List<String> subjects(CompiledCredential credential) {
        return List.of(
                "name/" + credential.name(), "source/" + sha256(credential.sourceKind() + "\n" + credential.source()));
    }

    private static String sha256(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}

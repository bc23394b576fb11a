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
import java.util.Collection;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The table of confirmed places, and what is in it in memory. A place is held against two subjects, the credential's name and its source: a
 * document under another name that has the same source is no way around.
 */
final class JdbcPlaces implements Places {

    private static final Logger LOG = LoggerFactory.getLogger(JdbcPlaces.class);

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
                    remember(rows.getString(1), Set.of(rows.getString(2)));
                }
                return known.size();
            }
        });
    }

    @Override
    public void inForce(Collection<Credential> credentials) {
        Map<String, List<FirstBooks.Met>> together = credentials.stream()
                .map(CredentialLeases::compiled)
                .filter(credential ->
                        asked && !credential.source().writtenIn() && !known.containsKey(source(credential)))
                .map(credential ->
                        new FirstBooks.Met(source(credential), credential.name(), Set.copyOf(places(credential))))
                .collect(Collectors.groupingBy(FirstBooks.Met::source));
        if (together.isEmpty()) {
            return;
        }
        writer.submit(tx -> {
                    for (var source : together.entrySet()) {
                        // An earlier book may have been written down just now.
                        if (!FirstBooks.knows(tx, source.getKey())
                                && there(tx, source.getKey()).isEmpty()) {
                            for (FirstBooks.Met one : source.getValue()) {
                                FirstBooks.write(tx, one, clock.millis());
                            }
                        }
                    }
                    return together.size();
                })
                // The book is in force all the same: documents of one source are then confirmed one by one.
                .whenComplete((_, fault) -> {
                    if (fault != null) {
                        LOG.warn("which documents were met together could not be written down");
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
            // Another of this source may have been first by now, and then this one waits as if it had come later.
            if (isFirst(tx, credential)) {
                confirm(tx, credential, FIRST_USE);
                String source = source(credential);
                write(tx, source, FirstBooks.beside(tx, source, credential.name()), credential.name(), FIRST_USE);
            }
            return 0;
        });
    }

    private static boolean isFirst(Tx tx, CompiledCredential credential) throws SQLException {
        for (String subject : subjects(credential)) {
            Set<String> there = there(tx, subject);
            if (!there.isEmpty() && !there.containsAll(places(credential))) {
                return false;
            }
        }
        return true;
    }

    private static Set<String> there(Tx tx, String subject) throws SQLException {
        return FirstBooks.places(tx, "SELECT place FROM credential_place WHERE subject = ?", subject);
    }

    @Override
    public void confirm(Tx tx, Credential credential, String by) throws SQLException {
        CompiledCredential compiled = CredentialLeases.compiled(credential);
        for (String subject : subjects(compiled)) {
            write(tx, subject, Set.copyOf(places(compiled)), compiled.name(), by);
        }
    }

    private void write(Tx tx, String subject, Set<String> places, String credential, String by) throws SQLException {
        for (String place : places) {
            PreparedStatement insert = tx.prepare("""
                    INSERT INTO credential_place (subject, place, credential, confirmed_at, confirmed_by)
                    VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING""");
            insert.setString(1, subject);
            insert.setString(2, place);
            insert.setString(3, credential);
            insert.setLong(4, clock.millis());
            insert.setString(5, by);
            insert.executeUpdate();
        }
        if (!places.isEmpty()) {
            tx.afterCommit(() -> remember(subject, places));
        }
    }

    /** All at once: whoever looks in between sees what was before. */
    private void remember(String subject, Set<String> places) {
        known.merge(subject, Set.copyOf(places), (before, more) -> {
            Set<String> all = new HashSet<>(before);
            all.addAll(more);
            return Set.copyOf(all);
        });
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
        return List.of("name/" + credential.name(), source(credential));
    }

    private static String source(CompiledCredential credential) {
        return "source/" + sha256(credential.sourceKind() + "\n" + credential.source());
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

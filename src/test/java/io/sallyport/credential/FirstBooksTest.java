package io.sallyport.credential;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.document.Compiled;
import io.sallyport.document.Keys;
import io.sallyport.testing.TestClock;
import io.sallyport.testing.TestStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What was met together stays what it was over a restart, and a restart makes no first book of a later one. */
class FirstBooksTest {

    private static final Credential ONE = document("one", "https://api.example.com");
    private static final Credential TWO = document("two", "https://files.example.com");
    private static final Credential EVIL = document("evil", "https://evil.example");

    @RegisterExtension
    final TestStore store = new TestStore();

    private static Credential document(String name, String destination) {
        Map<String, Object> keys =
                new HashMap<>(TestCredentials.keys(Map.of("kind", "file", "name", "shared"), TestCredentials.BEARER));
        keys.put("destinations", List.of(destination));
        return switch (CredentialCompiler.compile(name, Keys.of(keys))) {
            case Compiled.Ok<Credential>(Credential credential) -> credential;
            case Compiled.Rejected<Credential>(var problems) -> throw new AssertionError(problems);
        };
    }

    /** A broker that starts on the database with that book. */
    private JdbcPlaces started(Credential... book) {
        store.reopen();
        JdbcPlaces places = new JdbcPlaces(store.writer(), store.readers(), new TestClock(), true);
        places.inForce(List.of(book));
        return places;
    }

    private static void used(JdbcPlaces places, Credential credential) {
        assertThat(places.unconfirmed(credential)).isEmpty();
        places.met((CompiledCredential) credential).toCompletableFuture().join();
    }

    @Test
    void one_that_is_there_after_a_restart_was_not_met_with_those_from_before() {
        started(ONE, TWO);
        JdbcPlaces places = started(ONE, TWO, EVIL);
        used(places, ONE);

        assertThat(places.unconfirmed(EVIL)).hasSize(1);
        assertThat(places.unconfirmed(TWO)).isEmpty();
        assertThat(started(ONE, TWO, EVIL).unconfirmed(EVIL)).hasSize(1);
    }

    @Test
    void a_source_that_was_used_has_no_first_book_any_more() {
        used(started(ONE), ONE);

        JdbcPlaces places = started(ONE, TWO);
        used(places, ONE);
        assertThat(places.unconfirmed(TWO)).hasSize(1);
    }

    @Test
    void taking_all_of_them_away_and_bringing_others_starts_no_new_book() {
        started(ONE, TWO);
        started();
        JdbcPlaces places = started(ONE, EVIL);
        used(places, ONE);

        assertThat(places.unconfirmed(EVIL)).hasSize(1);
    }

    @Test
    void one_that_was_not_met_with_them_brings_none_of_them_along() {
        started(ONE, TWO);
        JdbcPlaces places = started(ONE, TWO, EVIL);
        used(places, EVIL);

        assertThat(places.unconfirmed(ONE)).hasSize(1);
        assertThat(places.unconfirmed(TWO)).hasSize(1);
    }

    @Test
    void two_that_are_first_at_the_same_moment_are_not_both_first() {
        JdbcPlaces places = started(ONE);
        var one = places.met((CompiledCredential) ONE).toCompletableFuture();
        var evil = places.met((CompiledCredential) EVIL).toCompletableFuture();
        one.join();
        evil.join();

        assertThat(places.unconfirmed(ONE)).isEmpty();
        assertThat(places.unconfirmed(EVIL)).hasSize(1);
    }

    @Test
    void where_changes_are_reviewed_elsewhere_nothing_is_written_down() {
        JdbcPlaces places = new JdbcPlaces(store.writer(), store.readers(), new TestClock(), false);
        places.inForce(List.of(ONE, TWO));
        used(places, ONE);

        used(started(EVIL), EVIL);
    }
}

package io.sallyport.proxy.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sallyport.proxy.InterceptionRoot.RollOver;
import io.sallyport.proxy.InterceptionRoot.State;
import io.sallyport.proxy.InterceptionRoot.Use;
import io.sallyport.store.Writer;
import io.sallyport.testing.TestStore;
import java.security.cert.CertPathValidatorException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Another root takes the place of the one that signs while brokers run: published first, signing later, the old one withdrawn last. */
class RollOverTest {

    private final MutableClock clock = new MutableClock(Instant.parse("2026-12-01T10:00:00Z"));
    private final TestStore store = TestStore.started();
    private final InterceptionAuthority authority = open();
    private final MintedLeaves leaves = new MintedLeaves(authority, clock, 100);
    private final X509Certificate first = Chains.read(authority.pem()).getFirst();

    private InterceptionAuthority open() {
        SignableNames names = new SignableNames(Set.of("api.example.com"), Set.of());
        return InterceptionAuthority.open(Chains.in(store), () -> names, Lifetimes.USUAL, clock);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private String done(Writer.Work<RollOver> step) {
        clock.pass(Duration.ofSeconds(1));
        return assertThat(store.writer().write(step))
                .isInstanceOf(RollOver.Done.class)
                .extracting(it -> ((RollOver.Done) it).id())
                .actual();
    }

    private String refused(Writer.Work<RollOver> step) {
        return ((RollOver.Refused) store.writer().write(step)).reason();
    }

    private List<Use> uses() {
        return authority.states().stream().map(State::use).toList();
    }

    private List<X509Certificate> chain() {
        return leaves.leaf("api.example.com").chain();
    }

    @Test
    void a_successor_is_published_beside_the_root_that_goes_on_signing() throws Exception {
        done(authority::succeed);

        List<X509Certificate> published = Chains.read(authority.pem());
        assertThat(published).hasSize(2).startsWith(first);
        assertThat(uses()).containsExactly(Use.SIGNS, Use.SUCCEEDS);
        Chains.validate(chain(), List.of(first), clock.instant());
    }

    @Test
    void promoted_it_signs_at_once_and_whoever_was_given_both_roots_notices_nothing() throws Exception {
        Leaf before = leaves.leaf("api.example.com");
        done(authority::succeed);
        List<X509Certificate> given = Chains.read(authority.pem());

        done(authority::promote);

        assertThat(leaves.ready("api.example.com")).as("the old leaf is fresh").isFalse();
        assertThat(leaves.leaf("api.example.com")).isNotSameAs(before);
        Chains.validate(chain(), given, clock.instant());
        Chains.validate(chain(), List.of(given.getLast()), clock.instant());
        assertThatThrownBy(() -> Chains.validate(chain(), List.of(first), clock.instant()))
                .isInstanceOf(CertPathValidatorException.class);
        assertThat(Chains.read(authority.pem()))
                .as("the old one is still published")
                .contains(first)
                .hasSize(2);
        assertThat(uses()).containsExactly(Use.SIGNED, Use.SIGNS);
    }

    @Test
    void withdrawn_the_old_root_is_published_no_more() {
        done(authority::succeed);
        done(authority::promote);

        done(tx -> authority.withdraw(tx, JdbcAuthorities.id(first)));

        assertThat(Chains.read(authority.pem())).hasSize(1).doesNotContain(first);
        assertThat(uses()).containsExactly(Use.WITHDRAWN, Use.SIGNS);
    }

    @Test
    void a_successor_that_was_made_by_mistake_can_be_withdrawn() {
        String made = done(authority::succeed);
        done(tx -> authority.withdraw(tx, made));

        assertThat(Chains.read(authority.pem())).containsExactly(first);
        assertThat(refused(authority::promote)).contains("there is no successor");
        done(authority::succeed);
    }

    @Test
    void steps_that_make_no_sense_are_refused_in_words_and_change_nothing() {
        assertThat(refused(authority::promote)).contains("make one first");
        assertThat(refused(tx -> authority.withdraw(tx, JdbcAuthorities.id(first))))
                .contains("is the one that signs");
        assertThat(refused(tx -> authority.withdraw(tx, "beef"))).contains("no published interception CA beef");
        done(authority::succeed);
        assertThat(refused(authority::succeed)).contains("published already");

        assertThat(Chains.read(authority.pem())).hasSize(2).startsWith(first);
    }

    @Test
    void another_node_follows_within_ten_seconds() throws Exception {
        InterceptionAuthority other = open();
        MintedLeaves others = new MintedLeaves(other, clock, 100);
        others.leaf("api.example.com");
        done(authority::succeed);
        done(authority::promote);
        X509Certificate second = Chains.read(authority.pem()).getFirst();

        clock.pass(Duration.ofSeconds(11));

        assertThat(others.ready("api.example.com")).isFalse();
        Chains.validate(others.leaf("api.example.com").chain(), List.of(second), clock.instant());
        assertThat(other.pem()).isEqualTo(authority.pem());
    }

    @Test
    void a_successor_survives_a_restart_as_what_it_was() {
        done(authority::succeed);

        assertThat(open().states()).isEqualTo(authority.states());
        assertThat(Chains.read(open().pem())).startsWith(first).hasSize(2);
    }

    @Test
    void when_the_signer_ends_the_published_successor_steps_in() throws Exception {
        clock.pass(Lifetimes.USUAL.authority().minusDays(30));
        done(authority::succeed);
        X509Certificate second = Chains.read(authority.pem()).getLast();
        clock.pass(Duration.ofDays(31));

        Chains.validate(chain(), List.of(second), clock.instant());
        assertThat(uses()).containsExactly(Use.ENDED, Use.SIGNS);
        assertThat(authority.timeLeft()).isGreaterThan(Duration.ofDays(3000));
    }

    @Test
    void after_the_end_of_every_root_a_successor_signs_at_once() throws Exception {
        clock.pass(Lifetimes.USUAL.authority().plusDays(1));
        assertThatThrownBy(this::chain)
                .isInstanceOf(AuthorityExpired.class)
                .hasMessageContaining("sallyport authority successor");

        done(authority::succeed);

        Chains.validate(chain(), Chains.read(authority.pem()), clock.instant());
    }
}

package io.sallyport.credential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sallyport.credential.Leases.Leasing;
import io.sallyport.credential.source.SecretSource.Sharing;
import io.sallyport.credential.source.SourceFault;
import io.sallyport.document.Keys;
import io.sallyport.grant.EndReason;
import io.sallyport.grant.Grant;
import io.sallyport.http.Fields;
import io.sallyport.http.Framing;
import io.sallyport.http.Origin;
import io.sallyport.http.ResponseHead;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Secrets whose source is another machine: RW-84, RW-85 and what an outage means. */
class WarmSecretsTest {

    private static final Origin API = Origin.parse("https://api.example.com").orElseThrow();

    private final FakeGrants grants = new FakeGrants();
    private final Grant grant = FakeGrants.grant("g1");
    private final AtomicLong now = new AtomicLong(1);
    private final RemoteSource source = new RemoteSource(Sharing.SHARED);
    private final CompiledCredential acme = TestSources.credential("acme", source);
    private final WarmSecrets warm = TestSources.warm(
            TestSources.tools((credential, face, known) -> {
                throw SourceFault.missing("no secret has been entered");
            }),
            Runnable::run,
            now::get);
    private final CredentialLeases leases = new CredentialLeases(warm, grants, java.time.Clock.systemUTC());

    private CompletableFuture<Leasing> ask(Credential credential, Grant by) {
        return leases.lease(credential, API, by).toCompletableFuture();
    }

    private Leasing leasing(Credential credential, Grant by) {
        return ask(credential, by).orTimeout(20, TimeUnit.SECONDS).join();
    }

    private Lease leased(Credential credential) {
        return ((Leasing.Leased) leasing(credential, grant)).lease();
    }

    private String cause(Credential credential) {
        return ((Leasing.Unavailable) leasing(credential, grant)).cause();
    }

    private static String secret(Lease lease) {
        return CredentialLeasesTest.put(lease, Fields.EMPTY)
                .first("Authorization")
                .orElseThrow();
    }

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
        leases.tick();
    }

    private void awaitAsked(RemoteSource asked, int times) {
        await().atMost(Duration.ofSeconds(20)).until(() -> asked.asked.get() == times);
    }

    /** RW-84. */
    @Test
    void five_hundred_who_come_to_a_cold_cache_make_one_call() {
        CountDownLatch gate = new CountDownLatch(1);
        source.gate = gate;
        List<CompletableFuture<Leasing>> all = herd(500);
        gate.countDown();

        assertThat(all).allSatisfy(one -> assertThat(one.join()).isInstanceOf(Leasing.Leased.class));
        assertThat(source.asked).hasValue(1);
    }

    /** RW-84. */
    @Test
    void a_failure_is_shared_by_all_who_wait_and_believed_for_a_while_that_grows() {
        CountDownLatch gate = new CountDownLatch(1);
        source.gate = gate;
        source.fault = SourceFault.down("its source answered 429");
        List<CompletableFuture<Leasing>> all = herd(500);
        gate.countDown();

        assertThat(all).allSatisfy(one -> assertThat(one.join()).isInstanceOf(Leasing.Unavailable.class));
        assertThat(cause(acme)).isEqualTo("credential 'acme': its source answered 429");
        assertThat(source.asked).as("the failure is believed").hasValue(1);

        List<Integer> seconds = new ArrayList<>();
        for (int second = 0; second < 120; second++) {
            pass(Duration.ofSeconds(1));
            int before = source.asked.get();
            cause(acme);
            if (source.asked.get() > before) {
                seconds.add(second + 1);
            }
        }
        assertThat(seconds).as("seconds after the first").containsExactly(1, 3, 7, 15, 31, 61, 91);
    }

    private List<CompletableFuture<Leasing>> herd(int size) {
        List<CompletableFuture<Leasing>> all = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            all.add(ask(acme, FakeGrants.grant("herd-" + i)));
        }
        return all;
    }

    /** RW-84. */
    @Test
    void the_first_who_waits_may_leave_and_the_others_get_theirs() {
        CountDownLatch gate = new CountDownLatch(1);
        source.gate = gate;
        CompletableFuture<Leasing> leader = ask(acme, grant);
        CompletableFuture<Leasing> other = ask(acme, FakeGrants.grant("g2"));
        leader.cancel(true);
        grants.endInMemory(List.of(grant), EndReason.REVOKED);
        gate.countDown();

        assertThat(other.join()).isInstanceOf(Leasing.Leased.class);
        assertThat(source.asked).hasValue(1);
        assertThat(leases.open()).isOne();
    }

    /** RW-84. */
    @Test
    void fifty_other_credentials_are_not_queued_behind_a_source_that_hangs() {
        source.gate = new CountDownLatch(1);
        CompletableFuture<Leasing> hanging = ask(acme, grant);

        for (int i = 0; i < 50; i++) {
            leased(TestSources.credential("other-" + i, new RemoteSource(Sharing.SHARED)));
        }
        assertThat(hanging).isNotDone();

        pass(Duration.ofSeconds(10));
        assertThat(((Leasing.Unavailable) hanging.join()).cause()).contains("did not answer within 10000 ms");
    }

    @Test
    void what_comes_after_its_deadline_is_given_back_and_never_used() {
        // An answer that its interruption does not stop.
        CountDownLatch gate = new CountDownLatch(1);
        RemoteSource deaf = new RemoteSource(Sharing.SHARED);
        CompiledCredential credential = TestSources.credential("deaf", new DeafSource(deaf, gate));
        CompletableFuture<Leasing> late = ask(credential, grant);
        awaitAsked(deaf, 1);
        pass(Duration.ofSeconds(10));
        assertThat(late.join()).isInstanceOf(Leasing.Unavailable.class);

        gate.countDown();

        await().atMost(Duration.ofSeconds(20)).until(() -> deaf.revoked.equals(List.of("secret-number-1")));
        assertThat(leasing(credential, grant)).isInstanceOf(Leasing.Unavailable.class);
    }

    @Test
    void a_secret_in_use_is_renewed_before_its_time_is_over_and_nobody_waits() {
        leased(acme);
        pass(Duration.ofSeconds(38));
        assertThat(source.asked).hasValue(1);

        pass(Duration.ofSeconds(2));

        awaitAsked(source, 2);
        await().until(() -> secret(leased(acme)).equals("Bearer secret-number-2"));
        assertThat(source.asked).hasValue(2);
    }

    @Test
    void a_source_that_is_down_is_outlived_until_the_lease_is_over_and_then_refused() {
        leased(acme);
        source.fault = SourceFault.down("its source refused the connection");
        for (int second = 0; second < 59; second++) {
            pass(Duration.ofSeconds(1));
            assertThat(secret(leased(acme))).isEqualTo("Bearer secret-number-1");
        }

        now.addAndGet(Duration.ofSeconds(1).toNanos());

        assertThat(cause(acme)).isEqualTo("credential 'acme': its source refused the connection");
        source.fault = null;
        pass(Duration.ofSeconds(31));
        assertThat(secret(leased(acme))).isNotEqualTo("Bearer secret-number-1");
    }

    @ParameterizedTest
    @EnumSource(
            value = SourceFault.Kind.class,
            names = {"MISSING", "DENIED", "BAD"})
    void a_source_that_answers_no_ends_what_it_gave_before(SourceFault.Kind kind) {
        leased(acme);
        source.fault = switch (kind) {
            case MISSING -> SourceFault.missing("gone");
            case DENIED -> SourceFault.denied("gone");
            case BAD, DOWN -> SourceFault.bad("gone");
        };
        pass(Duration.ofSeconds(40));

        await().atMost(Duration.ofSeconds(20)).until(() -> leasing(acme, grant) instanceof Leasing.Unavailable);
    }

    @Test
    void nobody_fails_while_secrets_are_rotated_and_an_old_one_is_given_back_after_its_last_lease() throws Exception {
        source.lives = Duration.ofSeconds(10);
        Lease first = leased(acme);
        List<Thread> callers = new ArrayList<>();
        AtomicLong failed = new AtomicLong();
        AtomicLong served = new AtomicLong();
        for (int i = 0; i < 8; i++) {
            Grant mine = FakeGrants.grant("caller-" + i);
            callers.add(Thread.ofPlatform().daemon().start(() -> {
                while (source.asked.get() < 20) {
                    if (leasing(acme, mine) instanceof Leasing.Leased(Lease lease)
                            && secret(lease).startsWith("Bearer secret-number-")) {
                        served.incrementAndGet();
                        lease.close();
                    } else {
                        failed.incrementAndGet();
                    }
                }
            }));
        }
        for (int rotation = 2; rotation <= 20; rotation++) {
            String next = "Bearer secret-number-" + rotation;
            pass(Duration.ofMillis(6_500));
            awaitAsked(source, rotation);
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> secret(leased(acme)).equals(next));
        }
        for (Thread caller : callers) {
            caller.join();
        }

        assertThat(failed).hasValue(0);
        assertThat(served.get()).isPositive();
        assertThat(secret(first)).isEqualTo("Bearer secret-number-1");
        assertThat(source.revoked).doesNotContain("secret-number-1");
        first.close();
        await().atMost(Duration.ofSeconds(20)).until(() -> source.revoked.contains("secret-number-1"));
    }

    @Test
    void a_secret_for_one_grant_is_no_others_and_is_given_back_when_that_grant_ends() {
        RemoteSource own = new RemoteSource(Sharing.PER_GRANT);
        CompiledCredential credential = TestSources.credential("own", own);
        Lease mine = leased(credential);
        Lease again = leased(credential);
        Leasing others = leasing(credential, FakeGrants.grant("g2"));
        assertThat(secret(mine)).isEqualTo(secret(again)).isEqualTo("Bearer secret-number-1");
        assertThat(secret(((Leasing.Leased) others).lease())).isEqualTo("Bearer secret-number-2");
        assertThat(own.fetches).extracting(fetch -> fetch.grant().id()).containsExactly("g1", "g2");

        grants.endInMemory(List.of(grant), EndReason.REVOKED);

        await().atMost(Duration.ofSeconds(20)).until(() -> own.revoked.equals(List.of("secret-number-1")));
        pass(Duration.ofMinutes(2));
        assertThat(own.asked).as("an ended grant's is not renewed").hasValueLessThan(4);
    }

    @Test
    void what_is_on_its_way_to_a_grant_that_ends_meanwhile_is_given_back() {
        RemoteSource own = new RemoteSource(Sharing.PER_GRANT);
        CountDownLatch gate = new CountDownLatch(1);
        own.gate = gate;
        CompletableFuture<Leasing> asked = ask(TestSources.credential("own", own), grant);
        awaitAsked(own, 1);
        grants.endInMemory(List.of(grant), EndReason.REVOKED);
        gate.countDown();

        assertThat(asked.orTimeout(20, TimeUnit.SECONDS).join()).isInstanceOf(Leasing.Unavailable.class);
        await().atMost(Duration.ofSeconds(20)).until(() -> own.revoked.equals(List.of("secret-number-1")));
        assertThat(own.asked).hasValue(1);
    }

    @Test
    void a_source_that_does_not_take_back_is_tried_again_and_shown_and_keeps_nobody_waiting() {
        source.revocationFault = SourceFault.down("its source refused the connection");
        leased(acme).close();

        leases.inForce(List.of());

        await().atMost(Duration.ofSeconds(20))
                .until(() -> leases.pendingRevocations().stream()
                        .anyMatch(one -> one.cause().equals("its source refused the connection")));
        assertThat(leases.pendingRevocations()).singleElement().satisfies(one -> {
            assertThat(one.credential()).isEqualTo("acme");
            assertThat(one.attempts()).isOne();
        });
        source.revocationFault = SourceFault.missing("it is known no more");
        pass(Duration.ofSeconds(1));

        await().atMost(Duration.ofSeconds(20))
                .until(() -> leases.pendingRevocations().isEmpty());
        assertThat(leases.abandonedRevocations()).isZero();
    }

    @Test
    void what_can_not_be_given_back_in_an_hour_is_given_up_and_counted() {
        source.revocationFault = SourceFault.denied("its source denied it");
        leased(acme).close();
        leases.inForce(List.of());
        await().atMost(Duration.ofSeconds(20))
                .until(() -> leases.pendingRevocations().stream()
                        .anyMatch(one -> !one.cause().isEmpty()));

        pass(Duration.ofMinutes(61));

        assertThat(leases.pendingRevocations()).isEmpty();
        assertThat(leases.abandonedRevocations()).isOne();
    }

    @Test
    void what_nobody_uses_for_ten_minutes_lapses_and_is_given_back_and_is_renewed_until_then() {
        source.unchanged = true;
        leased(acme).close();
        for (int i = 0; i < 14; i++) {
            pass(Duration.ofSeconds(40));
            awaitAsked(source, i + 2);
            await().until(() ->
                    !leases.whyUnavailable(acme).toCompletableFuture().join().isPresent());
        }
        assertThat(source.revoked).isEmpty();

        pass(Duration.ofSeconds(41));

        await().atMost(Duration.ofSeconds(20)).until(() -> source.revoked.equals(List.of("secret-number-1")));
    }

    @Test
    void the_document_that_stays_keeps_its_secret_and_the_one_that_goes_does_not() {
        leased(acme).close();

        leases.inForce(List.of(acme));
        assertThat(source.revoked).isEmpty();

        leases.inForce(List.of(TestSources.credential("acme", new RemoteSource(Sharing.SHARED))));
        await().atMost(Duration.ofSeconds(20)).until(() -> source.revoked.equals(List.of("secret-number-1")));
    }

    @Test
    void what_is_narrowed_differently_is_asked_for_and_kept_by_itself() {
        Credential one = acme.narrowed(Keys.of(Map.of("only", "one"))).orElseThrow();
        Credential two = acme.narrowed(Keys.of(Map.of("only", "two"))).orElseThrow();

        assertThat(List.of(acme, one, two)).extracting(Credential::version).doesNotHaveDuplicates();
        assertThat(List.of(secret(leased(one)), secret(leased(two)), secret(leased(acme)), secret(leased(one))))
                .containsExactly(
                        "Bearer secret-number-1",
                        "Bearer secret-number-2",
                        "Bearer secret-number-3",
                        "Bearer secret-number-1");
        assertThat(leased(one).version()).isNotEqualTo(leased(two).version());
        leases.inForce(List.of(acme));
        assertThat(source.revoked)
                .as("they go with their document, which is there")
                .isEmpty();
    }

    /** RW-85. */
    @Test
    void two_hundred_refused_at_once_make_one_call() {
        List<Lease> all = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            all.add(leased(acme));
        }
        CountDownLatch gate = new CountDownLatch(1);
        source.gate = gate;

        List<CompletableFuture<Leasing>> next = new ArrayList<>();
        for (Lease refused : all) {
            assertThat(refused.rejected()).isTrue();
            next.add(ask(acme, grant));
        }
        gate.countDown();

        assertThat(next)
                .allSatisfy(one -> assertThat(secret(((Leasing.Leased) one.join()).lease()))
                        .isEqualTo("Bearer secret-number-2"));
        assertThat(source.asked).hasValue(2);
        assertThat(source.fetches.getLast().rejected()).isTrue();
        assertThat(all.getFirst().rejected()).as("another is there already").isTrue();
        assertThat(secret(leased(acme))).isEqualTo("Bearer secret-number-2");
    }

    /** RW-85. */
    @Test
    void a_destination_that_answers_401_has_the_next_lease_ask_and_one_that_answers_403_has_not() {
        leased(acme).answered(answer(403));
        assertThat(secret(leased(acme))).isEqualTo("Bearer secret-number-1");

        leased(acme).answered(answer(401));

        assertThat(secret(leased(acme))).isEqualTo("Bearer secret-number-2");
    }

    private static ResponseHead answer(int status) {
        return new ResponseHead(status, "", Fields.EMPTY, new Framing.None(), false);
    }

    /** RW-85. */
    @Test
    void a_secret_that_is_always_refused_is_asked_for_once_in_ten_seconds() {
        Lease first = leased(acme);
        assertThat(first.rejected()).isTrue();
        Lease second = leased(acme);

        assertThat(second.rejected()).isFalse();
        assertThat(secret(leased(acme))).isEqualTo("Bearer secret-number-2");
        assertThat(source.asked).hasValue(2);
        pass(Duration.ofSeconds(10));
        assertThat(second.rejected()).isTrue();
    }

    /** RW-85. */
    @Test
    void what_was_asked_for_before_a_refusal_does_not_take_the_place_of_what_comes_after_it() {
        Lease lease = leased(acme);
        CountDownLatch gate = new CountDownLatch(1);
        source.gate = gate;
        pass(Duration.ofSeconds(40));
        awaitAsked(source, 2);

        assertThat(lease.rejected()).isTrue();
        CompletableFuture<Leasing> next = ask(acme, grant);
        gate.countDown();

        assertThat(secret(((Leasing.Leased) next.join()).lease())).isEqualTo("Bearer secret-number-3");
        await().atMost(Duration.ofSeconds(20))
                .until(() -> source.revokedInOrder().contains("secret-number-2"));
    }

    /** RW-85. */
    @Test
    void a_source_that_can_not_be_asked_after_a_refusal_does_not_take_the_secret_from_everybody() {
        Lease lease = leased(acme);
        source.fault = SourceFault.down("its source refused the connection");

        lease.rejected();

        assertThat(secret(leased(acme))).isEqualTo("Bearer secret-number-1");
    }

    @Test
    void a_source_that_has_no_other_secret_is_not_asked_for_one() {
        CompiledCredential variable = (CompiledCredential)
                TestCredentials.compiled(Map.of("kind", "env", "name", "SALLYPORT_SECRET_A"), TestCredentials.BEARER);
        var room = new CredentialLeases(
                TestSources.warm(
                        TestSources.tools(
                                (credential, face, known) -> {
                                    throw SourceFault.missing("none");
                                },
                                Path.of("none"),
                                name -> "the-variable"),
                        Runnable::run,
                        now::get),
                grants,
                java.time.Clock.systemUTC());
        Lease lease = ((Leasing.Leased)
                        room.lease(variable, API, grant).toCompletableFuture().join())
                .lease();

        assertThat(lease.rejected()).isFalse();
    }

    @Test
    void a_test_says_what_the_source_says_now_and_names_no_value() {
        leased(acme);
        assertThat(leases.test(acme).toCompletableFuture().join())
                .isEqualTo(new HeldSecrets.Trial.Works(Set.of("secret"), Duration.ofMinutes(1)));
        assertThat(source.asked).hasValue(2);

        source.fault = SourceFault.down("its source refused the connection");
        assertThat(leases.test(acme).toCompletableFuture().join())
                .isEqualTo(new HeldSecrets.Trial.Fails("down", "its source refused the connection"));
        assertThat(secret(leased(acme))).isEqualTo("Bearer secret-number-2");
    }

    @Test
    void a_test_of_what_is_had_for_each_grant_gives_back_what_it_got() {
        RemoteSource own = new RemoteSource(Sharing.PER_GRANT);

        var trial = leases.test(TestSources.credential("own", own))
                .toCompletableFuture()
                .join();

        assertThat(trial).isInstanceOf(HeldSecrets.Trial.Works.class);
        assertThat(own.fetches.getFirst().grant()).isNull();
        await().atMost(Duration.ofSeconds(20)).until(() -> own.revoked.equals(List.of("secret-number-1")));
    }

    @Test
    void whoever_looks_at_health_neither_asks_another_machine_nor_keeps_a_secret_of_it_alive() {
        assertThat(leases.whyUnavailable(acme).toCompletableFuture().join()).isEmpty();
        assertThat(source.asked).hasValue(0);

        source.fault = SourceFault.denied("its source denied it");
        cause(acme);
        assertThat(leases.whyUnavailable(acme).toCompletableFuture().join())
                .contains("credential 'acme': its source denied it");
    }
}

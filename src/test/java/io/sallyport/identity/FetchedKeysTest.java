package io.sallyport.identity;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import io.sallyport.identity.KeySource.Answer;
import io.sallyport.testing.TestIssuer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Rotation, outage, flood and herd, with an issuer that counts. */
class FetchedKeysTest {

    private static final TestIssuer BEFORE = TestIssuer.at("https://issuer.example", "https://broker.example");
    private static final TestIssuer AFTER = BEFORE.rotated("k2");

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger fetches = new AtomicInteger();
    private volatile JWKSet published = new JWKSet(BEFORE.key.toPublicJWK());
    private volatile boolean down;
    private final FetchedKeys keys = new FetchedKeys(this::fetch, nanos::get, Runnable::run);

    private JWKSet fetch() throws IOException {
        fetches.incrementAndGet();
        if (down) {
            throw new IOException("connection refused");
        }
        return published;
    }

    @Test
    void one_fetch_serves_all_uses_while_it_is_fresh() {
        for (int i = 0; i < 100; i++) {
            found("k1");
        }
        assertThat(fetches).hasValue(1);
    }

    @Test
    void a_new_key_is_found_within_one_cooldown() {
        found("k1");
        published = new JWKSet(AFTER.key.toPublicJWK());
        pass(FetchedKeys.COOLDOWN);
        found("k2");
        assertThat(fetches).hasValue(2);
    }

    @Test
    void a_flood_of_invented_key_ids_costs_the_issuer_a_handful_of_fetches() {
        for (int i = 0; i < 5_000; i++) {
            assertThat(keys.find(named("random-" + i))).isEqualTo(new Answer.Keys(List.of()));
            nanos.addAndGet(Duration.ofMillis(2).toNanos());
        }
        assertThat(fetches.get()).isLessThanOrEqualTo(2);
    }

    @Test
    void an_outage_is_sat_out_on_the_old_keys_for_an_hour_and_no_longer() {
        found("k1");
        down = true;
        pass(Duration.ofMinutes(59));
        found("k1");
        assertThat(keys.find(named("k2"))).isInstanceOf(Answer.Unavailable.class);
        pass(Duration.ofMinutes(1));
        assertThat(keys.find(named("k1"))).isInstanceOf(Answer.Unavailable.class);
    }

    @Test
    void in_an_outage_unknown_keys_fail_fast_and_the_issuer_is_asked_once_a_cooldown() {
        found("k1");
        down = true;
        pass(Duration.ofMinutes(10));
        int before = fetches.get();
        for (int i = 0; i < 1_000; i++) {
            keys.find(named("k2"));
            keys.find(named("k1"));
        }
        assertThat(fetches.get() - before).isEqualTo(1);
    }

    @Test
    void a_withdrawn_key_is_gone_when_the_next_fetch_is_due() {
        found("k1");
        published = new JWKSet(AFTER.key.toPublicJWK());
        pass(FetchedKeys.FRESH);
        assertThat(keys.find(named("k1"))).isEqualTo(new Answer.Keys(List.of()));
    }

    @Test
    void the_next_fetch_begins_ahead_of_time_and_nobody_waits_for_it() {
        AtomicInteger started = new AtomicInteger();
        FetchedKeys slow = new FetchedKeys(this::fetch, nanos::get, task -> {
            // The first runs at once; later ones never end.
            if (started.getAndIncrement() == 0) {
                task.run();
            }
        });
        slow.find(named("k1"));
        pass(FetchedKeys.FRESH.minus(FetchedKeys.AHEAD));
        assertThat(slow.find(named("k1"))).isEqualTo(new Answer.Keys(List.of(BEFORE.key.toPublicJWK())));
        assertThat(started).hasValue(2);
    }

    @Test
    void a_cold_start_with_two_hundred_callers_is_one_fetch() throws Exception {
        CountDownLatch answering = new CountDownLatch(1);
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            FetchedKeys cold = new FetchedKeys(
                    () -> {
                        try {
                            answering.await();
                        } catch (InterruptedException interrupted) {
                            throw new IOException(interrupted);
                        }
                        return fetch();
                    },
                    nanos::get,
                    callers);
            List<Future<Answer>> answers = IntStream.range(0, 200)
                    .mapToObj(i -> callers.submit((Callable<Answer>) () -> cold.find(named("k1"))))
                    .toList();
            answering.countDown();
            for (Future<Answer> answer : answers) {
                assertThat(answer.get()).isEqualTo(new Answer.Keys(List.of(BEFORE.key.toPublicJWK())));
            }
        }
        assertThat(fetches).hasValue(1);
    }

    @Test
    void a_failed_cold_start_is_shared_and_not_repeated_at_once() {
        down = true;
        for (int i = 0; i < 200; i++) {
            assertThat(keys.find(named("k1")))
                    .isEqualTo(new Answer.Unavailable("the issuer's keys can't be fetched: connection refused"));
        }
        assertThat(fetches).hasValue(1);
        down = false;
        pass(FetchedKeys.COOLDOWN);
        found("k1");
    }

    private void found(String keyId) {
        assertThat(keys.find(named(keyId)))
                .isInstanceOfSatisfying(
                        Answer.Keys.class, answer -> assertThat(answer.keys()).hasSize(1));
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    private static Predicate<JWK> named(String keyId) {
        return key -> keyId.equals(key.getKeyID());
    }
}

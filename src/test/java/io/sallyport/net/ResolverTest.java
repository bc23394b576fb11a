package io.sallyport.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sallyport.net.NameSource.Answer;
import io.sallyport.testing.TestNameServer;
import io.sallyport.testing.TestNameServer.Step;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResolverTest {

    private static final NetSettings SETTINGS =
            new NetSettings(List.of(), Duration.ofSeconds(5), Duration.ofSeconds(60));

    private final AtomicLong nanos = new AtomicLong();

    private static Resolver.Resolution now(CompletionStage<Resolver.Resolution> stage) throws Exception {
        return stage.toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private static Resolver.Resolution resolved(String... addresses) throws Exception {
        List<InetAddress> all = new ArrayList<>();
        for (String address : addresses) {
            all.add(InetAddress.getByName(address));
        }
        return new Resolver.Resolution.Resolved(all);
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    private Resolver over(TestNameServer server) {
        return new CachingResolver(new NameServers(List.of(server.address())), SETTINGS, nanos::get);
    }

    /** RW-63: first the public address, then loopback; each answer is given as it is, for the guard to judge. */
    @Test
    void an_answer_is_remembered_for_its_time_within_limits() throws Exception {
        try (TestNameServer server = new TestNameServer(
                Step.addresses(0, "203.0.113.9"), Step.addresses(3600, "127.0.0.1"), Step.addresses(5, "8.8.8.8"))) {
            Resolver resolver = over(server);
            assertThat(now(resolver.resolve("rb.up.test"))).isEqualTo(resolved("203.0.113.9"));
            assertThat(now(resolver.resolve("rb.up.test"))).isEqualTo(resolved("203.0.113.9"));
            pass(Duration.ofMillis(4999));
            assertThat(now(resolver.resolve("rb.up.test")))
                    .as("the shortest time, though the answer says 0")
                    .isEqualTo(resolved("203.0.113.9"));
            pass(Duration.ofMillis(2));
            assertThat(now(resolver.resolve("rb.up.test"))).isEqualTo(resolved("127.0.0.1"));
            pass(Duration.ofSeconds(59));
            assertThat(now(resolver.resolve("rb.up.test"))).isEqualTo(resolved("127.0.0.1"));
            assertThat(server.questions()).isEqualTo(2);
            pass(Duration.ofSeconds(2));
            assertThat(now(resolver.resolve("rb.up.test"))).isEqualTo(resolved("8.8.8.8"));
        }
    }

    @Test
    void what_is_kept_is_had_without_asking_and_is_the_same_object_until_it_is_not_kept_any_more() throws Exception {
        try (TestNameServer server = new TestNameServer(Step.addresses(30, "8.8.8.8"), Step.addresses(30, "9.9.9.9"))) {
            Resolver resolver = over(server);
            assertThat(resolver.known("rb.up.test")).isNull();
            Resolver.Resolution first = now(resolver.resolve("rb.up.test"));
            pass(Duration.ofMillis(29_999));
            assertThat(resolver.known("rb.up.test")).isSameAs(first);
            assertThat(now(resolver.resolve("rb.up.test"))).isSameAs(first);
            pass(Duration.ofMillis(2));
            assertThat(resolver.known("rb.up.test")).isNull();
            assertThat(server.questions()).isEqualTo(1);
        }
    }

    @Test
    void while_an_answer_is_awaited_nothing_is_known() {
        Resolver resolver = new CachingResolver(_ -> new CompletableFuture<>(), SETTINGS, nanos::get);
        resolver.resolve("a.test");
        assertThat(resolver.known("a.test")).isNull();
    }

    @Test
    void the_times_that_answers_are_kept_have_their_ranges() {
        for (Duration never : List.of(Duration.ZERO, Duration.ofMillis(999), Duration.ofHours(2))) {
            assertThatThrownBy(() -> new NetSettings(List.of(), never, Duration.ofDays(1)))
                    .hasMessageContaining("sallyport.proxy.name-answers.kept-at-least is 1s to 1h");
        }
        for (Duration never : List.of(Duration.ofSeconds(4), Duration.ofDays(2))) {
            assertThatThrownBy(() -> new NetSettings(List.of(), Duration.ofSeconds(5), never))
                    .hasMessageContaining("sallyport.proxy.name-answers.kept-at-most");
        }
    }

    @Test
    void all_addresses_of_an_answer_are_given() throws Exception {
        try (TestNameServer server = new TestNameServer(Step.addresses(0, "203.0.113.9", "127.0.0.1"))) {
            assertThat(now(over(server).resolve("rb.up.test"))).isEqualTo(resolved("203.0.113.9", "127.0.0.1"));
        }
    }

    @Test
    void an_unknown_name_is_remembered_for_a_second() throws Exception {
        try (TestNameServer server = new TestNameServer(Step.noSuchName(), Step.addresses(60, "8.8.8.8"))) {
            Resolver resolver = over(server);
            assertThat(now(resolver.resolve("new.up.test"))).isEqualTo(new Resolver.Resolution.Failed("no such name"));
            assertThat(now(resolver.resolve("new.up.test"))).isInstanceOf(Resolver.Resolution.Failed.class);
            pass(Duration.ofMillis(1001));
            assertThat(now(resolver.resolve("new.up.test"))).isEqualTo(resolved("8.8.8.8"));
        }
    }

    @Test
    void a_literal_is_itself_and_nobody_is_asked() throws Exception {
        Resolver resolver = new CachingResolver(
                _ -> CompletableFuture.failedFuture(new AssertionError("asked")), SETTINGS, nanos::get);
        assertThat(now(resolver.resolve("127.0.0.1"))).isEqualTo(resolved("127.0.0.1"));
        assertThat(now(resolver.resolve("::1"))).isEqualTo(resolved("::1"));
    }

    /** RW-63: twenty at once are one question. */
    @Test
    void who_asks_at_the_same_time_shares_one_answer() throws Exception {
        List<CompletableFuture<Answer>> asked = new ArrayList<>();
        Resolver resolver = new CachingResolver(
                _ -> {
                    asked.add(new CompletableFuture<>());
                    return asked.getLast();
                },
                SETTINGS,
                nanos::get);
        List<CompletionStage<Resolver.Resolution>> waiting = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            waiting.add(resolver.resolve("rb.up.test"));
        }
        assertThat(asked).hasSize(1);
        asked.getFirst().complete(new Answer.Found(List.of(InetAddress.getByName("8.8.8.8")), Duration.ZERO));
        for (var stage : waiting) {
            assertThat(now(stage)).isEqualTo(resolved("8.8.8.8"));
        }
    }

    @Test
    void silence_and_faults_are_no_answer() throws Exception {
        Resolver silent =
                new CachingResolver(_ -> new CompletableFuture<>(), SETTINGS, nanos::get, Duration.ofMillis(20));
        assertThat(now(silent.resolve("a.test"))).isInstanceOf(Resolver.Resolution.Failed.class);
        Resolver broken = new CachingResolver(
                _ -> CompletableFuture.failedFuture(new IllegalStateException("x")), SETTINGS, nanos::get);
        assertThat(now(broken.resolve("a.test"))).isInstanceOf(Resolver.Resolution.Failed.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"dns.example.com", "127.0.0.1:0", "127.0.0.1:x", "", "127.1:53"})
    void a_name_server_is_an_address(String server) {
        assertThatThrownBy(() -> new NameServers(List.of(server)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("an IP address with an optional port is allowed");
    }
}

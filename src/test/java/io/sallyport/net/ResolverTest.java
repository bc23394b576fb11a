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
        return new CachingResolver(new NameServers(List.of(server.address())), nanos::get);
    }

    /** RW-63: first the public address, then loopback; each answer is given as it is, for the guard to judge. */
    @Test
    void an_answer_is_remembered_for_its_time_within_limits() throws Exception {
        try (TestNameServer server = new TestNameServer(
                Step.addresses(0, "203.0.113.9"), Step.addresses(3600, "127.0.0.1"), Step.addresses(5, "8.8.8.8"))) {
            Resolver resolver = over(server);
            assertThat(now(resolver.resolve("rb.up.test"))).isEqualTo(resolved("203.0.113.9"));
            assertThat(now(resolver.resolve("rb.up.test"))).isEqualTo(resolved("203.0.113.9"));
            pass(Duration.ofMillis(1001));
            assertThat(now(resolver.resolve("rb.up.test"))).isEqualTo(resolved("127.0.0.1"));
            pass(Duration.ofSeconds(59));
            assertThat(now(resolver.resolve("rb.up.test"))).isEqualTo(resolved("127.0.0.1"));
            assertThat(server.questions()).isEqualTo(2);
            pass(Duration.ofSeconds(2));
            assertThat(now(resolver.resolve("rb.up.test"))).isEqualTo(resolved("8.8.8.8"));
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
        Resolver resolver =
                new CachingResolver(_ -> CompletableFuture.failedFuture(new AssertionError("asked")), nanos::get);
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
        Resolver silent = new CachingResolver(_ -> new CompletableFuture<>(), nanos::get, Duration.ofMillis(20));
        assertThat(now(silent.resolve("a.test"))).isInstanceOf(Resolver.Resolution.Failed.class);
        Resolver broken =
                new CachingResolver(_ -> CompletableFuture.failedFuture(new IllegalStateException("x")), nanos::get);
        assertThat(now(broken.resolve("a.test"))).isInstanceOf(Resolver.Resolution.Failed.class);
    }

    @Test
    void the_system_knows_localhost() throws Exception {
        try (SystemNames names = new SystemNames()) {
            Resolver resolver = new CachingResolver(names, nanos::get);
            assertThat(now(resolver.resolve("localhost")))
                    .isInstanceOfSatisfying(
                            Resolver.Resolution.Resolved.class,
                            found -> assertThat(found.addresses()).allMatch(InetAddress::isLoopbackAddress));
            assertThat(now(resolver.resolve("no-such-name.invalid"))).isInstanceOf(Resolver.Resolution.Failed.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"dns.example.com", "127.0.0.1:0", "127.0.0.1:x", "", "127.1:53"})
    void a_name_server_is_an_address(String server) {
        assertThatThrownBy(() -> new NameServers(List.of(server)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("an IP address with an optional port is allowed");
    }
}

package io.sallyport.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sallyport.testing.Door;
import io.sallyport.testing.DoorCase;
import io.sallyport.testing.EveryHttp1Door;
import io.sallyport.testing.Http2Frame;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.RawHttp2Client;
import io.sallyport.testing.TestHop;
import io.sallyport.testing.TestOrigin;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** RW-49: peers that only hold on. Deadlines here are shorter than in the product, and nothing a peer sends puts them off. */
class HopLimitsTest extends DoorCase {

    private static final Duration SHORT = Duration.ofMillis(700);
    private static final Duration LONG = Duration.ofMinutes(10);

    /** Beyond every deadline that is short here. */
    private static final Duration WHILE = SHORT.multipliedBy(3);

    @Override
    protected TestHop startHop() {
        return with(settings -> settings.with(
                settings.deadlines().withHead(SHORT, SHORT.multipliedBy(2)).withStreams(LONG, SHORT, SHORT)));
    }

    private static TestHop with(UnaryOperator<ProxySettings> settings) {
        return TestHop.start(settings, Door.POLICY);
    }

    @Test
    void a_stranger_that_says_nothing_or_empty_lines_is_gone_in_time() {
        try (RawClient silent = hop.connect();
                RawClient tls = hop.connect()) {
            tls.send(new byte[] {22, 3, 1});
            assertThat(secondsUntilClosed(silent)).isLessThan(5);
            assertThat(secondsUntilClosed(tls)).isLessThan(5);
        }
        try (RawClient lines = hop.connect()) {
            lines.send("\r\n");
            assertThat(lines.send("\r\n").read().status()).isEqualTo(400);
        }
    }

    /** A TLS session with the hop is not yet a grant. */
    @Test
    void a_stranger_within_tls_is_gone_in_time_though_it_was_answered() {
        try (RawClient agent = hop.connect().tls(hop.trust(), "localhost", hop.port())) {
            agent.send("GET /gateway/fixer:api-read/v1/x HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(agent.read().status()).isEqualTo(401);
            assertThat(secondsUntilClosed(agent)).isLessThan(5);
        }
    }

    /** One byte after the other: a deadline that each of them re-armed would never come. */
    @EveryHttp1Door
    void a_head_that_trickles_ends_at_the_deadline_of_its_first_byte(Door door) {
        String token = door.token(hop);
        try (RawClient agent = door.open(hop, token)) {
            assertThat(trickle(agent, door.headWithout(hop, token, "GET /v1/x") + "X: " + "x".repeat(5000)))
                    .isLessThan(5);
        }
        assertThat(door.origin(hop).received()).isEmpty();
    }

    @Test
    void a_connect_that_trickles_ends_at_the_deadline_of_its_first_byte() {
        try (RawClient connect = hop.connect()) {
            assertThat(trickle(connect, "CONNECT api.up.test:443 HTTP/1.1\r\nX: " + "x".repeat(5000)))
                    .isLessThan(5);
        }
    }

    @EveryHttp1Door
    void a_head_of_too_many_lines_or_bytes_is_a_431_with_an_entry(Door door) {
        String token = door.token(hop);
        for (String lines : List.of("X: y\r\n".repeat(5000), "X: " + "y".repeat(300_000) + "\r\n")) {
            int before = hop.entries("refused").size();
            try (RawClient agent = door.open(hop, token)) {
                agent.send(door.headWithout(hop, token, "GET /v1/x") + lines + "\r\n");
                assertThat(agent.read().status()).isEqualTo(431);
            }
            assertThat(hop.entries("refused"))
                    .hasSize(before + 1)
                    .last()
                    .asString()
                    .contains("head_too_large");
        }
        try (RawClient agent = door.open(hop, token)) {
            agent.send(door.head(hop, token, "GET /v1/x", "X: y\r\n".repeat(100) + "X: z"));
            assertThat(agent.read().status()).isEqualTo(200);
        }
    }

    /** Neither silence nor a byte now and then keeps a place for ever. */
    @EveryHttp1Door
    @Tag("slow")
    void a_body_of_known_length_that_trickles_is_a_408_and_its_record_says_so(Door door) {
        String token = door.token(hop);
        String begun = door.head(hop, token, "POST /v1/x", "Content-Length: 100000") + "x";
        try (RawClient silent = door.open(hop, token).send(begun);
                RawClient slow = door.open(hop, token).send(begun)) {
            assertThat(trickle(slow, "y".repeat(10_000))).isLessThan(8);
            RawClient.Answer answer = silent.read();
            assertThat(answer.status()).isEqualTo(408);
            assertThat(answer.text()).contains("content_too_slow");
        }
        Awaitility.await().until(() -> hop.flows().running() == 0);
        assertThat(door.origin(hop).received()).isEmpty();
        Awaitility.await()
                .untilAsserted(() -> assertThat(hop.entries("outcome"))
                        .filteredOn(entry -> entry.contains("content_too_slow"))
                        .isNotEmpty());
    }

    /** Until it is told to go on it may be silent, and then no longer than anybody else. */
    @EveryHttp1Door
    @Tag("slow")
    void an_agent_that_was_told_to_go_on_and_says_nothing_is_a_408(Door door) {
        String token = door.token(hop);
        try (RawClient agent = door.open(hop, token)) {
            agent.send(door.head(hop, token, "POST /v1/x", "Content-Length: 100000", "Expect: 100-continue"));
            assertThat(agent.head()).startsWith("HTTP/1.1 100");
            RawClient.Answer answer = agent.read();
            assertThat(answer.status()).isEqualTo(408);
            assertThat(answer.text()).contains("content_too_slow");
        }
        Awaitility.await().until(() -> hop.flows().running() == 0);
        assertThat(door.origin(hop).received()).isEmpty();
    }

    /** In HTTP/2, too; there the end of a stream is one more thing to wait for. */
    @Test
    void a_stream_that_does_not_go_on_or_does_not_end_is_a_408() {
        Door door = Door.H2_TUNNEL;
        try (RawHttp2Client agent = door.http2(hop, door.token(hop))) {
            String[][] more = {
                {"content-length", "100000", "expect", "100-continue"},
                {"content-length", "100000"},
                {"content-length", "3"},
                {"content-length", "0"}
            };
            for (String[] fields : more) {
                List<String> lines = new ArrayList<>(List.of(":method", "POST", ":scheme", "https"));
                lines.addAll(List.of(":authority", door.authority(hop), ":path", "/v1/x"));
                lines.addAll(List.of(fields));
                int stream = agent.begin(lines.toArray(String[]::new));
                if (fields[1].equals("3")) {
                    agent.data(stream, "abc", false);
                }
                RawHttp2Client.Answer answer = agent.answer(stream);
                assertThat(answer.status()).as(String.join(" ", fields)).isEqualTo(408);
                assertThat(answer.text()).contains("content_too_slow");
            }
        }
        Awaitility.await().until(() -> hop.flows().running() == 0);
        assertThat(door.origin(hop).received()).isEmpty();
    }

    /** RW-55's kind: what has no length may be a stream that is silent for its own reasons. */
    @EveryHttp1Door
    @Tag("slow")
    void content_without_a_length_may_be_silent(Door door) {
        String token = door.token(hop);
        try (RawClient agent = door.open(hop, token)) {
            agent.send(door.head(hop, token, "POST /v1/x", "Transfer-Encoding: chunked") + "1\r\nx\r\n");
            passes(WHILE);
            agent.send("1\r\ny\r\n0\r\n\r\n");
            assertThat(agent.read().status()).isEqualTo(200);
        }
        assertThat(door.origin(hop).received().getFirst().text()).isEqualTo("xy");
    }

    /** So may a destination that thinks. */
    @EveryHttp1Door
    @Tag("slow")
    void an_answer_may_be_long_in_coming(Door door) {
        String token = door.token(hop);
        door.origin(hop).answer((request, out) -> {
            out.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n".getBytes(ISO_8859_1));
            out.flush();
            passes(WHILE);
            out.write("1\r\ny\r\n0\r\n\r\n".getBytes(ISO_8859_1));
        });
        try (RawClient agent = door.open(hop, token)) {
            agent.send(door.head(hop, token, "POST /v1/x", "Content-Length: 1") + "x");
            assertThat(agent.read().text()).isEqualTo("xy");
        }
    }

    /** RW-51: costs a fixed buffer, and not for ever. */
    @EveryHttp1Door
    @Tag("slow")
    void an_agent_that_never_reads_its_answer_is_cut(Door door) {
        String token = door.token(hop);
        byte[] piece = new byte[64 * 1024];
        door.origin(hop).answer((request, out) -> {
            out.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n".getBytes(ISO_8859_1));
            for (int i = 0; i < 1_000_000_000 / piece.length; i++) {
                out.write(piece);
            }
        });
        try (RawClient agent = door.open(hop, token)) {
            agent.send(door.head(hop, token, "GET /v1/endless/" + door.name()));
            agent.head();
            Awaitility.await().until(() -> hop.flows().running() == 0);
        }
        Awaitility.await()
                .untilAsserted(() -> assertThat(
                                Entries.of(hop, "/v1/endless/" + door.name()).outcome())
                        .contains("\"outcome\":\"cut\"", "does not take its answer"));
    }

    /** Requests one behind the other, none of which runs by then: what waits is answers that are over. */
    @EveryHttp1Door
    @Tag("slow")
    void an_agent_that_never_reads_answers_that_are_over_is_cut(Door door) {
        String token = door.token(hop);
        door.origin(hop).answer(TestOrigin.ok("x".repeat(10_000)));
        try (RawClient agent = door.open(hop, token)) {
            Thread writer = Thread.ofVirtual().start(() -> {
                byte[] many = door.head(hop, token, "GET /v1/x").repeat(100).getBytes(ISO_8859_1);
                try {
                    for (int i = 0; i < 100; i++) {
                        agent.send(many);
                    }
                } catch (UncheckedIOException closed) {
                    // Which is what the test waits for.
                }
            });
            AgentConnections connections = hop.room(AgentConnections.class);
            Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> connections.held() == 0);
            writer.interrupt();
        }
    }

    @Test
    void a_stream_whose_answer_is_over_and_not_taken_is_reset() {
        Door door = Door.H2_TUNNEL;
        try (RawHttp2Client agent = hop.http2("api.up.test", door.token(hop), Http2Frame.INITIAL_WINDOW_SIZE, 1)
                .keepingWindows()) {
            int stream = agent.get(
                    ":method", "GET", ":scheme", "https", ":authority", door.authority(hop), ":path", "/v1/x");
            assertThat(agent.head(stream).status()).isEqualTo(200);
            Awaitility.await().until(() -> hop.flows().running() == 0);
            // A byte now and then is no reason to wait on.
            agent.window(stream, 1);
            RawHttp2Client.Answer answer = agent.answer(stream);
            assertThat(answer.text()).isEqualTo("he");
            assertThat(answer.reset()).isEqualTo(8);
        }
    }

    /** RW-51, the other way round. */
    @EveryHttp1Door
    @Tag("slow")
    void a_destination_that_never_reads_is_a_502_in_time(Door door) {
        String token = door.token(hop);
        door.origin(hop).deaf(true);
        try (RawClient agent = door.open(hop, token)) {
            agent.send(door.head(hop, token, "POST /v1/deaf", "Content-Length: 100000000"));
            Thread writer = Thread.ofVirtual().start(() -> writeUntilClosed(agent));
            RawClient.Answer answer = agent.read();
            assertThat(answer.status()).isEqualTo(502);
            assertThat(answer.text()).contains("upstream_timeout");
            writer.interrupt();
        } finally {
            door.origin(hop).deaf(false);
        }
    }

    @Test
    void strangers_of_one_source_push_out_their_oldest_and_nobody_who_shows_a_grant() {
        try (TestHop other = with(settings -> settings.with(settings.limits().withStrangersPerSource(8)))) {
            String token = Door.TUNNEL.token(other);
            List<RawClient> hangers = new ArrayList<>();
            try (RawClient good = Door.TUNNEL.open(other, token)) {
                for (int i = 0; i < 40; i++) {
                    RawClient hanger = other.connect();
                    hanger.send("GET /");
                    hangers.add(hanger);
                    good.send(Door.TUNNEL.head(other, token, "GET /v1/x"));
                    assertThat(good.read().status()).isEqualTo(200);
                }
                AgentConnections connections = other.room(AgentConnections.class);
                Awaitility.await().until(() -> connections.turnedAway(AgentConnections.Bound.STRANGERS) == 32);
                assertThat(connections.strangers()).isEqualTo(8);
                assertThat(hangers.getFirst().rest()).isEmpty();
                // And one more that shows its grant gets in.
                try (RawClient another = Door.TUNNEL.open(other, token)) {
                    another.send(Door.TUNNEL.head(other, token, "GET /v1/x"));
                    assertThat(another.read().status()).isEqualTo(200);
                }
            }
            hangers.forEach(RawClient::close);
            AgentConnections connections = other.room(AgentConnections.class);
            Awaitility.await().until(() -> connections.held() == 0);
        }
    }

    @EveryHttp1Door
    @Tag("slow")
    void a_task_has_no_more_connections_than_it_may_and_is_told_so(Door door) {
        try (TestHop other = with(settings -> settings.with(settings.limits().withPerTask(2, 100)))) {
            String token = door.token(other);
            String neighbour = door.token(other);
            try (RawClient first = used(door, other, token);
                    RawClient second = used(door, other, token)) {
                if (door.led()) {
                    closedOn(door, other, token);
                } else {
                    refused(door, other, token);
                }
                used(door, other, neighbour).close();
                second.close();
                Awaitility.await()
                        .ignoreExceptions()
                        .untilAsserted(() -> used(door, other, token).close());
                first.send(door.head(other, token, "GET /v1/x"));
                assertThat(first.read().status()).isEqualTo(200);
            }
        }
    }

    private static void refused(Door door, TestHop hop, String token) {
        try (RawClient third = hop.connect()) {
            third.send(connecting(door, hop, token));
            RawClient.Answer answer = third.read();
            assertThat(answer.status()).isEqualTo(429);
            assertThat(answer.text()).contains("too_many_connections");
            assertThat(answer.field("Retry-After")).containsExactly("1");
        }
        Awaitility.await().until(() -> !hop.entries("refused").isEmpty());
    }

    /** A connection that was led here has its task before it has said anything that could be answered. */
    private static void closedOn(Door door, TestHop hop, String token) {
        assertThatThrownBy(() -> used(door, hop, token)).isInstanceOf(UncheckedIOException.class);
        assertThat(hop.room(AgentConnections.class).turnedAway(AgentConnections.Bound.TASK))
                .isEqualTo(1);
    }

    /** What opens a connection at this door. */
    private static String connecting(Door door, TestHop hop, String token) {
        return switch (door) {
            case TUNNEL, PLAIN_TUNNEL ->
                "CONNECT " + door.authority(hop) + " HTTP/1.1\r\nHost: " + door.authority(hop)
                        + "\r\nProxy-Authorization: " + RawClient.basic(token) + "\r\n\r\n";
            default -> door.head(hop, token, "GET /v1/x");
        };
    }

    private static RawClient used(Door door, TestHop hop, String token) {
        RawClient agent = door.open(hop, token);
        agent.send(door.head(hop, token, "GET /v1/x"));
        assertThat(agent.read().status()).isEqualTo(200);
        return agent;
    }

    /** A policy need not name {@code at-once}: the hop has a most of its own. */
    @EveryHttp1Door
    @Tag("slow")
    void a_task_runs_no_more_requests_than_the_hop_lets_it(Door door) {
        try (TestHop other = with(settings -> settings.with(settings.limits().withPerTask(100, 3)))) {
            java.util.concurrent.CountDownLatch done = new java.util.concurrent.CountDownLatch(1);
            door.origin(other).answer((request, out) -> {
                try {
                    done.await(20, TimeUnit.SECONDS);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                TestOrigin.ok("hello").to(request, out);
            });
            String token = door.token(other);
            List<RawClient> running = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                RawClient agent = door.open(other, token);
                agent.send(door.head(other, token, "GET /v1/x"));
                running.add(agent);
            }
            Awaitility.await().until(() -> other.flows().running() == 3);
            try (RawClient fourth = door.open(other, token)) {
                fourth.send(door.head(other, token, "GET /v1/x"));
                assertThat(fourth.read().status()).isEqualTo(429);
                done.countDown();
                for (RawClient agent : running) {
                    assertThat(agent.read().status()).isEqualTo(200);
                    agent.close();
                }
            }
        }
    }

    private static double secondsUntilClosed(RawClient agent) {
        long start = System.nanoTime();
        agent.rest();
        return (System.nanoTime() - start) / 1e9;
    }

    /**
     * A hello may say that it is 16 MiB long, and room for all of it would be made at once: for a stranger, a few bytes each time. Nothing
     * else ends these here, whose deadlines are far away.
     */
    @Test
    void no_room_is_made_for_a_hello_longer_than_any_is() throws Exception {
        byte[] hello = {22, 3, 1, 0, 6, 1, (byte) 0xff, (byte) 0xff, (byte) 0xff, 3, 3};
        ProxySettings.Deadlines far = new ProxySettings.Deadlines(
                LONG, LONG, LONG, LONG, LONG, Duration.ofMillis(5), LONG, LONG, LONG, Duration.ofMillis(1));
        try (TestHop other = TestHop.start(settings -> settings.with(far));
                RawClient stranger = other.connect();
                RawClient agent = other.connected("api.up.test", other.token("read"))) {
            stranger.send(hello).input().readAllBytes();
            agent.send(hello).input().readAllBytes();
        }
    }

    /** Each tunnel on a stream has a connection's state in it: a hundred on one must not count as one. */
    @Test
    void tunnels_on_streams_count_as_connections_of_their_task() {
        try (TestHop other = TestHop.start(
                        settings -> settings.with(settings.limits().withPerTask(3, 100)));
                RawHttp2Client agent = RawHttp2Client.over(other.connect())) {
            String token = other.token("read");
            String neighbour = other.token("read");
            int first = tunnel(agent, other, token);
            assertThat(agent.head(first).status()).isEqualTo(200);
            assertThat(agent.head(tunnel(agent, other, token)).status()).isEqualTo(200);
            RawHttp2Client.Answer third = agent.answer(tunnel(agent, other, token));
            assertThat(third.status()).isEqualTo(429);
            assertThat(third.text()).contains("too_many_connections").doesNotContain("\"ledger\":null");
            assertThat(agent.head(tunnel(agent, other, neighbour)).status()).isEqualTo(200);
            agent.reset(first, 8);
            Awaitility.await()
                    .until(() -> agent.head(tunnel(agent, other, token)).status() == 200);
        }
    }

    private static int tunnel(RawHttp2Client agent, TestHop hop, String token) {
        return agent.begin(
                ":method",
                "CONNECT",
                ":authority",
                hop.host("api.up.test"),
                "proxy-authorization",
                RawClient.basic(token));
    }

    /** Byte by byte until the peer has had enough. @return seconds that it took */
    private static double trickle(RawClient agent, String text) {
        long start = System.nanoTime();
        try {
            for (byte b : text.getBytes(ISO_8859_1)) {
                agent.send(new byte[] {b});
                passes(Duration.ofMillis(50));
            }
        } catch (UncheckedIOException closed) {
            return (System.nanoTime() - start) / 1e9;
        }
        throw new AssertionError("all " + text.length() + " bytes were taken");
    }

    private static void writeUntilClosed(RawClient agent) {
        byte[] piece = new byte[64 * 1024];
        try {
            while (!Thread.currentThread().isInterrupted()) {
                agent.send(piece);
            }
        } catch (UncheckedIOException closed) {
            // Which is what the test waits for.
        }
    }

    /** What happens here is that time passes. */
    private static void passes(Duration time) {
        java.util.concurrent.locks.LockSupport.parkNanos(time.toNanos());
    }
}

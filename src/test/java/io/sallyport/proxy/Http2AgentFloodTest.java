package io.sallyport.proxy;

import static io.sallyport.testing.Http2Frame.ACK;
import static io.sallyport.testing.Http2Frame.CONTINUATION;
import static io.sallyport.testing.Http2Frame.DATA;
import static io.sallyport.testing.Http2Frame.END_HEADERS;
import static io.sallyport.testing.Http2Frame.END_STREAM;
import static io.sallyport.testing.Http2Frame.HEADERS;
import static io.sallyport.testing.Http2Frame.PING;
import static io.sallyport.testing.Http2Frame.PRIORITY;
import static io.sallyport.testing.Http2Frame.RST_STREAM;
import static io.sallyport.testing.Http2Frame.SETTINGS;
import static io.sallyport.testing.Http2Frame.WINDOW_UPDATE;
import static io.sallyport.testing.Http2Frame.bytes;
import static io.sallyport.testing.RawHttp2Client.headers;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.Http2AgentCase;
import io.sallyport.testing.Http2Frame;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.RawHttp2Client;
import io.sallyport.testing.TestHop;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What nine bytes can be made to cost: each attack ends its connection, and none of them another's. */
class Http2AgentFloodTest extends Http2AgentCase {

    private static final int ENHANCE_YOUR_CALM = 11;
    private static final int REFUSED_STREAM = 7;
    private static final int CANCEL = 8;

    @Override
    protected TestHop startHop() {
        ProxySettings.Deadlines usual = ProxySettings.Deadlines.DEFAULT;
        return TestHop.start(settings -> settings.with(new ProxySettings.Http2(8, 64 * 1024, 20, 200))
                .with(new ProxySettings.Deadlines(
                        Duration.ofSeconds(2),
                        usual.handshake(),
                        usual.dial(),
                        Duration.ofSeconds(4),
                        usual.pooledIdle(),
                        usual.patience(),
                        usual.recognition(),
                        usual.bodyIdle(),
                        usual.stall(),
                        Duration.ofMillis(1))));
    }

    private RawHttp2Client agent() {
        return hop.http2("api.up.test", hop.token("read", "write")).keepingWindows();
    }

    /** Sends frames until the hop has had enough; the sender may hear of it by a broken pipe. */
    private static void flood(RawHttp2Client agent, int count, IntFunction<byte[]> frame) {
        try {
            ByteArrayOutputStream many = new ByteArrayOutputStream();
            for (int i = 0; i < count; i++) {
                many.writeBytes(frame.apply(i));
            }
            agent.raw(many.toByteArray());
        } catch (UncheckedIOException broken) {
            // That is an end, too.
        }
    }

    private void endsCalmly(RawHttp2Client agent) {
        List<Http2Frame> frames = agent.rest();
        assertThat(frames).anyMatch(frame -> frame.type() == Http2Frame.GOAWAY && frame.code() == ENHANCE_YOUR_CALM);
        servesOthers();
    }

    private void servesOthers() {
        try (RawHttp2Client other = agent()) {
            assertThat(other.answer(other.get(head("GET", "/v1/x"))).status()).isEqualTo(200);
        }
        Awaitility.await().until(() -> hop.flows().running() == 0);
    }

    /** CVE-2023-44487. */
    @Test
    void streams_that_are_reset_as_fast_as_they_come() {
        try (RawHttp2Client agent = agent()) {
            flood(agent, 100, i -> {
                int stream = agent.nextStream();
                ByteArrayOutputStream both = new ByteArrayOutputStream();
                both.writeBytes(bytes(HEADERS, END_HEADERS | END_STREAM, stream, headers(head("GET", "/v1/x"))));
                both.writeBytes(bytes(RST_STREAM, 0, stream, new byte[] {0, 0, 0, CANCEL}));
                return both.toByteArray();
            });
            endsCalmly(agent);
        }
        assertThat(hop.entries("used").size()).isLessThan(100);
    }

    /** Another connection is no other budget: it would cost the peer a handshake, and everybody else a turn. */
    @Test
    void a_task_that_floods_one_connection_after_the_other_gets_no_more_for_a_while() {
        String token = hop.token("read");
        for (int i = 0; i < 3; i++) {
            try (RawHttp2Client agent = hop.http2("api.up.test", token).keepingWindows()) {
                flood(agent, 2000, n -> bytes(PING, 0, 0, new byte[8]));
                endsCalmly(agent);
            }
        }
        String connect = text("CONNECT " + hop.host("api.up.test"), hop.host("api.up.test"), shows(token));
        try (RawClient agent = hop.connect()) {
            RawClient.Answer refused = agent.send(connect).read();
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.text()).contains("too_many_connections");
        }
        hop.clock().pass(Duration.ofSeconds(61));
        try (RawClient agent = hop.connect()) {
            assertThat(agent.send(connect).head()).startsWith("HTTP/1.1 200");
        }
    }

    /** CVE-2025-8671: the same, but it is the hop that is made to reset them. */
    @Test
    void streams_that_the_hop_is_made_to_reset() {
        try (RawHttp2Client agent = agent()) {
            flood(agent, 100, i -> {
                int stream = agent.nextStream();
                ByteArrayOutputStream both = new ByteArrayOutputStream();
                both.writeBytes(bytes(HEADERS, END_HEADERS, stream, headers(head("POST", "/v1/x"))));
                both.writeBytes(bytes(WINDOW_UPDATE, 0, stream, new byte[4]));
                return both.toByteArray();
            });
            endsCalmly(agent);
        }
    }

    /** CVE-2024-27316. */
    @Test
    void a_head_without_end_is_not_gathered() {
        try (RawHttp2Client agent = agent()) {
            int stream = agent.nextStream();
            agent.frame(HEADERS, END_STREAM, stream, headers(head("GET", "/v1/x")));
            flood(agent, 5_000, i -> bytes(CONTINUATION, 0, stream, headers("x-" + i, "a".repeat(100))));
            assertThat(agent.rest()).anyMatch(frame -> frame.type() == Http2Frame.GOAWAY);
            servesOthers();
        }
    }

    @Test
    void frames_that_carry_nothing() {
        byte[] ping = bytes(PING, 0, 0, new byte[8]);
        byte[] settings = bytes(SETTINGS, 0, 0, new byte[0]);
        byte[] acknowledged = bytes(PING, ACK, 0, new byte[8]);
        byte[] priority = bytes(PRIORITY, 0, 1, new byte[] {0, 0, 0, 3, 1});
        byte[] window = bytes(WINDOW_UPDATE, 0, 0, new byte[] {0, 0, 0, 1});
        for (byte[] frame : List.of(ping, settings, acknowledged, priority, window)) {
            try (RawHttp2Client agent = agent()) {
                flood(agent, 2_000, i -> frame);
                endsCalmly(agent);
            }
        }
    }

    @Test
    void empty_content() {
        try (RawHttp2Client agent = agent()) {
            int stream = agent.begin(head("POST", "/v1/x"));
            flood(agent, 2_000, i -> bytes(DATA, 0, stream, new byte[0]));
            endsCalmly(agent);
        }
        assertThat(hop.origin().received())
                .noneMatch(received -> received.requestLine().startsWith("POST"));
    }

    /** Few frames with content of one byte each are somebody's keystrokes: they pass, whole. */
    @Test
    void content_byte_by_byte_is_content() {
        try (RawHttp2Client agent = agent()) {
            int stream = agent.begin(head("POST", "/v1/x"));
            flood(
                    agent,
                    3_000,
                    i -> bytes(DATA, i == 2_999 ? END_STREAM : 0, stream, new byte[] {(byte) ('a' + i % 26)}));
            assertThat(agent.answer(stream).status()).isEqualTo(200);
            assertThat(hop.origin().received().getFirst().content()).hasSize(3_000);
        }
    }

    @Test
    void more_streams_than_offered_are_refused_and_may_be_tried_again() {
        hop.origin().answer((request, out) -> LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(2)));
        try (RawHttp2Client agent = agent()) {
            for (int i = 0; i < 8; i++) {
                agent.get(head("GET", "/v1/" + i));
            }
            assertThat(agent.answer(agent.get(head("GET", "/v1/8"))).reset()).isEqualTo(REFUSED_STREAM);
        }
        Awaitility.await().until(() -> hop.flows().running() == 0);
    }

    /** One entry of the table, named thousands of times: the block is small, the head is not. */
    @Test
    void a_small_block_that_unfolds_to_a_large_head_is_a_431() {
        try (RawHttp2Client agent = agent()) {
            ByteArrayOutputStream block = new ByteArrayOutputStream();
            block.writeBytes(headers(head("GET", "/v1/x")));
            // A literal with incremental indexing: entry 62 from here on.
            block.write(0x40);
            byte[] literal = headers("x-bomb", "a".repeat(3_000));
            block.writeBytes(Arrays.copyOfRange(literal, 1, literal.length));
            for (int i = 0; i < 10_000; i++) {
                block.write(0x80 | 62);
            }
            int stream = agent.nextStream();
            agent.frame(HEADERS, END_HEADERS | END_STREAM, stream, block.toByteArray());
            assertThat(agent.answer(stream).status()).isEqualTo(431);
            assertThat(agent.answer(agent.get(head("GET", "/v1/x"))).status()).isEqualTo(200);
        }
    }

    /** A peer may offer to keep four gigabytes of what we said; we do not take it up. */
    @Test
    void the_table_of_answers_stays_small_whatever_the_peer_offers() {
        try (RawHttp2Client agent =
                hop.http2("api.up.test", hop.token("read"), Http2Frame.HEADER_TABLE_SIZE, Integer.MAX_VALUE)) {
            for (int i = 0; i < 5; i++) {
                int number = i;
                hop.origin()
                        .answer((request, out) -> out.write(("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-Large: "
                                        + ("" + number).repeat(3_500) + "\r\n\r\n")
                                .getBytes()));
                RawHttp2Client.Answer answer = agent.answer(agent.get(head("GET", "/v1/x")));
                assertThat(answer.field("x-large")).containsExactly(("" + number).repeat(3_500));
            }
            // The client's decoder keeps what HPACK begins with, 4 KiB: had the hop used more, it could not have read
            // on.
        }
    }

    @Test
    void what_breaks_the_rules_of_frames_ends_the_connection() {
        List<byte[]> cases = List.of(
                bytes(DATA, 0, 0, new byte[1]),
                bytes(DATA, 0, 101, new byte[1]),
                bytes(HEADERS, END_HEADERS, 2, headers(head("GET", "/v1/x"))),
                bytes(CONTINUATION, END_HEADERS, 1, headers(head("GET", "/v1/x"))),
                bytes(SETTINGS, 0, 1, new byte[0]),
                bytes(SETTINGS, 0, 0, new byte[5]),
                bytes(
                        SETTINGS,
                        0,
                        0,
                        ByteBuffer.allocate(6).putShort((short) 4).putInt(-1).array()),
                bytes(PING, 0, 0, new byte[7]),
                bytes(RST_STREAM, 0, 1, new byte[4]),
                bytes(RST_STREAM, 0, 0, new byte[4]),
                bytes(WINDOW_UPDATE, 0, 0, new byte[4]),
                bytes(5, END_HEADERS, 1, new byte[20]),
                bytes(HEADERS, END_HEADERS, 1, new byte[] {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x7f}),
                bytes(HEADERS, END_HEADERS | 8, 1, new byte[] {9, 0}),
                new byte[] {(byte) 0xff, (byte) 0xff, (byte) 0xff, 0, 0, 0, 0, 0, 1});
        for (byte[] frame : cases) {
            try (RawHttp2Client agent = agent()) {
                agent.raw(frame);
                assertThat(agent.rest())
                        .as(Arrays.toString(Arrays.copyOf(frame, 9)))
                        .anyMatch(seen -> seen.type() == Http2Frame.GOAWAY && seen.code() != 0);
            }
        }
        servesOthers();
        assertThat(hop.origin().received()).hasSize(1);
    }

    /** A window that is overrun costs its stream, and nothing of it is kept. */
    @Test
    void content_beyond_the_window_resets_the_stream() {
        try (TestHop other = TestHop.start();
                RawHttp2Client agent = other.http2("api.up.test", other.token("write"))) {
            other.names().after("api.up.test", new java.util.concurrent.CompletableFuture<>());
            int stream = agent.begin(lines("POST", "https", other.host("api.up.test"), "/v1/x"));
            flood(agent, 200, i -> bytes(DATA, 0, stream, new byte[16_384]));
            assertThat(agent.answer(stream).reset()).isEqualTo(3);
            Awaitility.await().until(() -> other.flows().running() == 0);
        }
    }

    @Test
    void an_upgrade_of_the_preface_and_http1_on_an_http2_connection_end_it() {
        try (RawClient tls = hop.connected("api.up.test", hop.token("read"))
                .tls(hop.trust(), "api.up.test", hop.origin().port(), "h2")) {
            tls.send(request("GET /v1/x"));
            assertThat(tls.rest()).doesNotContain("HTTP/1.1 ");
        }
        try (RawClient tls = hop.tunnel("api.up.test", hop.token("read"))) {
            assertThat(tls.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").read().status())
                    .isEqualTo(400);
        }
        assertThat(hop.origin().received()).isEmpty();
    }

    @Test
    void a_connection_on_which_no_preface_comes_is_closed() {
        try (RawClient tls = hop.connected("api.up.test", hop.token("read"))
                .tls(hop.trust(), "api.up.test", hop.origin().port(), "h2")) {
            long before = System.nanoTime();
            tls.rest();
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(8));
        }
    }

    /** One byte at a time, and each is a sign of life; the head's time runs all the same. */
    @Test
    void a_head_that_drips_is_not_waited_for() {
        try (RawHttp2Client agent = agent()) {
            agent.ping();
            byte[] frame = bytes(HEADERS, END_HEADERS | END_STREAM, agent.nextStream(), headers(head("GET", "/v1/x")));
            long before = System.nanoTime();
            try {
                for (int i = 0; i < frame.length - 1; i++) {
                    agent.raw(new byte[] {frame[i]});
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
                }
            } catch (UncheckedIOException closed) {
                assertThat(closed).hasCauseInstanceOf(IOException.class);
            }
            agent.rest();
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(10));
        }
        assertThat(hop.origin().received()).isEmpty();
    }

    /** Whoever never takes its answer, and keeps the connection alive with PINGs, holds a stream and a destination's connection. */
    @Test
    void a_stream_that_nobody_reads_ends_though_its_connection_lives() {
        hop.origin().answer((request, out) -> {
            out.write("HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n".getBytes());
            while (true) {
                out.write(new byte[10_000]);
            }
        });
        try (RawHttp2Client agent = agent()) {
            int stream = agent.get(head("GET", "/v1/x"));
            agent.head(stream);
            for (int i = 0; i < 100 && agent.soFar(stream).reset() < 0; i++) {
                agent.ping();
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
            }
            assertThat(agent.soFar(stream).reset()).isEqualTo(CANCEL);
            Awaitility.await().until(() -> hop.flows().running() == 0);
        }
    }

    @Test
    void a_connection_without_streams_ends_though_it_pings() {
        try (RawHttp2Client agent = agent()) {
            long before = System.nanoTime();
            try {
                while (Duration.ofNanos(System.nanoTime() - before).toSeconds() < 15) {
                    agent.ping();
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(300));
                }
                throw new AssertionError("the connection lives");
            } catch (UncheckedIOException closed) {
                assertThat(agent.frames()).anyMatch(frame -> frame.type() == Http2Frame.GOAWAY && frame.code() == 0);
            }
        }
    }
}

package io.sallyport.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.Frames;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestHop;
import io.sallyport.testing.TestOrigin;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** WebSockets that are none, frames that are none, and destinations that would tell the secret in frames. */
class WebSocketHostileTest extends WebSocketCase {

    /** As an agent sends them; without the mask, a destination. */
    record Bad(String name, byte[] masked, byte[] plain) {
        static Bad of(String name, int first, byte[] payload) {
            return new Bad(name, Frames.masked(first, payload), Frames.plain(first, payload));
        }

        static Bad raw(String name, int... head) {
            byte[] plain = new byte[head.length];
            for (int i = 0; i < head.length; i++) {
                plain[i] = (byte) head[i];
            }
            byte[] masked = Arrays.copyOf(plain, plain.length + 4);
            masked[1] |= (byte) 0x80;
            return new Bad(name, masked, plain);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Bad> badFrames() {
        return Stream.of(
                Bad.of("first reserved bit", 0xc1, new byte[3]),
                Bad.of("second reserved bit", 0xa1, new byte[3]),
                Bad.of("third reserved bit", 0x91, new byte[3]),
                Bad.of("unknown data opcode", 0x83, new byte[3]),
                Bad.of("unknown control opcode", 0x8b, new byte[3]),
                Bad.of("continuation of nothing", 0x80, new byte[3]),
                Bad.of("fragmented ping", 0x09, new byte[3]),
                Bad.of("long ping", Frames.PING, new byte[126]),
                Bad.of("close with one byte", Frames.CLOSE, new byte[1]),
                Bad.of("close with code 999", Frames.CLOSE, Frames.code(999)),
                Bad.of("close with code 1005", Frames.CLOSE, Frames.code(1005)),
                Bad.of("close with code 1006", Frames.CLOSE, Frames.code(1006)),
                Bad.of("close with code 2000", Frames.CLOSE, Frames.code(2000)),
                Bad.of("close with code 5000", Frames.CLOSE, Frames.code(5000)),
                Bad.raw("16-bit length that fits in 7", 0x82, 126, 0, 125),
                Bad.raw("64-bit length that fits in 16", 0x82, 127, 0, 0, 0, 0, 0, 0, 0xff, 0xff),
                Bad.raw("64-bit length beyond 63 bits", 0x82, 127, 0x80, 0, 0, 0, 0, 0, 0, 0));
    }

    @ParameterizedTest
    @MethodSource("badFrames")
    void a_malformed_frame_of_the_agent_ends_both_sides_and_does_not_leave(Bad bad) {
        try (RawClient agent = open(hop.token("socket"))) {
            agent.send(Frames.masked(Frames.TEXT, "good"));
            Frames.read(agent);
            agent.send(bad.masked());
            assertThat(Frames.read(agent).code()).isEqualTo(1002);
            agent.rest();
        }
        assertThat(outcome()).contains("\"outcome\":\"refused\"", "malformed");
        assertThat(got).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("badFrames")
    void a_malformed_frame_of_the_destination_ends_both_sides_and_does_not_arrive(Bad bad) {
        origin(Frames.plain(Frames.TEXT, "good"), bad.plain());
        try (RawClient agent = open(hop.token("socket"))) {
            assertThat(Frames.read(agent).text()).isEqualTo("good");
            assertThat(Frames.read(agent).code()).isEqualTo(1002);
            agent.rest();
        }
        assertThat(outcome()).contains("\"outcome\":\"upstream-failed\"", "upstream_malformed");
    }

    @Test
    void an_unmasked_frame_of_the_agent_and_a_masked_one_of_the_destination_are_malformed() {
        try (RawClient agent = open(hop.token("socket"))) {
            agent.send(Frames.plain(Frames.TEXT, "bare"));
            assertThat(Frames.read(agent).code()).isEqualTo(1002);
        }
        origin(Frames.masked(Frames.TEXT, "masked"));
        try (RawClient agent = open(hop.token("socket"))) {
            assertThat(Frames.read(agent).code()).isEqualTo(1002);
        }
        assertThat(got).isEmpty();
    }

    @Test
    void a_message_within_a_message_is_malformed() {
        try (RawClient agent = open(hop.token("socket"))) {
            agent.send(Frames.masked(0x01, "begun, "));
            Awaitility.await().until(() -> got.size() == 1);
            agent.send(Frames.masked(Frames.TEXT, "another"));
            // What came back of the message that is open waits for its end; a control frame does not.
            assertThat(Frames.read(agent).code()).isEqualTo(1002);
        }
        assertThat(got).hasSize(1);
    }

    /** Types and number of empty frames tell as much as one likes, hashed as nothing and charged to nobody. */
    @ParameterizedTest
    @ValueSource(ints = {Frames.TEXT, Frames.PING})
    void frames_without_payload_are_a_few_or_too_many(int first) {
        try (RawClient agent = open(hop.token("socket"))) {
            ByteArrayOutputStream few = new ByteArrayOutputStream();
            for (int i = 0; i < 300; i++) {
                few.writeBytes(Frames.masked(first, new byte[0]));
            }
            agent.send(few.toByteArray());
            for (int i = 0; i < 300; i++) {
                assertThat(Frames.read(agent).payload()).isEmpty();
            }
            agent.send(few.toByteArray()).send(few.toByteArray());
            Frames.Frame last = Frames.read(agent);
            while (last.first() != Frames.CLOSE) {
                last = Frames.read(agent);
            }
            assertThat(last.code()).isEqualTo(1002);
            agent.rest();
        }
        assertThat(outcome()).contains("\"outcome\":\"refused\"", "malformed");
        assertThat(got).hasSizeBetween(300, 600);
    }

    @Test
    void nothing_counts_after_a_close() {
        try (RawClient agent = open(hop.token("socket"))) {
            ByteArrayOutputStream both = new ByteArrayOutputStream();
            both.writeBytes(Frames.masked(Frames.CLOSE, Frames.code(1000)));
            both.writeBytes(Frames.masked(Frames.TEXT, "and another thing"));
            agent.send(both.toByteArray());
            assertThat(Frames.read(agent).code()).isEqualTo(1000);
            agent.rest();
        }
        assertThat(outcome()).contains("\"outcome\":\"answered\"", "\"bytes_out\":2");
        assertThat(got).hasSize(1);
    }

    /** In one frame, cut at every place into two fragments, with a ping between them, and in frames of one byte. */
    @Test
    void a_secret_in_a_message_is_masked_however_it_is_cut_into_frames() {
        String secret = TestHop.SECRET;
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(Frames.plain(Frames.TEXT, "<" + secret + ">"));
        for (int cut = 1; cut < secret.length(); cut++) {
            all.writeBytes(Frames.plain(0x01, "<" + secret.substring(0, cut)));
            if (cut % 2 == 0) {
                all.writeBytes(Frames.plain(Frames.PING, "ping"));
            }
            all.writeBytes(Frames.plain(0x80, secret.substring(cut) + ">"));
        }
        all.writeBytes(Frames.plain(0x02, "<"));
        for (char c : secret.toCharArray()) {
            all.writeBytes(Frames.plain(0x00, String.valueOf(c)));
        }
        all.writeBytes(Frames.plain(0x80, ">"));
        origin(all.toByteArray(), Frames.plain(Frames.CLOSE, Frames.code(1000)));
        String masked = "<" + "*".repeat(secret.length()) + ">";
        try (RawClient agent = open(hop.token("socket"))) {
            StringBuilder message = new StringBuilder();
            int messages = 0;
            int pings = 0;
            for (Frames.Frame frame = Frames.read(agent); frame.first() != Frames.CLOSE; frame = Frames.read(agent)) {
                if (frame.first() == Frames.PING) {
                    pings++;
                    continue;
                }
                message.append(frame.text());
                if ((frame.first() & 0x80) != 0) {
                    assertThat(message.toString()).isEqualTo(masked);
                    message.setLength(0);
                    messages++;
                }
            }
            assertThat(messages).isEqualTo(secret.length() + 1);
            assertThat(pings).isEqualTo((secret.length() - 1) / 2);
            agent.send(Frames.masked(Frames.CLOSE, Frames.code(1000)));
            agent.rest();
        }
        assertThat(outcome()).contains("\"masked\":true");
    }

    @Test
    void a_secret_in_a_control_frame_is_masked_and_a_close_keeps_its_code() {
        String secret = TestHop.SECRET;
        byte[] reason = ("..you sent " + secret).getBytes(ISO_8859_1);
        reason[0] = Frames.code(4001)[0];
        reason[1] = Frames.code(4001)[1];
        origin(Frames.plain(Frames.PING, secret), Frames.plain(Frames.CLOSE, reason));
        try (RawClient agent = open(hop.token("socket"))) {
            assertThat(Frames.read(agent).text()).isEqualTo("*".repeat(secret.length()));
            Frames.Frame close = Frames.read(agent);
            assertThat(close.code()).isEqualTo(4001);
            assertThat(close.text()).endsWith("you sent " + "*".repeat(secret.length()));
        }
    }

    /** What may be the beginning of a secret waits, but not beyond its message. */
    @Test
    void a_message_that_ends_like_a_secret_begins_is_not_held_back() {
        String half = TestHop.SECRET.substring(0, 10);
        origin(Frames.plain(Frames.TEXT, "ends with " + half), new byte[0]);
        try (RawClient agent = open(hop.token("socket"))) {
            assertThat(Frames.read(agent).text()).isEqualTo("ends with " + half);
        }
    }

    /** A destination that keeps its connection alive with pings waits for an answer to them, whatever its message waits for. */
    @Test
    void a_ping_does_not_wait_for_a_message_that_is_not_whole() {
        String half = TestHop.SECRET.substring(0, 10);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(Frames.plain(0x01, half));
        for (int i = 0; i < 1000; i++) {
            all.writeBytes(Frames.plain(Frames.PING, "ping " + i));
        }
        origin(all.toByteArray(), new byte[0]);
        try (RawClient agent = open(hop.token("socket"))) {
            for (int i = 0; i < 1000; i++) {
                assertThat(Frames.read(agent).text()).isEqualTo("ping " + i);
            }
        }
    }

    static Stream<String> badAnswers() {
        String good = "Sec-WebSocket-Accept: " + Frames.accept(KEY);
        return Stream.of(
                "Upgrade: websocket\r\nConnection: Upgrade\r\n",
                "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: AAAAAAAAAAAAAAAAAAAAAAAAAAA=\r\n",
                "Upgrade: websocket\r\nConnection: Upgrade\r\n" + good + "\r\n" + good + "\r\n",
                "Upgrade: h2c\r\nConnection: Upgrade\r\n" + good + "\r\n",
                "Connection: Upgrade\r\n" + good + "\r\n",
                "Upgrade: websocket\r\n" + good + "\r\n",
                "Upgrade: websocket\r\nConnection: Upgrade\r\n" + good
                        + "\r\nSec-WebSocket-Extensions: permessage-deflate\r\n",
                "Upgrade: websocket\r\nConnection: Upgrade\r\n" + good + "\r\nSec-WebSocket-Protocol: other\r\n",
                "Upgrade: websocket\r\nConnection: Upgrade\r\n" + good
                        + "\r\nSec-WebSocket-Protocol: chat\r\nSec-WebSocket-Protocol: chat\r\n");
    }

    @ParameterizedTest
    @MethodSource("badAnswers")
    void an_answer_that_switches_otherwise_than_asked_is_refused(String fields) {
        hop.origin().answer(TestOrigin.raw("HTTP/1.1 101 Switching Protocols\r\n" + fields + "\r\n"));
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("socket"))) {
            RawClient.Answer answer = agent.send(handshake(
                            "/ws/x", "Sec-WebSocket-Protocol: chat", "Sec-WebSocket-Extensions: permessage-deflate"))
                    .read();
            assertThat(answer.status()).isEqualTo(502);
            assertThat(answer.text()).contains("upstream_malformed");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Sec-WebSocket-Key: " + KEY,
                "Sec-WebSocket-Version: 13",
                "Sec-WebSocket-Version: 12\r\nSec-WebSocket-Key: " + KEY,
                "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + KEY,
                "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: c2hvcnQ=",
                "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=!",
                "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + KEY + "\r\nSec-WebSocket-Key: " + KEY,
                "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + KEY + "\r\nContent-Length: 0",
                "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + KEY + "\r\nSec-WebSocket-Protocol: a b"
            })
    void a_malformed_handshake_is_refused_in_words(String fields) {
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("socket"))) {
            RawClient.Answer refused = agent.send(
                            request("GET /ws/x", "Connection: Upgrade", "Upgrade: websocket", fields))
                    .read();
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.text()).contains("WebSocket", "\"malformed\"");
        }
        assertThat(hop.origin().received()).isEmpty();
    }

    /** An HTTP/1.0 request knows no Upgrade (RFC 9110 section 7.8), nor does one that does not name it in Connection. */
    @Test
    void a_request_that_only_looks_like_a_handshake_is_an_ordinary_one() {
        hop.origin().answer(TestOrigin.ok("ordinary"));
        String fields = "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + KEY + "\r\n";
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("socket"))) {
            agent.send("GET /ws/x HTTP/1.1\r\nHost: " + hop.host("api.up.test") + "\r\n" + fields + "\r\n");
            assertThat(agent.read().text()).isEqualTo("ordinary");
            agent.send("GET /ws/x HTTP/1.0\r\nConnection: Upgrade\r\n" + fields + "\r\n");
            assertThat(agent.read().text()).isEqualTo("ordinary");
        }
        assertThat(hop.origin().received())
                .hasSize(2)
                .allSatisfy(asked -> assertThat(asked.field("Upgrade")).isEmpty());
    }

    /** Says these frames at once, then reads until the other side goes. */
    private void origin(byte[]... frames) {
        hop.origin().converse((request, in, out) -> {
            accept(request, out);
            for (byte[] frame : frames) {
                out.write(frame);
            }
            out.flush();
            try {
                in.readAllBytes();
            } catch (IOException reset) {
                // An end all the same.
            }
        });
    }

    private String outcome() {
        Awaitility.await().until(() -> hop.flows().running() == 0);
        return hop.entries("outcome").getLast();
    }
}

package io.sallyport.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.Frames;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestHop;
import io.sallyport.testing.TestOrigin;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** WebSockets through the hop: the handshake, and what passes when all goes well. RW-57. */
class WebSocketTest extends WebSocketCase {

    @Test
    void a_websocket_carries_the_credential_in_its_handshake_and_frames_both_ways() {
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("socket"))) {
            agent.send(handshake(
                    "/ws/x",
                    "Authorization: Bearer mine",
                    "Origin: https://app.example",
                    "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits",
                    "Accept-Encoding: gzip"));
            RawClient.Answer switched = agent.read();
            assertThat(switched.status()).isEqualTo(101);
            assertThat(switched.field("Upgrade")).containsExactly("websocket");
            assertThat(switched.field("Connection")).containsExactly("Upgrade");
            assertThat(switched.field("Sec-WebSocket-Accept")).containsExactly(Frames.accept(KEY));
            assertThat(switched.field("Sec-WebSocket-Extensions")).isEmpty();
            TestOrigin.Received asked = hop.origin().received().getFirst();
            assertThat(asked.field("Authorization")).containsExactly("Bearer " + TestHop.SECRET);
            assertThat(asked.field("Connection")).containsExactly("Upgrade");
            assertThat(asked.field("Upgrade")).containsExactly("websocket");
            assertThat(asked.field("Sec-WebSocket-Key")).containsExactly(KEY);
            assertThat(asked.field("Sec-WebSocket-Extensions")).isEmpty();
            assertThat(asked.field("Origin")).containsExactly("https://app.example");
            agent.send(Frames.masked(Frames.TEXT, "hello"));
            assertThat(Frames.read(agent).text()).isEqualTo("hello");
            agent.send(Frames.masked(Frames.PING, "still there?"));
            assertThat(Frames.read(agent).first()).isEqualTo(Frames.PONG);
            agent.send(Frames.masked(Frames.CLOSE, Frames.code(1000)));
            assertThat(Frames.read(agent).code()).isEqualTo(1000);
            assertThat(agent.rest()).isEmpty();
        }
        assertThat(got)
                .allMatch(Frames.Frame::masked)
                .extracting(Frames.Frame::text)
                .startsWith("hello", "still there?");
        assertThat(outcome()).contains("\"outcome\":\"answered\"", "\"status\":101");
        assertThat(hop.flows().running()).isZero();
    }

    /** The content of the use is what the frames carry, mask off; its hash is durable before it leaves. */
    @Test
    void the_record_holds_the_payload_of_the_agents_frames() {
        try (RawClient agent = open(hop.token("socket"))) {
            agent.send(Frames.masked(Frames.TEXT, "one "));
            Frames.read(agent);
            agent.send(Frames.masked(Frames.TEXT, "two"));
            Frames.read(agent);
            agent.send(Frames.masked(Frames.CLOSE, Frames.code(1000)));
            agent.rest();
        }
        outcome();
        String used = hop.entries("used").getLast();
        assertThat(used).contains("\"complete\":true", "\"window_bytes\":0", "\"scope\":\"socket\"");
        List<String> windows = windows();
        assertThat(windows).hasSize(3);
        assertThat(windows.get(0)).contains("\"offset\":0", "\"window_bytes\":4", sha256("one ".getBytes(ISO_8859_1)));
        assertThat(windows.get(1))
                .contains("\"offset\":4", "\"window_bytes\":3", sha256("one two".getBytes(ISO_8859_1)));
        byte[] all = Arrays.copyOf("one two".getBytes(ISO_8859_1), 9);
        System.arraycopy(Frames.code(1000), 0, all, 7, 2);
        assertThat(windows.get(2)).contains("\"complete\":true", sha256(all), "request_sha256");
        assertThat(hop.entries("outcome").getLast()).contains("\"bytes_out\":9", "\"bytes_in\":9");
    }

    @Test
    void a_fragmented_message_of_a_megabyte_passes_unchanged_and_is_recorded_in_windows() {
        byte[] message = new byte[3 * 1024 * 1024];
        new Random(7).nextBytes(message);
        try (RawClient agent = open(hop.token("socket"))) {
            int sent = 0;
            int piece = 200_001;
            Thread.ofVirtual().start(() -> {
                for (int at = 0; at < message.length; at += piece) {
                    boolean last = at + piece >= message.length;
                    int first = (last ? 0x80 : 0) | (at == 0 ? 2 : 0);
                    agent.send(Frames.masked(
                            first, Arrays.copyOfRange(message, at, Math.min(message.length, at + piece))));
                    if (at == 0) {
                        agent.send(Frames.masked(Frames.PING, "between"));
                    }
                }
            });
            for (boolean last = false; !last; ) {
                Frames.Frame back = Frames.read(agent);
                if (back.first() != Frames.PONG) {
                    // Its frames are cut anew on the way back, by what the scrubber lets go on.
                    byte[] expected = Arrays.copyOfRange(message, sent, sent + back.payload().length);
                    assertThat(back.first() & 0x0f).isEqualTo(sent == 0 ? 2 : 0);
                    assertThat(back.payload()).isEqualTo(expected);
                    sent += expected.length;
                    last = (back.first() & 0x80) != 0;
                }
            }
            assertThat(sent).isEqualTo(message.length);
        }
        assertThat(got.stream().filter(frame -> frame.first() != Frames.PING)).hasSize(16);
        outcome();
        assertThat(windows())
                .allSatisfy(window -> assertThat(number(window, "window_bytes")).isLessThan(1_200_000));
        assertThat(windows().stream()
                        .mapToLong(window -> number(window, "window_bytes"))
                        .sum())
                .isEqualTo(message.length + "between".length());
    }

    /** Four bytes a frame of the agent's own choice would leave past the record. */
    @Test
    void the_mask_that_leaves_is_not_the_agents() throws Exception {
        java.util.concurrent.CompletableFuture<byte[]> raw = new java.util.concurrent.CompletableFuture<>();
        hop.origin().converse((request, in, out) -> {
            accept(request, out);
            raw.complete(in.readNBytes(2 + 4 + 5));
        });
        try (RawClient agent = open(hop.token("socket"))) {
            byte[] sent = Frames.masked(Frames.TEXT, "hello");
            agent.send(sent);
            byte[] came = raw.get(5, java.util.concurrent.TimeUnit.SECONDS);
            assertThat(Arrays.copyOf(came, 2)).isEqualTo(Arrays.copyOf(sent, 2));
            assertThat(Arrays.copyOfRange(came, 2, 6)).isNotEqualTo(Arrays.copyOfRange(sent, 2, 6));
            assertThat(Frames.read(new java.io.ByteArrayInputStream(came)).text())
                    .isEqualTo("hello");
        }
    }

    @Test
    void what_the_origin_says_right_behind_its_101_is_not_lost_nor_what_the_agent_says_before_it() {
        hop.origin().converse((request, in, out) -> {
            java.io.ByteArrayOutputStream both = new java.io.ByteArrayOutputStream();
            accept(request, both);
            both.write(Frames.plain(Frames.TEXT, "first"));
            // Later than what the agent sent at once.
            java.util.concurrent.locks.LockSupport.parkNanos(50_000_000);
            out.write(both.toByteArray());
            out.flush();
            frames(in, out);
        });
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("socket"))) {
            byte[] early = Frames.masked(Frames.TEXT, "early");
            agent.send(handshake("/ws/x") + new String(early, ISO_8859_1));
            assertThat(agent.head()).startsWith("HTTP/1.1 101");
            assertThat(Frames.read(agent).text()).isEqualTo("first");
            assertThat(Frames.read(agent).text()).isEqualTo("early");
        }
    }

    @Test
    void over_plain_http_and_by_the_gateway_as_well() {
        String talk = hop.plainHost("talk.up.test");
        try (RawClient absolute = hop.connect();
                RawClient tunnel = hop.connect();
                RawClient gateway = hop.connect()) {
            absolute.send(handshakeAt(talk, "http://" + talk + "/x", shows(hop.token("talk"))));
            tunnel.send(text("CONNECT " + talk, talk, shows(hop.token("talk"))));
            assertThat(tunnel.head()).startsWith("HTTP/1.1 200");
            tunnel.send(handshakeAt(talk, "/x"));
            gateway.send(
                    handshakeAt("hop", "/gateway/fixer:socket/ws/x", "Authorization: Bearer " + hop.token("socket")));
            for (RawClient agent : List.of(absolute, tunnel, gateway)) {
                assertThat(agent.head()).startsWith("HTTP/1.1 101");
                agent.send(Frames.masked(Frames.TEXT, "hello"));
                assertThat(Frames.read(agent).text()).isEqualTo("hello");
            }
        }
        assertThat(hop.plainOrigin().received())
                .allSatisfy(asked -> assertThat(asked.field("Authorization")).isEmpty());
        assertThat(hop.origin().received().getFirst().requestLine()).isEqualTo("GET /ws/x HTTP/1.1");
        assertThat(hop.origin().received().getFirst().field("Authorization"))
                .containsExactly("Bearer " + TestHop.SECRET);
    }

    @Test
    void a_scope_without_upgrade_refuses_the_handshake_and_says_so() {
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("read"))) {
            RawClient.Answer refused = agent.send(handshake("/v1/x")).read();
            assertThat(refused.status()).isEqualTo(403);
            assertThat(refused.text())
                    .contains("\"upgrade_not_allowed\"", "\"scope\":\"read\"", "upgrade: [websocket]");
            hop.origin().answer(TestOrigin.ok("ordinary"));
            assertThat(agent.send(request("GET /v1/x")).read().text()).isEqualTo("ordinary");
        }
    }

    /** RFC 9110 section 7.8: a server may ignore Upgrade, and curl asks for h2c wherever it may. */
    @ParameterizedTest
    @ValueSource(strings = {"h2c", "TLS/1.0", "custom", "websocket2"})
    void any_other_protocol_is_not_passed_on_and_the_request_is_an_ordinary_one(String protocol) {
        hop.origin().answer(TestOrigin.ok("ordinary"));
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("socket"))) {
            agent.send(request(
                    "GET /ws/x",
                    "Connection: Upgrade, HTTP2-Settings",
                    "Upgrade: " + protocol,
                    "HTTP2-Settings: AAMAAABk"));
            assertThat(agent.read().text()).isEqualTo("ordinary");
            assertThat(hop.origin().received().getFirst().head())
                    .doesNotContainIgnoringCase("upgrade")
                    .doesNotContainIgnoringCase("http2-settings");
        }
    }

    @Test
    void an_answer_that_is_no_101_is_passed_on_and_the_connection_goes_on() {
        hop.origin().answer(TestOrigin.status(401, "who?", "WWW-Authenticate: Bearer"));
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("socket"))) {
            assertThat(agent.send(handshake("/ws/x")).read().status()).isEqualTo(401);
            assertThat(agent.send(handshake("/ws/x")).read().text()).isEqualTo("who?");
        }
    }

    /** The key rides where a browser can put it; the scope's own credential takes its place in the field where the document says. */
    @Test
    void a_credential_among_the_subprotocols_comes_off_and_is_noted() {
        hop.origin().converse((request, in, out) -> {
            accept(request, out, "Sec-WebSocket-Protocol: realtime");
            frames(in, out);
        });
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("socket"))) {
            agent.send(handshake(
                    "/ws/x",
                    "Sec-WebSocket-Protocol: realtime, openai-insecure-api-key.sk-mine, openai-beta.realtime-v1"));
            RawClient.Answer switched = agent.read();
            assertThat(switched.field("Sec-WebSocket-Protocol")).containsExactly("realtime");
        }
        TestOrigin.Received asked = hop.origin().received().getFirst();
        assertThat(asked.field("Sec-WebSocket-Protocol")).containsExactly("realtime, openai-beta.realtime-v1");
        assertThat(asked.field("Authorization")).containsExactly("Bearer " + TestHop.SECRET);
        outcome();
        assertThat(hop.entries("used").getLast()).contains("\"removed\":[\"sec-websocket-protocol\"]");
    }

    /** RW-57: a service that takes its key there and nowhere else. */
    @Test
    void a_credential_may_be_injected_among_the_subprotocols_and_the_answer_never_shows_it() {
        try (TestHop other = startHop()) {
            other.document("credentials/up.yml", """
                    sallyport: v1
                    credential: up
                    destinations: ["https://api.up.test:${tls}", "http://clear.up.test:${plain}"]
                    source: {kind: file, name: up}
                    inject: {kind: header, name: Sec-WebSocket-Protocol, template: "realtime, openai-insecure-api-key.{secret}"}
                    blast-radius: low
                    """);
            other.reload();
            other.origin().converse((request, in, out) -> {
                accept(
                        request,
                        out,
                        "Sec-WebSocket-Protocol: realtime",
                        "X-Echo: " + request.field("Sec-WebSocket-Protocol"));
                frames(in, out);
            });
            try (RawClient agent = other.tunnel("api.up.test", other.token("socket"))) {
                agent.send(handshakeAt(
                        other.host("api.up.test"),
                        "/ws/x",
                        "Sec-WebSocket-Protocol: realtime, openai-insecure-api-key.mine"));
                RawClient.Answer switched = agent.read();
                assertThat(switched.field("Sec-WebSocket-Protocol")).containsExactly("realtime");
                assertThat(switched.head()).contains("X-Echo").doesNotContain(TestHop.SECRET);
            }
            assertThat(other.origin().received().getFirst().field("Sec-WebSocket-Protocol"))
                    .containsExactly("realtime, openai-insecure-api-key." + TestHop.SECRET);
        }
    }

    /** RW-57: by the gateway the same, with the token where clients of such services put their key. */
    @Test
    void by_the_gateway_a_key_among_the_subprotocols_is_not_passed_on_and_the_real_one_is() {
        hop.origin().converse((request, in, out) -> {
            accept(request, out, "Sec-WebSocket-Protocol: realtime");
            frames(in, out);
        });
        byte[] message = new byte[1024 * 1024];
        try (RawClient agent = hop.connect()) {
            agent.send(handshakeAt(
                    "hop",
                    "/gateway/fixer:socket/ws/x",
                    "x-api-key: " + hop.token("socket"),
                    "Sec-WebSocket-Protocol: realtime, openai-insecure-api-key.mine"));
            assertThat(agent.read().field("Sec-WebSocket-Protocol")).containsExactly("realtime");
            agent.send(Frames.masked(2, Arrays.copyOf(message, 500_000)))
                    .send(Frames.masked(Frames.PING, "between"))
                    .send(Frames.masked(0x80, Arrays.copyOfRange(message, 500_000, message.length)));
            int back = 0;
            int pongs = 0;
            for (Frames.Frame frame = Frames.read(agent); ; frame = Frames.read(agent)) {
                if (frame.first() == Frames.PONG) {
                    pongs++;
                    continue;
                }
                back += frame.payload().length;
                if ((frame.first() & 0x80) != 0) {
                    break;
                }
            }
            assertThat(back).isEqualTo(message.length);
            assertThat(pongs).isOne();
            agent.send(Frames.masked(Frames.CLOSE, Frames.code(1000)));
            assertThat(Frames.read(agent).code()).isEqualTo(1000);
        }
        TestOrigin.Received asked = hop.origin().received().getFirst();
        assertThat(asked.field("Authorization")).containsExactly("Bearer " + TestHop.SECRET);
        assertThat(asked.field("Sec-WebSocket-Protocol")).containsExactly("realtime");
    }

    /** RW-57: what a client does whose proxy's URL begins with https. */
    @Test
    void through_a_hop_that_is_spoken_to_in_tls() {
        String host = hop.host("api.up.test");
        try (RawClient outer = hop.connect().tls(hop.trust(), "localhost", hop.port())) {
            outer.send(text("CONNECT " + host, host, shows(hop.token("socket"))));
            assertThat(outer.head()).startsWith("HTTP/1.1 200");
            RawClient agent = outer.tls(hop.trust(), "api.up.test", hop.origin().port());
            assertThat(agent.send(handshake("/ws/x")).head()).startsWith("HTTP/1.1 101");
            agent.send(Frames.masked(Frames.TEXT, "hello"));
            assertThat(Frames.read(agent).text()).isEqualTo("hello");
        }
    }

    private String outcome() {
        Awaitility.await().until(() -> hop.flows().running() == 0);
        return hop.entries("outcome").getLast();
    }

    /** Of the last use. */
    private List<String> windows() {
        long use = number(hop.entries("used").getLast(), "seq");
        return hop.entries("window").stream()
                .filter(entry -> number(entry, "use") == use)
                .toList();
    }

    static long number(String entry, String member) {
        return Long.parseLong(entry.replaceFirst(".*\"" + member + "\":(\\d+).*", "$1"));
    }
}

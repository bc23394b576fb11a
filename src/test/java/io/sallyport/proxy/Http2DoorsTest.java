package io.sallyport.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.Http2AgentCase;
import io.sallyport.testing.Http2Frame;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.RawHttp2Client;
import io.sallyport.testing.TestHop;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Where an agent may speak HTTP/2: in a tunnel, in clear with prior knowledge, and in TLS to the hop itself. */
class Http2DoorsTest extends Http2AgentCase {

    private RawHttp2Client secure() {
        return RawHttp2Client.over(hop.connect().tls(hop.trust(), "localhost", hop.port(), "h2", "http/1.1"));
    }

    @Test
    void the_gateway_takes_http2_in_clear_and_in_tls() {
        for (RawHttp2Client agent : new RawHttp2Client[] {clear(), secure()}) {
            try (agent) {
                int stream = agent.get(lines(
                        "GET",
                        "http",
                        "localhost:" + hop.port(),
                        "/gateway/fixer:read/v1/x?y=1",
                        "authorization",
                        "Bearer " + hop.token("read")));
                assertThat(agent.answer(stream).text()).isEqualTo("hello");
                RawHttp2Client.Answer stranger = agent.answer(
                        agent.get(lines("GET", "http", "localhost:" + hop.port(), "/gateway/fixer:read/v1/x")));
                assertThat(stranger.status()).isEqualTo(401);
                assertThat(stranger.field("www-authenticate")).isNotEmpty();
                RawHttp2Client.Answer unknown = agent.answer(agent.get(lines(
                        "GET",
                        "http",
                        "localhost:" + hop.port(),
                        "/gateway/fixer:none/v1/x",
                        "authorization",
                        "Bearer " + hop.token("read"))));
                assertThat(unknown.status()).isEqualTo(403);
            }
        }
        assertThat(hop.origin().received()).hasSize(2).allSatisfy(received -> {
            assertThat(received.requestLine()).isEqualTo("GET /v1/x?y=1 HTTP/1.1");
            assertThat(received.field("Authorization")).containsExactly("Bearer " + TestHop.SECRET);
        });
    }

    /** RW-17: each stream names its own origin, and gets that one's answer and credential. */
    @Test
    void a_forward_request_names_its_origin_by_scheme_and_authority() {
        String token = hop.token("read", "plain", "clear");
        try (RawHttp2Client agent = clear()) {
            int plain = agent.get(lines(
                    "GET",
                    "http",
                    hop.plainHost("plain.up.test"),
                    "/a",
                    "proxy-authorization",
                    RawClient.basic(token)));
            int secured = agent.get(lines(
                    "GET", "https", hop.host("api.up.test"), "/v1/b", "proxy-authorization", RawClient.basic(token)));
            assertThat(agent.answer(secured).status()).isEqualTo(200);
            assertThat(agent.answer(plain).status()).isEqualTo(200);
            RawHttp2Client.Answer stranger =
                    agent.answer(agent.get(lines("GET", "http", hop.plainHost("plain.up.test"), "/a")));
            assertThat(stranger.status()).isEqualTo(407);
            assertThat(stranger.field("proxy-authenticate")).isNotEmpty();
        }
        assertThat(hop.plainOrigin().received()).singleElement().satisfies(received -> {
            assertThat(received.requestLine()).isEqualTo("GET /a HTTP/1.1");
            assertThat(received.field("Host")).containsExactly(hop.plainHost("plain.up.test"));
            assertThat(received.field("Authorization")).isEmpty();
            assertThat(received.field("Proxy-Authorization")).isEmpty();
        });
        assertThat(hop.origin().received().getFirst().field("Authorization"))
                .containsExactly("Bearer " + TestHop.SECRET);
    }

    @Test
    void a_tunnel_may_carry_http2_in_clear() {
        String host = hop.plainHost("plain.up.test");
        try (RawClient socket = hop.connect()) {
            socket.send(text("CONNECT " + host, host, shows(hop.token("plain"))));
            assertThat(socket.head()).startsWith("HTTP/1.1 200");
            RawHttp2Client agent = RawHttp2Client.over(socket);
            assertThat(agent.answer(agent.get(lines("GET", "http", host, "/a"))).status())
                    .isEqualTo(200);
            assertThat(agent.answer(agent.get(lines("GET", "https", host, "/a")))
                            .status())
                    .isEqualTo(421);
        }
        assertThat(hop.plainOrigin().received()).hasSize(1);
    }

    /** A preface that comes in pieces, and methods that begin like one. */
    @Test
    void the_first_bytes_tell_and_may_take_their_time() {
        try (RawClient socket = hop.connect()) {
            byte[] preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes();
            for (byte piece : preface) {
                socket.send(new byte[] {piece});
            }
            RawHttp2Client agent = RawHttp2Client.silent(socket).frame(Http2Frame.SETTINGS, 0, 0, new byte[0]);
            assertThat(agent.answer(agent.get(lines("GET", "http", hop.plainHost("plain.up.test"), "/")))
                            .status())
                    .isEqualTo(407);
        }
        try (RawClient agent = hop.connect()) {
            agent.send("P");
            agent.send(text("ROPFIND http://" + hop.plainHost("plain.up.test") + "/a", "x", shows(hop.token("plain"))));
            assertThat(agent.read().text()).contains("method_not_allowed");
        }
    }

    /** RFC 9113 section 8.5: the stream is the tunnel, and inside it everything is as in any other. */
    @Test
    void a_connect_on_a_stream_opens_a_tunnel() {
        String host = hop.plainHost("plain.up.test");
        try (RawHttp2Client agent = secure()) {
            int refused = agent.begin(":method", "CONNECT", ":authority", host);
            assertThat(agent.answer(refused).status()).isEqualTo(407);
            int denied = agent.begin(
                    ":method",
                    "CONNECT",
                    ":authority",
                    host,
                    "proxy-authorization",
                    RawClient.basic(hop.token("read")));
            assertThat(agent.answer(denied).status()).isEqualTo(403);
            int tunnel = agent.begin(
                    ":method",
                    "CONNECT",
                    ":authority",
                    host,
                    "proxy-authorization",
                    RawClient.basic(hop.token("plain")));
            assertThat(agent.head(tunnel).heads()).containsExactly(List.of(":status: 200"));
            agent.data(tunnel, text("GET /a", host), false);
            Awaitility.await().until(() -> agent.ping().soFar(tunnel).text().endsWith("hello"));
            agent.data(tunnel, text("GET /b", host).substring(0, 10), false)
                    .data(tunnel, text("GET /b", host).substring(10), false);
            Awaitility.await().until(() -> agent.ping().soFar(tunnel).text().split("hello", -1).length == 3);
            agent.data(tunnel, text("GET /c", "other.up.test"), false);
            RawHttp2Client.Answer all = agent.answer(tunnel);
            assertThat(all.text()).contains("HTTP/1.1 421 ");
            assertThat(all.ended()).isTrue();
        }
        assertThat(hop.plainOrigin().received())
                .extracting(received -> received.requestLine())
                .containsExactly("GET /a HTTP/1.1", "GET /b HTTP/1.1");
    }

    @Test
    void a_tunnel_on_a_stream_ends_with_its_stream() {
        String host = hop.plainHost("plain.up.test");
        CompletableFuture<Void> broken = new CompletableFuture<>();
        hop.plainOrigin().answer((request, out) -> {
            out.write("HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n".getBytes());
            try {
                while (true) {
                    out.write(new byte[10_000]);
                }
            } catch (IOException gone) {
                broken.complete(null);
                throw gone;
            }
        });
        try (RawHttp2Client agent = secure().keepingWindows()) {
            int tunnel = agent.begin(
                    ":method",
                    "CONNECT",
                    ":authority",
                    host,
                    "proxy-authorization",
                    RawClient.basic(hop.token("plain")));
            agent.head(tunnel);
            agent.data(tunnel, text("GET /a", host), false);
            Awaitility.await().until(() -> agent.ping().soFar(tunnel).text().startsWith("HTTP/1.1 200"));
            agent.reset(tunnel, 8);
            assertThat(broken).succeedsWithin(Duration.ofSeconds(10));
            Awaitility.await().until(() -> hop.flows().running() == 0);
        }
    }

    @Test
    void two_tokens_in_one_head_are_a_400() {
        try (RawHttp2Client agent = clear()) {
            int stream = agent.get(lines(
                    "GET",
                    "http",
                    "localhost",
                    "/gateway/fixer:read/v1/x",
                    "authorization",
                    "Bearer " + hop.token("read"),
                    "x-api-key",
                    hop.token("read")));
            assertThat(agent.answer(stream).status()).isEqualTo(400);
            assertThat(agent.answer(stream).text()).contains("ambiguous_token");
        }
    }
}

package io.sallyport.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.grant.EndReason;
import io.sallyport.grant.Grant;
import io.sallyport.grant.Grants;
import io.sallyport.testing.Frames;
import io.sallyport.testing.Http2Case;
import io.sallyport.testing.Http2Origin;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.RawHttp2Client;
import io.sallyport.testing.TestHop;
import java.io.ByteArrayInputStream;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** WebSockets where one side, or both, speak HTTP/2. */
class WebSocketHttp2Test extends Http2Case {

    private static final String POLICY_WITH_SOCKETS =
            POLICY.replace("    credential: up\n", "    upgrade: [websocket]\n    credential: up\n");

    @Override
    protected TestHop startHop() {
        return TestHop.start(settings -> settings, POLICY_WITH_SOCKETS);
    }

    @Test
    void a_destination_that_prefers_http2_is_asked_in_http1_and_afterwards_in_http2_again() {
        origin().http1((request, out) -> {
            WebSocketCase.accept(request, out);
            out.write(Frames.plain(Frames.TEXT, request.requestLine()));
        });
        origin().protocols("h2", "http/1.1");
        try (RawClient agent = agent("two.up.test");
                RawClient other = agent("two.up.test")) {
            assertThat(other.send(to("two.up.test", "GET /first")).read().text())
                    .isEqualTo("hello");
            agent.send(WebSocketCase.handshakeAt("two.up.test:" + origin().port(), "/ws"));
            assertThat(agent.head()).startsWith("HTTP/1.1 101");
            assertThat(Frames.read(agent).text()).isEqualTo("GET /ws HTTP/1.1");
            assertThat(other.send(to("two.up.test", "GET /second")).read().text())
                    .isEqualTo("hello");
        }
        assertThat(origin().received())
                .extracting(request -> request.field(":path").getFirst())
                .containsExactly("/first", "/second");
        assertThat(origin().connections()).isGreaterThanOrEqualTo(2);
    }

    /** RFC 8441, where the destination has announced it: 8 is SETTINGS_ENABLE_CONNECT_PROTOCOL. */
    @Test
    void a_destination_that_takes_them_gets_it_on_a_stream() throws Exception {
        origin().settings(8, 1);
        origin().answer(request -> {
            if (request.field(":method").equals(List.of("CONNECT"))) {
                request.head(false, ":status", "200", "sec-websocket-protocol", "chat");
                request.data(false, Frames.plain(Frames.TEXT, TestHop.SECRET));
                Frames.Frame said = Frames.read(new ByteArrayInputStream(request.next()));
                request.data(false, Frames.plain(Frames.TEXT, said.text()));
                request.next();
                request.data(true, Frames.plain(Frames.CLOSE, Frames.code(1000)));
            } else {
                Http2Origin.ok("hello").to(request);
            }
        });
        try (RawClient agent = agent("two.up.test");
                RawClient other = agent("two.up.test")) {
            // Connections are had by event loop, and an agent's connection stays on one.
            agent.send(to("two.up.test", "GET /first")).read();
            agent.send(WebSocketCase.handshakeAt(
                    "two.up.test:" + origin().port(),
                    "/ws",
                    "Sec-WebSocket-Protocol: chat",
                    "Origin: https://app.example"));
            RawClient.Answer switched = agent.read();
            assertThat(switched.status()).isEqualTo(101);
            assertThat(switched.field("Sec-WebSocket-Accept")).containsExactly(Frames.accept(WebSocketCase.KEY));
            assertThat(switched.field("Sec-WebSocket-Protocol")).containsExactly("chat");
            assertThat(Frames.read(agent).text()).isEqualTo("*".repeat(TestHop.SECRET.length()));
            agent.send(Frames.masked(Frames.TEXT, "hello"));
            assertThat(Frames.read(agent).text()).isEqualTo("hello");
            agent.send(Frames.masked(Frames.CLOSE, Frames.code(1000)));
            assertThat(Frames.read(agent).code()).isEqualTo(1000);
            assertThat(agent.rest()).isEmpty();
            assertThat(other.send(to("two.up.test", "GET /after")).read().text())
                    .isEqualTo("hello");
        }
        Http2Origin.Exchange asked = origin().received().get(1);
        assertThat(asked.field(":protocol")).containsExactly("websocket");
        assertThat(asked.field(":path")).containsExactly("/ws");
        assertThat(asked.field("authorization")).containsExactly("Bearer " + TestHop.SECRET);
        assertThat(asked.field("sec-websocket-version")).containsExactly("13");
        assertThat(asked.field("sec-websocket-key")).isEmpty();
        assertThat(asked.field("upgrade")).isEmpty();
        assertThat(asked.connection()).isEqualTo(origin().received().getFirst().connection());
        Awaitility.await().until(() -> hop.flows().running() == 0);
        assertThat(hop.entries("outcome"))
                .anyMatch(entry -> entry.contains("\"status\":101") && entry.contains("answered"));
    }

    @Test
    void a_stop_of_one_on_a_stream_drops_the_stream_alone() throws Exception {
        origin().settings(8, 1);
        origin().answer(request -> {
            if (request.field(":method").equals(List.of("CONNECT"))) {
                request.head(false, ":status", "200");
            } else {
                Http2Origin.ok("hello").to(request);
            }
        });
        Grant grant = hop.grant("two");
        try (RawClient agent = hop.tunnelToHttp2("two.up.test", hop.token(grant));
                RawClient other = agent("two.up.test")) {
            // Connections are had by event loop, and an agent's connection stays on one.
            agent.send(to("two.up.test", "GET /first")).read();
            agent.send(WebSocketCase.handshakeAt("two.up.test:" + origin().port(), "/ws"));
            assertThat(agent.head()).startsWith("HTTP/1.1 101");
            hop.flows().cut(hop.room(Grants.class).endInMemory(List.of(grant), EndReason.REVOKED));
            assertThat(Frames.read(agent).code()).isEqualTo(1008);
            Awaitility.await().until(() -> origin().received().get(1).code() >= 0);
            assertThat(other.send(to("two.up.test", "GET /after")).read().text())
                    .isEqualTo("hello");
        }
    }

    /** On a stream here and on a stream there: nothing of HTTP/1.1 in between but the judged head. */
    @Test
    void both_sides_may_be_streams_at_once() throws Exception {
        origin().settings(8, 1);
        origin().answer(request -> {
            if (request.field(":method").equals(List.of("CONNECT"))) {
                request.head(false, ":status", "200", "sec-websocket-protocol", "chat");
                Frames.Frame said = Frames.read(new ByteArrayInputStream(request.next()));
                request.data(false, Frames.plain(Frames.TEXT, said.text() + TestHop.SECRET));
                request.next();
                request.data(true, Frames.plain(Frames.CLOSE, Frames.code(1000)));
            } else {
                Http2Origin.ok("hello").to(request);
            }
        });
        String authority = "two.up.test:" + origin().port();
        try (RawHttp2Client agent = hop.http2ToHttp2("two.up.test", hop.token("two"))) {
            agent.answer(agent.get(":method", "GET", ":scheme", "https", ":authority", authority, ":path", "/first"));
            int socket = agent.begin(
                    ":method",
                    "CONNECT",
                    ":protocol",
                    "websocket",
                    ":scheme",
                    "https",
                    ":authority",
                    authority,
                    ":path",
                    "/ws",
                    "sec-websocket-version",
                    "13",
                    "sec-websocket-protocol",
                    "chat");
            assertThat(agent.head(socket).head()).containsExactly(":status: 200", "sec-websocket-protocol: chat");
            agent.data(socket, Frames.masked(Frames.TEXT, "hello "), false);
            int size = Frames.plain(Frames.TEXT, "hello " + TestHop.SECRET).length;
            byte[] heard = agent.content(socket, size).content();
            assertThat(Frames.read(new ByteArrayInputStream(heard)).text())
                    .isEqualTo("hello " + "*".repeat(TestHop.SECRET.length()));
            agent.data(socket, Frames.masked(Frames.CLOSE, Frames.code(1000)), false);
            assertThat(agent.answer(socket).ended()).isTrue();
            assertThat(agent.answer(agent.get(
                                    ":method", "GET", ":scheme", "https", ":authority", authority, ":path", "/after"))
                            .text())
                    .isEqualTo("hello");
        }
        assertThat(origin().receivedHttp1()).isEmpty();
        Http2Origin.Exchange asked = origin().received().get(1);
        assertThat(asked.field(":protocol")).containsExactly("websocket");
        assertThat(asked.field("authorization")).containsExactly("Bearer " + TestHop.SECRET);
        assertThat(asked.connection()).isEqualTo(origin().received().getLast().connection());
    }
}

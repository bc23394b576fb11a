package io.sallyport.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.grant.EndReason;
import io.sallyport.grant.Grant;
import io.sallyport.grant.Grants;
import io.sallyport.testing.Frames;
import io.sallyport.testing.Http2Frame;
import io.sallyport.testing.RawHttp2Client;
import io.sallyport.testing.TestHop;
import io.sallyport.testing.TestOrigin;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A WebSocket on a stream of the agent's HTTP/2 connection (RFC 8441), to a destination that is asked in HTTP/1.1. */
class WebSocketOverHttp2Test extends WebSocketCase {

    private static final int ENABLE_CONNECT_PROTOCOL = 8;

    private String[] connect(String... more) {
        String[] head = {
            ":method",
            "CONNECT",
            ":protocol",
            "websocket",
            ":scheme",
            "https",
            ":authority",
            hop.host("api.up.test"),
            ":path",
            "/ws/x",
            "sec-websocket-version",
            "13"
        };
        String[] all = Arrays.copyOf(head, head.length + more.length);
        System.arraycopy(more, 0, all, head.length, more.length);
        return all;
    }

    @Test
    void it_is_announced_and_carries_frames_beside_other_requests() {
        try (RawHttp2Client agent = hop.http2("api.up.test", hop.token("socket", "read"))) {
            int socket = agent.begin(connect("origin", "https://app.example", "sec-websocket-protocol", "chat"));
            assertThat(settings(agent)).containsEntry(ENABLE_CONNECT_PROTOCOL, 1);
            RawHttp2Client.Answer switched = agent.head(socket);
            assertThat(switched.head()).containsExactly(":status: 200");
            TestOrigin.Received asked = hop.origin().received().getFirst();
            assertThat(asked.requestLine()).isEqualTo("GET /ws/x HTTP/1.1");
            assertThat(asked.field("Upgrade")).containsExactly("websocket");
            assertThat(asked.field("Sec-WebSocket-Key").getFirst()).hasSize(24);
            assertThat(asked.field("Authorization")).containsExactly("Bearer " + TestHop.SECRET);
            assertThat(asked.field("Sec-WebSocket-Protocol")).containsExactly("chat");
            say(agent, socket, Frames.masked(Frames.TEXT, "hello"));
            assertThat(frame(agent, socket, 7).text()).isEqualTo("hello");
            hop.origin().answer(TestOrigin.ok("beside"));
            assertThat(agent.answer(agent.get(
                                    ":method",
                                    "GET",
                                    ":scheme",
                                    "https",
                                    ":authority",
                                    hop.host("api.up.test"),
                                    ":path",
                                    "/v1/x"))
                            .text())
                    .isEqualTo("beside");
            say(agent, socket, Frames.masked(Frames.CLOSE, Frames.code(1000)));
            assertThat(frame(agent, socket, 4).code()).isEqualTo(1000);
            assertThat(agent.answer(socket).ended()).isTrue();
        }
        Awaitility.await().until(() -> hop.flows().running() == 0);
        assertThat(hop.entries("outcome"))
                .filteredOn(entry -> entry.contains("\"status\":101"))
                .last()
                .asString()
                .contains("\"outcome\":\"answered\"", "\"bytes_out\":7");
    }

    @Test
    void what_the_agent_says_before_the_answer_waits_for_it() {
        try (RawHttp2Client agent = hop.http2("api.up.test", hop.token("socket"))) {
            int socket = agent.begin(connect());
            say(agent, socket, Frames.masked(Frames.TEXT, "early"));
            assertThat(frame(agent, socket, 7).text()).isEqualTo("early");
        }
    }

    @Test
    void a_revoked_grant_closes_with_1008_and_ends_the_connection() {
        Grant grant = hop.grant("socket");
        try (RawHttp2Client agent = hop.http2("api.up.test", hop.token(grant))) {
            int socket = agent.begin(connect());
            agent.head(socket);
            hop.flows().cut(hop.room(Grants.class).endInMemory(List.of(grant), EndReason.REVOKED));
            assertThat(frame(agent, socket, 15).code()).isEqualTo(1008);
            assertThat(agent.answer(socket).ended()).isTrue();
            agent.goAway();
        }
    }

    @Test
    void a_stream_that_ends_without_a_close_is_an_agent_that_left() {
        CompletableFuture<Boolean> gone = new CompletableFuture<>();
        hop.origin().converse((request, in, out) -> {
            accept(request, out);
            try {
                in.readAllBytes();
            } catch (IOException reset) {
                // An end all the same.
            }
            gone.complete(true);
        });
        try (RawHttp2Client agent = hop.http2("api.up.test", hop.token("socket"))) {
            int socket = agent.begin(connect());
            agent.head(socket);
            agent.frame(Http2Frame.DATA, Http2Frame.END_STREAM, socket, new byte[0]);
            assertThat(gone).succeedsWithin(1, TimeUnit.SECONDS);
        }
        Awaitility.await().until(() -> hop.flows().running() == 0);
        assertThat(hop.entries("outcome").getLast()).contains("\"outcome\":\"agent-left\"");
    }

    @Test
    void a_scope_without_upgrade_refuses_it_and_another_answer_than_101_is_passed_on() {
        hop.origin().answer(TestOrigin.status(404, "nobody"));
        try (RawHttp2Client agent = hop.http2("api.up.test", hop.token("socket", "read"))) {
            int refused = agent.begin(
                    ":method",
                    "CONNECT",
                    ":protocol",
                    "websocket",
                    ":scheme",
                    "https",
                    ":authority",
                    hop.host("api.up.test"),
                    ":path",
                    "/v1/x",
                    "sec-websocket-version",
                    "13");
            RawHttp2Client.Answer no = agent.answer(refused);
            assertThat(no.status()).isEqualTo(403);
            assertThat(no.text()).contains("upgrade_not_allowed");
            RawHttp2Client.Answer other = agent.answer(agent.begin(connect()));
            assertThat(other.status()).isEqualTo(404);
            assertThat(other.text()).isEqualTo("nobody");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"connect-udp", "h2c", ""})
    void any_other_protocol_is_malformed(String protocol) {
        try (RawHttp2Client agent = hop.http2("api.up.test", hop.token("socket"))) {
            String[] head = connect();
            head[3] = protocol;
            assertThat(agent.answer(agent.begin(head)).status()).isEqualTo(400);
        }
        assertThat(hop.origin().received()).isEmpty();
    }

    @Test
    void malformed_frames_end_the_stream_and_not_the_connection() {
        try (RawHttp2Client agent = hop.http2("api.up.test", hop.token("socket"))) {
            int socket = agent.begin(connect());
            agent.head(socket);
            say(agent, socket, Frames.plain(Frames.TEXT, "bare"));
            assertThat(frame(agent, socket, 13).code()).isEqualTo(1002);
            int again = agent.begin(connect());
            assertThat(agent.head(again).status()).isEqualTo(200);
        }
    }

    private static void say(RawHttp2Client agent, int stream, byte[] frame) {
        agent.frame(Http2Frame.DATA, 0, stream, frame);
    }

    /** Bytes of the one stream that a case reads frames from. */
    private int read;

    @BeforeEach
    void nothingRead() {
        read = 0;
    }

    /** The next frame of a stream. @param size of it on the wire */
    private Frames.Frame frame(RawHttp2Client agent, int stream, int size) {
        byte[] content = agent.content(stream, read + size).content();
        try {
            Frames.Frame frame = Frames.read(new ByteArrayInputStream(content, read, content.length - read));
            read += size;
            return frame;
        } catch (IOException e) {
            throw new UncheckedIOException(new String(content, ISO_8859_1), e);
        }
    }

    private static java.util.Map<Integer, Integer> settings(RawHttp2Client agent) {
        ByteBuffer pairs = ByteBuffer.wrap(
                agent.await(frame -> frame.type() == Http2Frame.SETTINGS && (frame.flags() & Http2Frame.ACK) == 0)
                        .payload());
        java.util.Map<Integer, Integer> settings = new java.util.HashMap<>();
        while (pairs.hasRemaining()) {
            settings.put((int) pairs.getShort(), pairs.getInt());
        }
        return settings;
    }
}

package io.sallyport.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.Http2Case;
import io.sallyport.testing.Http2Frame;
import io.sallyport.testing.RawHttp2Client;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** RW-08: HTTP/2 from the agent to the destination, as gRPC uses it. */
class Http2BothSidesTest extends Http2Case {

    private static final int NO_ERROR = 0;
    private static final int CANCEL = 8;

    private RawHttp2Client http2() {
        return hop.http2ToHttp2("two.up.test", hop.token("two"));
    }

    private String[] call(String... more) {
        List<String> lines = new java.util.ArrayList<>(List.of(
                ":method",
                "POST",
                ":scheme",
                "https",
                ":authority",
                "two.up.test:" + origin().port(),
                ":path",
                "/svc/M",
                "content-type",
                "application/grpc",
                "te",
                "trailers"));
        lines.addAll(List.of(more));
        return lines.toArray(String[]::new);
    }

    /** A message of gRPC: not compressed, and its length before it. */
    private static String message(String text) {
        return "\0\0\0\0" + (char) text.length() + text;
    }

    @Test
    void a_unary_call_gets_its_status() {
        origin().answer(request -> {
            byte[] asked = request.content();
            request.head(false, ":status", "200", "content-type", "application/grpc");
            request.data(false, asked);
            request.head(true, "grpc-status", "0", "grpc-message", "fine");
        });
        try (RawHttp2Client agent = http2()) {
            int stream = agent.begin(call());
            agent.data(stream, "\0\0\0\0\0", true);
            RawHttp2Client.Answer answer = agent.answer(stream);
            assertThat(answer.heads())
                    .containsExactly(
                            List.of(":status: 200", "content-type: application/grpc"),
                            List.of("grpc-status: 0", "grpc-message: fine"));
            assertThat(answer.text()).isEqualTo("\0\0\0\0\0");
        }
        assertThat(origin().received().getFirst().field("te")).containsExactly("trailers");
    }

    @Test
    void an_answer_of_trailers_only_is_one() {
        origin().answer(request -> request.head(true, ":status", "200", "grpc-status", "12"));
        try (RawHttp2Client agent = http2()) {
            int stream = agent.begin(call());
            agent.data(stream, "\0\0\0\0\0", true);
            RawHttp2Client.Answer answer = agent.answer(stream);
            assertThat(answer.heads()).containsExactly(List.of(":status: 200", "grpc-status: 12"));
            assertThat(answer.ended()).isTrue();
        }
    }

    /** Neither side sends its next message before it has seen the other's. */
    @Test
    void messages_go_to_and_fro_while_both_sides_are_open() {
        messagesGoToAndFro(http2());
    }

    @Test
    void messages_go_to_and_fro_where_nobody_knows_of_the_hop() {
        int port = origin().port();
        messagesGoToAndFro(
                RawHttp2Client.over(hop.led(hop.ledGrant("two"), port).tls(hop.trust(), "two.up.test", port, "h2")));
    }

    private void messagesGoToAndFro(RawHttp2Client connection) {
        origin().answer(request -> {
            request.head(false, ":status", "200", "content-type", "application/grpc");
            for (byte[] piece = request.next(); piece != null; piece = request.next()) {
                request.data(false, message("re: " + new String(piece, ISO_8859_1)));
            }
            request.head(true, "grpc-status", "0");
        });
        try (RawHttp2Client agent = connection) {
            int stream = agent.begin(call());
            // Nothing was sent yet, and the answer's head is here: whoever waits for it is not kept waiting.
            assertThat(agent.head(stream).status()).isEqualTo(200);
            String expected = "";
            for (int i = 0; i < 10; i++) {
                agent.data(stream, "message " + i, i == 9);
                expected += message("re: message " + i);
                String seen = expected;
                Awaitility.await().until(() -> agent.ping().soFar(stream).text().equals(seen));
            }
            assertThat(agent.answer(stream).heads().getLast()).containsExactly("grpc-status: 0");
        }
    }

    @Test
    void a_cancelled_call_is_cancelled_at_the_destination() {
        origin().answer(request -> request.head(false, ":status", "200"));
        try (RawHttp2Client agent = http2()) {
            int stream = agent.begin(call());
            agent.head(stream);
            agent.reset(stream, CANCEL);
            Awaitility.await()
                    .untilAsserted(() ->
                            assertThat(origin().received().getFirst().code()).isEqualTo(CANCEL));
        }
    }

    @Test
    void an_answer_that_comes_early_is_whole_and_the_upload_is_told_to_stop() {
        origin().answer(request -> {
            request.head(false, ":status", "413");
            request.data(true, "too much");
        });
        try (RawHttp2Client agent = http2()) {
            int stream = agent.begin(call());
            agent.data(stream, "begun", false);
            RawHttp2Client.Answer answer = agent.answer(stream);
            assertThat(answer.status()).isEqualTo(413);
            assertThat(answer.text()).isEqualTo("too much");
            assertThat(answer.ended()).isTrue();
            assertThat(agent.await(frame -> frame.type() == Http2Frame.RST_STREAM)
                            .code())
                    .isEqualTo(NO_ERROR);
            origin().answer(io.sallyport.testing.Http2Origin.ok("hello"));
            int next = agent.begin(call());
            agent.data(next, "x", true);
            assertThat(agent.answer(next).text()).isEqualTo("hello");
        }
    }

    /** The gateway, in HTTP/2 without TLS: what a client does that was given another address for its service. */
    @Test
    void a_call_by_the_gateway_gets_its_status_and_its_messages_at_once() {
        origin().answer(request -> {
            request.head(false, ":status", "200", "content-type", "application/grpc");
            for (byte[] piece = request.next(); piece != null; piece = request.next()) {
                request.data(false, message("re: " + new String(piece, ISO_8859_1)));
            }
            request.head(true, "grpc-status", "0");
        });
        try (RawHttp2Client agent = RawHttp2Client.over(hop.connect())) {
            int stream = agent.begin(
                    ":method",
                    "POST",
                    ":scheme",
                    "http",
                    ":authority",
                    "localhost:" + hop.port(),
                    ":path",
                    "/gateway/fixer:two/svc/M",
                    "authorization",
                    "Bearer " + hop.token("two"),
                    "te",
                    "trailers");
            agent.data(stream, "one", false);
            Awaitility.await().until(() -> agent.ping().soFar(stream).text().equals(message("re: one")));
            agent.data(stream, "two", true);
            RawHttp2Client.Answer answer = agent.answer(stream);
            assertThat(answer.text()).isEqualTo(message("re: one") + message("re: two"));
            assertThat(answer.heads().getLast()).containsExactly("grpc-status: 0");
        }
        assertThat(origin().received().getFirst().field("authorization"))
                .containsExactly("Bearer " + io.sallyport.testing.TestHop.SECRET);
    }
}

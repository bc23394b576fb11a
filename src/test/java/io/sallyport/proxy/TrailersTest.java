package io.sallyport.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.http.Fields;
import io.sallyport.testing.Http2Case;
import io.sallyport.testing.Http2Frame;
import io.sallyport.testing.Http2Origin;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.RawHttp2Client;
import io.sallyport.testing.TestOrigin;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fields after the content, in both directions, whichever versions the two sides speak. */
class TrailersTest extends Http2Case {

    private static final String BODY = "3\r\nabc\r\n0\r\n";

    @Test
    void trailers_of_a_request_reach_a_destination_in_http2() throws Exception {
        RawClient agent = agent("two.up.test");

        agent.send(to("two.up.test", "POST /v1/x", "Transfer-Encoding: chunked") + BODY + "X-Checksum: 17\r\n\r\n");

        assertThat(agent.read().status()).isEqualTo(200);
        Http2Origin.Exchange request = origin().received().getFirst();
        assertThat(new String(request.content(), ISO_8859_1)).isEqualTo("abc");
        assertThat(request.trailers()).containsExactly(new Http2Origin.Line("x-checksum", "17", false));
    }

    @Test
    void and_one_in_http1() {
        origin().http1(TestOrigin.ok("old"));
        RawClient agent = agent("two.up.test");

        agent.send(to("two.up.test", "POST /v1/x", "Transfer-Encoding: chunked") + BODY + "X-Checksum: 17\r\n\r\n");

        assertThat(agent.read().text()).isEqualTo("old");
        TestOrigin.Received request = origin().receivedHttp1().getFirst();
        assertThat(request.text()).isEqualTo("abc");
        assertThat(request.trailers()).containsExactly("X-Checksum: 17");
    }

    @Test
    void they_are_in_the_recorded_hash_and_in_what_is_charged() {
        RawClient agent = agent("two.up.test");
        agent.send(to("two.up.test", "POST /v1/x", "Transfer-Encoding: chunked") + BODY + "X-Checksum: 17\r\n\r\n")
                .read();

        String hashed = "POST\n/v1/x\nhost: two.up.test:" + origin().port()
                + "\naccept-encoding: identity\nx-checksum: 17\n\n" + sha256("abc") + "\n";
        assertThat(hop.entries("used").getLast()).contains(sha256(hashed));
    }

    private static String sha256(String text) {
        return java.util.HexFormat.of()
                .formatHex(RequestHash.sha256().digest(text.getBytes(StandardCharsets.ISO_8859_1)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 3",
                "Transfer-Encoding: chunked",
                "Host: other.up.test",
                "Authorization: Bearer mine",
                "X-Api-Key: mine",
                "Cookie: a=b",
                "X-HTTP-Method-Override: DELETE",
                "Content-Type: text/html",
                "If-Match: x",
                "Proxy-Authorization: Basic x",
                "X Y: z",
                " folded: x",
                "Content_Length: 3"
            })
    void what_would_change_the_head_is_no_trailer(String line) {
        RawClient agent = agent("two.up.test");

        String all = agent.send(
                        to("two.up.test", "POST /v1/x", "Transfer-Encoding: chunked") + BODY + line + "\r\n\r\n")
                .rest();

        assertThat(all).startsWith("HTTP/1.1 40").contains("Connection: close");
        assertThat(origin().received()).isEmpty();
    }

    /** Part of it has left by then: the destination must not take what it has for the whole. */
    @Test
    void a_bad_trailer_after_content_that_left_breaks_the_request_off() {
        RawClient agent = agent("two.up.test");
        agent.send(to("two.up.test", "POST /v1/x", "Transfer-Encoding: chunked") + "3\r\nabc\r\n");
        Awaitility.await().until(() -> !origin().frames(Http2Frame.DATA).isEmpty());

        String all = agent.send("0\r\nAuthorization: mine\r\n\r\n").rest();

        assertThat(all).startsWith("HTTP/1.1 400");
        Awaitility.await().until(() -> !origin().frames(Http2Frame.RST_STREAM).isEmpty());
        assertThat(origin().frames())
                .noneMatch(frame -> frame.type() == Http2Frame.DATA && (frame.flags() & Http2Frame.END_STREAM) != 0);
    }

    /** RW-08. */
    @Test
    void an_answer_of_trailers_only_reaches_the_agent_as_fields() {
        origin().answer(request -> request.head(
                true, ":status", "200", "content-type", "application/grpc", "grpc-status", "5", "grpc-message", "no"));

        RawClient.Answer answer = agent("two.up.test")
                .send(to("two.up.test", "POST /v1/x", "TE: trailers", "Content-Length: 0"))
                .read();

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.field("grpc-status")).containsExactly("5");
        assertThat(answer.field("Content-Length")).containsExactly("0");
    }

    /** RW-08. */
    @Test
    void the_status_of_a_call_reaches_an_agent_in_http1_as_a_trailer() {
        origin().answer(request -> {
            request.head(false, ":status", "200", "content-type", "application/grpc");
            request.data(false, "\0\0\0\0\2\10\1");
            request.head(
                    true, "grpc-status", "0", "grpc-message", "ok", "alt-svc", "h3=\":443\"", "content-length", "9");
        });

        RawClient.Answer answer = agent("two.up.test")
                .send(to("two.up.test", "POST /v1/x", "TE: trailers", "Content-Length: 0"))
                .read();

        assertThat(answer.trailers()).isEqualTo("grpc-status: 0\r\ngrpc-message: ok\r\n");
        assertThat(origin().received().getFirst().field("te")).containsExactly("trailers");
    }

    @Test
    void a_destination_hears_of_trailers_only_where_the_agent_takes_them() {
        agent("two.up.test").send(to("two.up.test", "GET /")).read();
        agent("two.up.test")
                .send(to("two.up.test", "GET /", "TE: gzip;q=1, trailers"))
                .read();

        assertThat(origin().received().stream().map(request -> request.field("te")))
                .containsExactly(List.of(), List.of("trailers"));
    }

    @Test
    void a_hash_without_trailers_is_what_it_always_was() {
        var head = io.sallyport.testing.TestAdmissions.head("GET", new io.sallyport.http.Framing.None());
        assertThat(RequestHash.of(head, Fields.EMPTY, "aa")).isEqualTo(RequestHash.of(head, "aa"));
    }

    private String[] head(String name) {
        String authority = name + ":" + origin().port();
        return new String[] {":method", "POST", ":scheme", "https", ":authority", authority, ":path", "/v1/x"};
    }

    private int post(RawHttp2Client agent, String name, String... trailers) {
        int stream = agent.begin(head(name));
        agent.data(stream, "abc", false)
                .frame(
                        Http2Frame.HEADERS,
                        Http2Frame.END_STREAM | Http2Frame.END_HEADERS,
                        stream,
                        RawHttp2Client.headers(trailers));
        return stream;
    }

    @Test
    void they_cross_from_an_agent_in_http2_to_a_destination_in_http1_and_back() {
        origin().http1((request, out) -> out.write(("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + "2\r\nhi\r\n0\r\nX-Sum: 2\r\nContent-Length: 9\r\n\r\n")
                .getBytes(ISO_8859_1)));
        try (RawHttp2Client agent = hop.http2ToHttp2("two.up.test", hop.token("two"))) {
            RawHttp2Client.Answer answer = agent.answer(post(agent, "two.up.test", "x-checksum", "17"));
            assertThat(answer.text()).isEqualTo("hi");
            assertThat(answer.ended()).isTrue();
            assertThat(answer.heads().getLast()).containsExactly("x-sum: 2");
        }
        TestOrigin.Received request = origin().receivedHttp1().getFirst();
        assertThat(request.text()).isEqualTo("abc");
        assertThat(request.field("Transfer-Encoding")).containsExactly("chunked");
        assertThat(request.trailers()).containsExactly("x-checksum: 17");
    }

    /** With a token of the agent's own, and with another task's. */
    @Test
    void a_task_token_in_a_trailer_goes_to_no_destination() {
        for (String token : List.of(hop.token("two"), hop.token("bare"))) {
            String all = agent("two.up.test")
                    .send(to("two.up.test", "POST /v1/x", "Transfer-Encoding: chunked") + BODY + "X-Debug: " + token
                            + "\r\n\r\n")
                    .rest();
            assertThat(all)
                    .startsWith("HTTP/1.1 403")
                    .contains("task_token_in_request")
                    .doesNotContain(token);
            assertThat(hop.entries("refused").getLast() + hop.entries("outcome"))
                    .contains("task_token_in_request")
                    .doesNotContain(token);
            try (RawHttp2Client agent = hop.http2ToHttp2("two.up.test", hop.token("two"))) {
                RawHttp2Client.Answer answer = agent.answer(post(agent, "two.up.test", "x-debug", "a " + token));
                assertThat(answer.status()).isEqualTo(403);
                assertThat(answer.text()).contains("task_token_in_request").doesNotContain(token);
            }
        }
        assertThat(origin().received()).isEmpty();
        assertThat(origin().frames(Http2Frame.HEADERS)).isEmpty();
    }

    /** Whether the destination speaks HTTP/1.1 or HTTP/2, with a credential and without. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_task_token_in_a_trailer_of_an_answer_is_masked(boolean old) {
        String token = hop.token("two");
        if (old) {
            origin().http1((request, out) -> out.write(("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                            + "2\r\nhi\r\n0\r\nX-Echo: " + token + "\r\n\r\n")
                    .getBytes(ISO_8859_1)));
        } else {
            origin().answer(request -> {
                request.content();
                request.head(false, ":status", "200");
                request.data(false, "hi");
                request.head(true, "x-echo", token);
            });
        }
        String masked = "*".repeat(token.length());
        for (String name : List.of("two.up.test", "bare.up.test")) {
            RawClient.Answer answer = agent(name)
                    .send(to(name, "POST /v1/x", "TE: trailers", "Content-Length: 0"))
                    .read();
            assertThat(answer.trailers()).isEqualToIgnoringCase("x-echo: " + masked + "\r\n");
            try (RawHttp2Client agent = hop.http2ToHttp2(name, hop.token("two", "bare"))) {
                assertThat(agent.answer(post(agent, name, "x-sum", "1")).heads().getLast())
                        .containsExactly("x-echo: " + masked);
            }
        }
    }
}

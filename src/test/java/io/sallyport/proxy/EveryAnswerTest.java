package io.sallyport.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.Door;
import io.sallyport.testing.DoorCase;
import io.sallyport.testing.EveryHttp1Door;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestOrigin;
import java.io.IOException;
import org.awaitility.Awaitility;

/** Answers whose end or beginning is not where a simple reader looks for it (RW-47, RW-45), at every door. */
class EveryAnswerTest extends DoorCase {

    /** RW-47. */
    @EveryHttp1Door
    void after_each_kind_of_answer_the_same_connection_serves_another_request(Door door) {
        String token = door.token(hop);
        try (RawClient agent = door.open(hop, token)) {
            RawClient.Answer length =
                    then(agent, door, token, "HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 1488324\r\n\r\n");
            assertThat(length.field("Content-Length")).containsExactly("1488324");
            then(agent, door, token, "HEAD", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
            RawClient.Answer same = then(
                    agent,
                    door,
                    token,
                    "GET",
                    "HTTP/1.1 304 Not Modified\r\n\r\njunkHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\njunk");
            assertThat(same.status()).isEqualTo(304);
            RawClient.Answer none =
                    then(agent, door, token, "GET", "HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello");
            assertThat(none.status()).isEqualTo(204);
            assertThat(none.field("Content-Length")).isEmpty();
        }
    }

    /** The answer to the first; a second is sent behind it. */
    private RawClient.Answer then(RawClient agent, Door door, String token, String method, String wire) {
        door.origin(hop).answer(TestOrigin.raw(wire));
        RawClient.Answer answer =
                agent.send(door.head(hop, token, method + " /v1/x")).read(method);
        door.origin(hop).answer(TestOrigin.ok("next"));
        RawClient.Answer next =
                agent.send(door.head(hop, token, "GET /v1/next")).read();
        assertThat(next.text()).as(wire).isEqualTo("next");
        return answer;
    }

    /** RW-47: passed on, and never taken for the final one. */
    @EveryHttp1Door
    void an_interim_answer_comes_before_the_final_one(Door door) {
        String token = door.token(hop);
        door.origin(hop)
                .answer(TestOrigin.raw("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
                        + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
        try (RawClient agent = door.open(hop, token)) {
            agent.send(door.head(hop, token, "GET /v1/x"));
            assertThat(agent.read().status()).isEqualTo(103);
            assertThat(agent.read().text()).isEqualTo("ok");
        }
    }

    /** RW-47: chunked, or for HTTP/1.0 ended by the connection. */
    @EveryHttp1Door
    void an_answer_without_a_length_has_an_end_for_the_agent(Door door) {
        String token = door.token(hop);
        door.origin(hop).answer((request, out) -> {
            out.write("HTTP/1.1 200 OK\r\n\r\nunsized".getBytes(ISO_8859_1));
            out.flush();
            throw new IOException("ends here");
        });
        try (RawClient agent = door.open(hop, token)) {
            RawClient.Answer answer =
                    agent.send(door.head(hop, token, "GET /v1/x")).read();
            assertThat(answer.field("Transfer-Encoding")).containsExactly("chunked");
            assertThat(answer.text()).isEqualTo("unsized");
        }
        try (RawClient agent = door.open(hop, token)) {
            String old = door.head(hop, token, "GET /v1/x").replace(" HTTP/1.1\r\n", " HTTP/1.0\r\n");
            assertThat(agent.send(old).rest())
                    .endsWith("\r\n\r\nunsized")
                    .doesNotContainIgnoringCase("transfer-encoding");
        }
    }

    /** RW-28: what came with a length leaves with it, from a client of HTTP/1.0 too. */
    @EveryHttp1Door
    void content_from_an_http10_agent_never_becomes_chunked(Door door) {
        String token = door.token(hop);
        try (RawClient agent = door.open(hop, token)) {
            String head =
                    door.head(hop, token, "POST /v1/x", "Content-Length: 3").replace(" HTTP/1.1\r\n", " HTTP/1.0\r\n");
            assertThat(agent.send(head + "abc").rest()).startsWith("HTTP/1.1 200");
        }
        TestOrigin.Received seen = door.origin(hop).received().getFirst();
        assertThat(seen.field("Content-Length")).containsExactly("3");
        assertThat(seen.field("Transfer-Encoding")).isEmpty();
        assertThat(seen.text()).isEqualTo("abc");
    }

    /** RW-45: a 100 is passed on, and only then does content come. */
    @EveryHttp1Door
    void an_origin_that_says_100_gets_the_content(Door door) {
        String token = door.token(hop);
        String path = "/v1/continue/" + door.name();
        try (RawClient agent = door.open(hop, token)) {
            agent.send(door.head(hop, token, "POST " + path, "Content-Length: 5", "Expect: 100-continue"));
            assertThat(agent.head()).startsWith("HTTP/1.1 100");
            assertThat(agent.send("hello").read().status()).isEqualTo(200);
        }
        assertThat(door.origin(hop).received().getFirst().text()).isEqualTo("hello");
        Entries.of(hop, path).asserts("hello".getBytes(ISO_8859_1));
    }

    /** RW-45: the hop neither waits for a 100 that does not come nor makes one up. */
    @EveryHttp1Door
    void an_origin_that_ignores_expect_gets_what_the_agent_sends_unasked(Door door) {
        door.origin(hop).converseAfterHead((request, in, out) -> {
            byte[] content = in.readNBytes(5);
            TestOrigin.ok("got " + new String(content, ISO_8859_1)).to(request, out);
            out.flush();
        });
        String token = door.token(hop);
        try (RawClient agent = door.open(hop, token)) {
            agent.send(door.head(hop, token, "POST /v1/x", "Content-Length: 5", "Expect: 100-continue") + "hello");
            assertThat(agent.read().text()).isEqualTo("got hello");
        }
    }

    /** RW-42: extensions of chunks are nobody's business and stay behind. */
    @EveryHttp1Door
    void chunk_extensions_are_not_passed_on(Door door) {
        String token = door.token(hop);
        try (RawClient agent = door.open(hop, token)) {
            agent.send(door.head(hop, token, "POST /v1/x", "Transfer-Encoding: chunked")
                    + "3;name=value\r\nabc\r\n3;q=\"a;b\"\r\ndef\r\n0\r\n\r\n");
            assertThat(agent.read().status()).isEqualTo(200);
        }
        assertThat(door.origin(hop).received().getFirst().text()).isEqualTo("abcdef");
    }

    /** RW-53: a session that an origin opens for one task is nobody else's, and not kept for that task either. */
    @EveryHttp1Door
    void no_cookie_of_an_answer_comes_back_with_a_later_request(Door door) {
        door.origin(hop).answer(TestOrigin.status(200, "hello", "Set-Cookie: session=of-the-first"));
        for (String token : new String[] {door.token(hop), door.token(hop)}) {
            try (RawClient agent = door.open(hop, token)) {
                for (int i = 0; i < 2; i++) {
                    RawClient.Answer answer =
                            agent.send(door.head(hop, token, "GET /v1/x")).read();
                    assertThat(answer.field("Set-Cookie")).isEmpty();
                }
            }
        }
        assertThat(door.origin(hop).received())
                .hasSize(4)
                .allSatisfy(seen -> assertThat(seen.field("Cookie")).isEmpty());
    }

    /** RW-45, RW-26: an answer to half a request does not wait for the other half, and what left is what is on record. */
    @EveryHttp1Door
    void an_answer_to_half_a_request_is_passed_on_at_once(Door door) {
        door.origin(hop).converseAfterHead((request, in, out) -> {
            in.readNBytes(3);
            out.write("HTTP/1.1 413 Content Too Large\r\nContent-Length: 3\r\n\r\nbig".getBytes(ISO_8859_1));
            out.flush();
            in.readAllBytes();
        });
        String token = door.token(hop);
        String path = "/v1/half/" + door.name();
        try (RawClient agent = door.open(hop, token)) {
            agent.send(door.head(hop, token, "POST " + path, "Content-Length: 1000000") + "abc");
            RawClient.Answer answer = agent.read();
            assertThat(answer.status()).isEqualTo(413);
            assertThat(answer.text()).isEqualTo("big");
        }
        Awaitility.await()
                .untilAsserted(() ->
                        assertThat(Entries.of(hop, path).outcome()).contains("\"status\":413", "\"bytes_out\":3"));
    }
}

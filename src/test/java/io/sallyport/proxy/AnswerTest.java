package io.sallyport.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.HopCase;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestOrigin;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** RW-47: answers whose end is not where a simple reader looks for it; after each, the same connection serves another request. */
class AnswerTest extends HopCase {

    @Test
    void an_answer_to_head_keeps_its_length_and_has_no_content() {
        then("HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 1488324\r\n\r\n", answer -> {
            assertThat(answer.field("Content-Length")).containsExactly("1488324");
        });
        then("HEAD", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", answer -> {
            assertThat(answer.status()).isEqualTo(200);
        });
    }

    @Test
    void what_follows_a_304_is_never_an_answer() {
        then(
                "GET",
                "HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\n\r\njunkHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\njunk",
                answer -> {
                    assertThat(answer.status()).isEqualTo(304);
                });
    }

    @Test
    void a_204_has_no_content_whatever_it_says() {
        then("GET", "HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n", answer -> {
            assertThat(answer.status()).isEqualTo(204);
            assertThat(answer.field("Content-Length")).isEmpty();
        });
    }

    @Test
    void an_interim_answer_is_passed_on_and_not_taken_for_the_final_one() {
        hop.origin()
                .answer(TestOrigin.raw("HTTP/1.1 103 Early Hints\r\n"
                        + "Link: </a>\r\n\r\n"
                        + "HTTP/1.1 200 OK\r\n"
                        + "Content-Length: 2\r\n\r\n"
                        + "ok"));
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("read"))) {
            agent.send(request("GET /v1/x"));
            assertThat(agent.read().status()).isEqualTo(103);
            assertThat(agent.read().text()).isEqualTo("ok");
        }
    }

    @Test
    void an_answer_without_length_is_chunked_for_the_agent() {
        hop.origin().answer((request, out) -> {
            out.write("HTTP/1.1 200 OK\r\n\r\nunsized".getBytes(ISO_8859_1));
            out.flush();
            throw new IOException("ends here");
        });
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("read"))) {
            RawClient.Answer answer = agent.send(request("GET /v1/x")).read();
            assertThat(answer.field("Transfer-Encoding")).containsExactly("chunked");
            assertThat(answer.text()).isEqualTo("unsized");
            hop.origin().answer(TestOrigin.ok("next"));
            assertThat(agent.send(request("GET /v1/x")).read().text()).isEqualTo("next");
        }
    }

    /** RFC 9112 section 9.8: anybody on the way can end a connection, and half an answer is not to pass for a whole one. */
    @Test
    void an_answer_without_length_that_ends_below_tls_is_not_whole() {
        hop.origin().answer((request, out) -> {
            out.write("HTTP/1.1 200 OK\r\n\r\nhalf".getBytes(ISO_8859_1));
            throw new TestOrigin.Cut();
        });
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("read"))) {
            assertThat(agent.send(request("GET /v1/x")).rest()).doesNotContain("\r\n0\r\n");
        }
        Awaitility.await()
                .untilAsserted(
                        () -> assertThat(hop.entries("outcome")).anyMatch(entry -> entry.contains("upstream_reset")));
    }

    @Test
    void an_http10_agent_never_gets_chunks() {
        hop.origin()
                .answer(TestOrigin.raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"));
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("read"))) {
            String all = agent.send("GET /v1/x HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
                    .rest();
            assertThat(all)
                    .endsWith("\r\n\r\nabc")
                    .contains("Connection: close")
                    .doesNotContain("chunked");
        }
    }

    @Test
    void an_http10_agent_that_asks_for_it_keeps_its_connection_where_the_length_is_known() {
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("read"))) {
            for (int i = 0; i < 2; i++) {
                RawClient.Answer answer = agent.send("GET /v1/x HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
                        .read();
                assertThat(answer.text()).isEqualTo("hello");
                assertThat(answer.field("Connection")).containsExactly("keep-alive");
            }
        }
    }

    @Test
    void fields_of_one_hop_and_alt_svc_stay_behind() {
        hop.origin()
                .answer(TestOrigin.status(
                        200,
                        "x",
                        "Connection: x-hop",
                        "X-Hop: 1",
                        "Keep-Alive: timeout=5",
                        "Alt-Svc: h3=\":443\"",
                        "X-End: 2"));
        then("GET", null, answer -> {
            assertThat(answer.head())
                    .doesNotContain("X-Hop")
                    .doesNotContain("Keep-Alive")
                    .doesNotContain("Alt-Svc");
            assertThat(answer.field("X-End")).containsExactly("2");
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nabc",
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nX: a\nY: b\r\n\r\n",
                "HTTP/2 200 OK\r\n\r\n",
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
                "nonsense\r\n\r\n"
            })
    void an_answer_with_two_readings_is_not_passed_on(String wire) {
        hop.origin().answer(TestOrigin.raw(wire));
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("read"))) {
            RawClient.Answer answer = agent.send(request("GET /v1/x")).read();
            assertThat(answer.status()).isEqualTo(502);
            assertThat(answer.text()).contains("upstream_malformed");
        }
    }

    @Test
    void an_answer_that_breaks_off_ends_without_its_last_chunk() {
        hop.origin().answer((request, out) -> {
            out.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n".getBytes(ISO_8859_1));
            out.flush();
            throw new IOException("breaks off");
        });
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("read"))) {
            String all = agent.send(request("GET /v1/x")).rest();
            assertThat(all).doesNotContain("\r\n0\r\n");
        }
        Awaitility.await()
                .untilAsserted(
                        () -> assertThat(hop.entries("outcome")).anyMatch(entry -> entry.contains("upstream-failed")));
    }

    @Test
    void a_connection_to_the_origin_serves_one_request_after_the_other() {
        String token = hop.token("read");
        int before = hop.origin().connections();
        try (RawClient agent = hop.tunnel("api.up.test", token)) {
            for (int i = 0; i < 5; i++) {
                assertThat(agent.send(request("GET /v1/x")).read().text()).isEqualTo("hello");
            }
        }
        assertThat(hop.origin().connections() - before).isLessThanOrEqualTo(1);
    }

    private void then(String method, String wire, java.util.function.Consumer<RawClient.Answer> check) {
        if (wire != null) {
            hop.origin().answer(TestOrigin.raw(wire));
        }
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("read"))) {
            check.accept(agent.send(request(method + " /v1/x")).read(method));
            hop.origin().answer(TestOrigin.ok("next"));
            assertThat(agent.send(request("GET /v1/x")).read().text()).isEqualTo("next");
        }
    }

    /** Without TLS only a FIN is the end of an answer that has no other. */
    @Test
    void an_answer_without_length_that_ends_with_a_reset_is_not_whole() {
        CountDownLatch seen = new CountDownLatch(1);
        hop.plainOrigin().answer((request, out) -> {
            out.write("HTTP/1.1 200 OK\r\n\r\nhalf".getBytes(ISO_8859_1));
            out.flush();
            await(seen);
            throw new TestOrigin.Broken();
        });
        try (RawClient agent = hop.connect()) {
            agent.send(text("GET http://" + hop.plainHost("plain.up.test") + "/x", "x", shows(hop.token("plain"))));
            assertThat(agent.head()).contains("chunked");
            seen.countDown();
            assertThat(agent.rest()).doesNotContain("\r\n0\r\n");
        }
        Awaitility.await()
                .untilAsserted(() ->
                        assertThat(hop.entries("outcome").getLast()).contains("upstream-failed", "upstream_reset"));
    }

    /** The write that finds out is told of the reset, and the read behind it of a plain end. */
    @Test
    void nor_is_one_whose_connection_is_found_broken_by_writing_the_request() {
        CountDownLatch seen = new CountDownLatch(1);
        hop.plainOrigin().converseAfterHead((head, in, out) -> {
            out.write("HTTP/1.1 200 OK\r\n\r\nhalf".getBytes(ISO_8859_1));
            out.flush();
            await(seen);
            throw new TestOrigin.Broken();
        });
        int length = 8 * 1024 * 1024;
        try (RawClient agent = hop.connect()) {
            agent.send(text(
                    "POST http://" + hop.plainHost("plain.up.test") + "/x",
                    "x",
                    shows(hop.token("plain")),
                    "Content-Length: " + length));
            agent.send("x".repeat(2 * 1024 * 1024));
            assertThat(agent.head()).contains("chunked");
            seen.countDown();
            assertThat(agent.rest()).doesNotContain("\r\n0\r\n");
        }
        Awaitility.await()
                .untilAsserted(() ->
                        assertThat(hop.entries("outcome").getLast()).contains("upstream-failed", "upstream_reset"));
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void more_interim_answers_than_mean_anything_are_not_passed_on() {
        String hint = "HTTP/1.1 103 Early Hints\r\n\r\n";
        hop.origin().answer(TestOrigin.raw(hint.repeat(32) + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("read"))) {
            assertThat(agent.send(request("GET /v1/x", "Connection: close")).rest())
                    .endsWith("\r\n\r\nok");
        }
        hop.origin().answer(TestOrigin.raw(hint.repeat(33) + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("read"))) {
            assertThat(agent.send(request("GET /v1/x", "Connection: close")).rest())
                    .startsWith(hint)
                    .contains("HTTP/1.1 502 ", "upstream_malformed");
        }
    }
}

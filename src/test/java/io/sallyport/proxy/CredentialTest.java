package io.sallyport.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.HopCase;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestHop;
import io.sallyport.testing.TestOrigin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What rides on a request, and what must not. */
class CredentialTest extends HopCase {

    /** RW-24. */
    @Test
    void whatever_the_agent_brings_in_a_credential_slot_is_taken_off_and_noted() {
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("read"))) {
            agent.send(request(
                    "GET /v1/own?key=mine&q=1&api_key=mine&access_token=mine",
                    "x-api-key: mine",
                    "api-key: mine",
                    "x-goog-api-key: mine",
                    "Cookie: s=mine",
                    "Authorization: Bearer mine",
                    "authorization: Bearer mine2",
                    "Accept: text/plain"));
            assertThat(agent.read().status()).isEqualTo(200);
        }
        TestOrigin.Received seen = hop.origin().received().getFirst();
        assertThat(seen.head()).doesNotContain("mine");
        assertThat(seen.requestLine()).isEqualTo("GET /v1/own?q=1 HTTP/1.1");
        assertThat(seen.field("Authorization")).containsExactly("Bearer " + TestHop.SECRET);
        assertThat(seen.field("Accept")).containsExactly("text/plain");
        assertThat(hop.entries("used"))
                .anyMatch(entry -> entry.contains("/v1/own") && entry.contains("x-api-key") && entry.contains("cookie"))
                .noneMatch(entry -> entry.contains("mine"));
    }

    /** RW-32. */
    @Test
    void a_connection_field_names_away_nothing_that_counts() {
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("read", "write"))) {
            agent.send(request(
                            "POST /v1/x",
                            "Connection: authorization, x-api-key, host, content-length",
                            "X-Hop: 1",
                            "Connection: x-hop",
                            "Keep-Alive: timeout=5",
                            "TE: trailers",
                            "Upgrade: websocket",
                            "Proxy-Connection: keep-alive",
                            "Content-Length: 3")
                    + "abc");
            assertThat(agent.read().status()).isEqualTo(200);
        }
        TestOrigin.Received seen = hop.origin().received().getFirst();
        assertThat(seen.field("Authorization")).containsExactly("Bearer " + TestHop.SECRET);
        assertThat(seen.field("Host")).containsExactly(hop.host("api.up.test"));
        assertThat(seen.field("Content-Length")).containsExactly("3");
        assertThat(seen.text()).isEqualTo("abc");
        assertThat(seen.head()).doesNotContainIgnoringCase("x-hop").doesNotContainIgnoringCase("keep-alive");
        assertThat(seen.head()).doesNotContain("Upgrade").doesNotContain("TE:").doesNotContain("Proxy-");
    }

    /** RW-13. */
    @Test
    void the_task_token_never_goes_upstream() {
        String token = hop.token("read", "plain");
        try (RawClient agent = hop.connect()) {
            agent.send(text("GET http://" + hop.plainHost("plain.up.test") + "/x", "any", shows(token)));
            assertThat(agent.read().status()).isEqualTo(200);
        }
        try (RawClient agent = hop.tunnel("api.up.test", token)) {
            agent.send(request("GET /v1/x", shows(token), "Proxy-Connection: keep-alive"));
            assertThat(agent.read().status()).isEqualTo(200);
        }
        assertThat(hop.plainOrigin().received().getFirst().head())
                .doesNotContain("Proxy-")
                .doesNotContain(token);
        assertThat(hop.origin().received().getFirst().head())
                .doesNotContain("Proxy-")
                .doesNotContain(token);
        assertThat(hop.entries("used")).noneMatch(entry -> entry.contains(token));
    }

    /** RW-66. */
    @Test
    void a_secret_that_the_origin_echoes_is_masked_wherever_it_stands() {
        String secret = TestHop.SECRET;
        hop.origin()
                .answer(TestOrigin.raw(
                        "HTTP/1.1 401 No " + secret + "\r\nX-Echo: " + secret + "\r\nLocation: /x?key=" + secret
                                + "\r\nWWW-Authenticate: Bearer " + secret + "\r\nSet-Cookie: s=" + secret
                                + "\r\nTransfer-Encoding: chunked\r\n\r\n"
                                + Integer.toHexString(secret.length() + 2) + "\r\n<" + secret + ">\r\n0\r\nX-Trailer: "
                                + secret + "\r\n\r\n"));
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("read"))) {
            RawClient.Answer answer = agent.send(request("GET /v1/echoed")).read();
            assertThat(answer.status()).isEqualTo(401);
            assertThat(answer.head()).doesNotContain(secret).doesNotContain("sk-live");
            assertThat(answer.text())
                    .doesNotContain("sk-live")
                    .hasSize(secret.length() + 2)
                    .startsWith("<")
                    .endsWith(">");
            assertThat(answer.trailers()).contains("X-Trailer").doesNotContain("sk-live");
            hop.origin().answer(TestOrigin.ok("next"));
            assertThat(agent.send(request("GET /v1/x")).read().text()).isEqualTo("next");
        }
        assertThat(hop.entries("outcome")).anyMatch(entry -> entry.contains("\"masked\":true"));
    }

    /** RW-66: an HTTP/1.0 answer that ends with its connection. */
    @Test
    void a_secret_in_an_answer_without_length_is_masked() {
        hop.origin().answer((request, out) -> {
            out.write(("HTTP/1.0 200 OK\r\n\r\nkey=" + TestHop.SECRET)
                    .getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
            out.flush();
            throw new java.io.IOException("ends here");
        });
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("read"))) {
            RawClient.Answer answer = agent.send(request("GET /v1/x")).read();
            assertThat(answer.text())
                    .startsWith("key=")
                    .doesNotContain("sk-live")
                    .hasSize(4 + TestHop.SECRET.length());
        }
    }

    /** RW-68. */
    @Test
    void a_secret_that_comes_in_two_pieces_is_masked_wherever_it_is_cut() {
        String secret = TestHop.SECRET;
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("read"))) {
            for (int cut = 1; cut < secret.length(); cut += 3) {
                int at = cut;
                hop.origin().answer((request, out) -> {
                    out.write(("HTTP/1.1 200 OK\r\nContent-Length: " + (secret.length() + 4) + "\r\n\r\n{\""
                                    + secret.substring(0, at))
                            .getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
                    out.flush();
                    out.write((secret.substring(at) + "\"}").getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
                });
                RawClient.Answer answer = agent.send(request("GET /v1/x")).read();
                assertThat(answer.text()).isEqualTo("{\"" + "*".repeat(secret.length()) + "\"}");
            }
        }
    }

    /** RW-68: what comes before a look-alike is not held up. */
    @Test
    void an_event_arrives_while_the_beginning_of_a_secret_is_held_back() throws Exception {
        var goOn = new java.util.concurrent.CountDownLatch(1);
        hop.origin().answer((request, out) -> {
            out.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: one\n\ndata: sk-li"
                    .getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
            out.flush();
            try {
                goOn.await(10, java.util.concurrent.TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                throw new java.io.IOException(e);
            }
            out.write("ttle\n\n".getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
            out.flush();
            throw new java.io.IOException("ends here");
        });
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("read"))) {
            agent.send(request("GET /v1/events", "Connection: close"));
            agent.head();
            StringBuilder seen = new StringBuilder();
            while (seen.indexOf("data: one\n\n") < 0) {
                seen.append(agent.take());
            }
            assertThat(seen).doesNotContain("sk-l");
            goOn.countDown();
            assertThat(seen.append(agent.rest())).contains("sk-li").contains("ttle");
        }
    }

    @Test
    void a_coding_that_nobody_here_can_take_off_could_hide_the_secret_and_is_refused() {
        hop.origin().answer(TestOrigin.status(200, "xxxx", "Content-Encoding: compress"));
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("read"))) {
            RawClient.Answer answer = agent.send(request("GET /v1/x", "Accept-Encoding: gzip, br"))
                    .read();
            assertThat(answer.status()).isEqualTo(502);
            assertThat(answer.text()).contains("upstream_coded");
        }
        assertThat(hop.origin().received().getFirst().field("Accept-Encoding")).containsExactly("identity");
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-HTTP-Method-Override: DELETE", "X-Original-URL: /admin"})
    void a_field_that_overrides_what_was_judged_is_refused(String field) {
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("read"))) {
            RawClient.Answer answer = agent.send(request("GET /v1/x", field)).read();
            assertThat(answer.status()).isEqualTo(403);
            assertThat(answer.text()).contains("method_override");
        }
        assertThat(hop.origin().received()).isEmpty();
    }

    @Test
    void over_plain_http_a_credential_goes_only_where_its_document_lists_the_http_origin() {
        String token = hop.token("clear", "plain");
        try (RawClient agent = hop.connect()) {
            agent.send(text("GET http://" + hop.plainHost("clear.up.test") + "/v1/x", "any", shows(token)));
            assertThat(agent.read().status()).isEqualTo(200);
        }
        assertThat(hop.plainOrigin().received().getFirst().field("Authorization"))
                .containsExactly("Bearer " + TestHop.SECRET);
    }
}

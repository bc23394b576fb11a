package io.sallyport.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.HopCase;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestOrigin;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A task token goes to no destination: not by mistake in a log line, not in a debug endpoint's echo. */
class TaskTokenTest extends HopCase {

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
    }

    private void refused(RawClient.Answer answer) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(403);
        assertThat(answer.text()).contains("task_token_in_request").doesNotContain("\"ledger\":null", "eyJ");
    }

    private void nothingLeftAndNothingIsKept(String token) {
        assertThat(hop.origin().received()).isEmpty();
        String entry = hop.entries("refused").getLast();
        assertThat(entry).contains("task_token_in_request").doesNotContain(token, token.substring(token.indexOf('.')));
    }

    @Test
    void in_a_target_or_a_field_it_is_refused_with_an_entry_that_does_not_repeat_it() {
        String token = hop.token("read", "blob");
        String other = hop.token("read");
        for (String head : List.of(
                request("GET /v1/x?note=" + token),
                request("GET /v1/x", "X-Debug: HTTPS_PROXY=http://task:" + other + "@127.0.0.1:3128"),
                request("GET /v1/x", "X-Forwarded-Auth: Basic " + base64("task:" + token)))) {
            try (RawClient agent = hop.tunnel("api.up.test", token)) {
                refused(agent.send(head).read());
            }
            nothingLeftAndNothingIsKept(token);
        }
    }

    /** Another refusal repeats the target in its entry, too. */
    @Test
    void a_target_with_a_token_is_in_no_entry_of_another_refusal() {
        String token = hop.token("read");
        try (RawClient agent = hop.tunnel("api.up.test", token)) {
            for (String target : List.of("/elsewhere?note=" + token, "/elsewhere/" + token)) {
                RawClient.Answer answer = agent.send(request("GET " + target)).read();
                assertThat(answer.status()).isEqualTo(403);
                assertThat(answer.text()).contains("path_not_allowed").doesNotContain(token);
            }
        }
        assertThat(hop.entries("refused").getLast())
                .contains("path_not_allowed")
                .doesNotContain(token);
    }

    @Test
    void in_content_it_is_refused_and_nothing_of_its_window_leaves() {
        String token = hop.token("write");
        for (String content : List.of(
                "{\"log\":\"proxy http://task:" + token + "@127.0.0.1\"}",
                "x".repeat(70_000) + base64("task:" + token),
                token)) {
            try (RawClient agent = hop.tunnel("api.up.test", token)) {
                refused(agent.send(request("POST /v1/x", "Content-Length: " + content.length()) + content)
                        .read());
            }
            nothingLeftAndNothingIsKept(token);
        }
    }

    @Test
    void a_token_that_is_cut_between_chunks_is_found() {
        String token = hop.token("write");
        try (RawClient agent = hop.tunnel("api.up.test", token)) {
            agent.send(request("POST /v1/x", "Transfer-Encoding: chunked"));
            for (int i = 0; i < token.length(); i += 10) {
                String piece = token.substring(i, Math.min(token.length(), i + 10));
                agent.send(Integer.toHexString(piece.length()) + "\r\n" + piece + "\r\n");
            }
            agent.send("0\r\n\r\n");
            refused(agent.read());
        }
        nothingLeftAndNothingIsKept(token);
    }

    /** Of a window that left before, only what every token begins with can have gone. */
    @Test
    void in_a_later_window_it_ends_the_request_before_the_token_is_out() {
        String token = hop.token("write");
        String first = "y".repeat((1 << 20) - 30) + token.substring(0, 30);
        try (RawClient agent = hop.tunnel("api.up.test", token)) {
            agent.send(request("POST /v1/x", "Content-Length: " + (first.length() + token.length() - 30)));
            agent.send(first + token.substring(30));
            agent.rest();
        }
        assertThat(hop.origin().received().stream().map(TestOrigin.Received::toString))
                .noneMatch(seen -> seen.contains(token.substring(token.indexOf('.'))));
    }

    @Test
    void in_the_hops_own_field_and_in_the_place_of_a_key_it_is_where_it_belongs() {
        String token = hop.token("read");
        try (RawClient agent = hop.connect()) {
            agent.send(text("GET /gateway/fixer:read/v1/y", "x", "Authorization: Bearer " + token));
            assertThat(agent.read().status()).isEqualTo(200);
        }
        try (RawClient agent = hop.tunnel("api.up.test", token)) {
            agent.send(request("GET /v1/x", shows(token)));
            assertThat(agent.read().status()).isEqualTo(200);
        }
        assertThat(hop.origin().received())
                .hasSize(2)
                .noneMatch(seen -> seen.toString().contains(token));
    }

    @Test
    void in_an_answer_it_is_masked_with_a_credential_and_without() {
        String token = hop.token("read", "blob");
        TestOrigin.Answer echo = TestOrigin.status(200, "{\"seen\":\"" + token + "\"}", "X-Echo: " + token);
        hop.origin().answer(echo);
        for (String name : List.of("api.up.test", "blob.up.test")) {
            try (RawClient agent = hop.tunnel(name, token)) {
                RawClient.Answer answer =
                        agent.send(text("GET /v1/x", hop.host(name))).read();
                // What all tokens begin with is no secret, and may have passed when the rest came.
                assertThat(answer.text())
                        .matches("\\{\"seen\":\"[^*.]*\\*+\"}")
                        .hasSize(token.length() + 11)
                        .doesNotContain(token.substring(token.indexOf('.')));
                assertThat(answer.field("X-Echo")).containsExactly("*".repeat(token.length()));
            }
        }
    }

    /** A token is made of characters that names and methods have, too. HTTP/1.1 keeps their case. */
    @Test
    void as_the_name_of_a_field_or_of_a_trailer_it_is_refused() {
        String token = hop.token("write");
        for (String sent : List.of(
                request("POST /v1/x", token + ": 1", "Content-Length: 0"),
                request("POST /v1/x", "Transfer-Encoding: chunked") + "3\r\nabc\r\n0\r\n" + token + ": 1\r\n\r\n")) {
            try (RawClient agent = hop.tunnel("api.up.test", token)) {
                refused(agent.send(sent).read());
            }
            nothingLeftAndNothingIsKept(token);
        }
    }

    @Test
    void as_a_method_it_is_in_no_entry() {
        String token = hop.token("read");
        for (String target : List.of("/v1/x", "/v1/../x")) {
            try (RawClient agent = hop.tunnel("api.up.test", token)) {
                assertThat(agent.send(request(token + " " + target)).read().status())
                        .isIn(400, 403);
            }
            assertThat(hop.entries("refused").getLast())
                    .contains("\"method\":\"\"")
                    .doesNotContain(token.substring(0, 20));
        }
        assertThat(hop.origin().received()).isEmpty();
    }
}

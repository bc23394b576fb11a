package io.sallyport.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.HopCase;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestOrigin;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Absolute-form requests, the gateway, and what no listener takes. */
class ForwardTest extends HopCase {

    /** RW-17. */
    @Test
    void each_request_of_a_kept_connection_goes_to_its_own_target() {
        String token = hop.token("plain", "clear");
        try (RawClient agent = hop.connect()) {
            agent.send(text("GET http://" + hop.plainHost("plain.up.test") + "/a", "clear.up.test", shows(token)));
            assertThat(agent.read().status()).isEqualTo(200);
            agent.send(text("GET http://" + hop.plainHost("clear.up.test") + "/v1/b", "x", shows(token)));
            assertThat(agent.read().status()).isEqualTo(200);
            agent.send(text("GET http://" + hop.plainHost("plain.up.test") + "/a", "x", shows(token)));
            assertThat(agent.read().status()).isEqualTo(200);
        }
        assertThat(hop.plainOrigin().received())
                .extracting(seen -> seen.requestLine() + " " + seen.field("Host")
                        + seen.field("Authorization").size())
                .containsExactly(
                        "GET /a HTTP/1.1 [" + hop.plainHost("plain.up.test") + "]0",
                        "GET /v1/b HTTP/1.1 [" + hop.plainHost("clear.up.test") + "]1",
                        "GET /a HTTP/1.1 [" + hop.plainHost("plain.up.test") + "]0");
    }

    @Test
    void without_a_live_token_an_absolute_form_request_is_challenged_and_its_small_body_read() {
        String target = "POST http://" + hop.plainHost("plain.up.test") + "/a";
        try (RawClient agent = hop.connect()) {
            agent.send(text(target, "x", "Content-Length: 5") + "hello");
            assertThat(agent.read().status()).isEqualTo(407);
            agent.send(text(target, "x", "Content-Length: 5", shows(hop.token("plain"))) + "hello");
            assertThat(agent.read().status()).isEqualTo(200);
        }
        assertThat(hop.plainOrigin().received()).hasSize(1);
    }

    @Test
    void the_gateway_takes_the_token_where_the_credential_would_go() {
        String token = hop.token("read");
        String basic = Base64.getEncoder().encodeToString(("any:" + token).getBytes());
        for (String field :
                List.of("Authorization: Bearer " + token, "Authorization: Basic " + basic, "x-api-key: " + token)) {
            hop.origin().received().clear();
            try (RawClient agent = hop.connect()) {
                agent.send(text("GET /gateway/fixer:read/v1/a%2Db?q=%7e", "localhost", field));
                assertThat(agent.read().status()).as(field).isEqualTo(200);
            }
            TestOrigin.Received seen = hop.origin().received().getFirst();
            assertThat(seen.requestLine()).isEqualTo("GET /v1/a-b?q=~ HTTP/1.1");
            assertThat(seen.field("Host")).containsExactly(hop.host("api.up.test"));
            assertThat(seen.head()).doesNotContain(token);
        }
        assertThat(hop.entries("used")).allMatch(entry -> entry.contains("\"removed\":[]"));
    }

    @Test
    void the_gateway_challenges_and_refuses_in_its_own_way() {
        String token = hop.token("read");
        try (RawClient agent = hop.connect()) {
            RawClient.Answer none =
                    agent.send(text("GET /gateway/fixer:read/v1/x", "h")).read();
            assertThat(none.status()).isEqualTo(401);
            assertThat(none.field("WWW-Authenticate")).contains("Basic realm=\"sallyport\"");
            RawClient.Answer other = agent.send(text("GET /gateway/fixer:write/v1/x", "h", "x-api-key: " + token))
                    .read();
            assertThat(other.status()).isEqualTo(403);
            assertThat(other.text()).contains("scope_mismatch");
        }
        try (RawClient agent = hop.connect()) {
            RawClient.Answer two = agent.send(text(
                            "GET /gateway/fixer:read/v1/x", "h", "x-api-key: " + token, "Authorization: Bearer other"))
                    .read();
            assertThat(two.status()).isEqualTo(400);
        }
        try (RawClient agent = hop.connect()) {
            assertThat(agent.send(text("GET /gateway/fixer:nothing/v1/x", "h"))
                            .read()
                            .status())
                    .isEqualTo(401);
        }
        try (RawClient agent = hop.connect()) {
            RawClient.Answer unknown = agent.send(text("GET /gateway/fixer:nothing/v1/x", "h", "x-api-key: " + token))
                    .read();
            assertThat(unknown.status()).isEqualTo(403);
            assertThat(unknown.text()).contains("The task token has fixer:");
        }
        assertThat(hop.origin().received()).isEmpty();
    }

    /** RW-40, on every listener. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 4\r\nTransfer-Encoding: chunked",
                "Content-Length: 0\r\nContent-Length: 40",
                "Content-Length: +5",
                "Content-Length: 5,5",
                "Content-Length: 5 , 6",
                "Content-Length: 0x5",
                "Content-Length : 5",
                "Transfer-Encoding: chunked, chunked",
                "Transfer-Encoding: xchunked",
                "Transfer-Encoding: gzip, chunked",
                "Transfer-Encoding:\u000bchunked",
                "X: a\r\n folded: b",
                "X: a\nY: b",
                "Host: second",
                "Bad Name: x"
            })
    void a_request_with_two_readings_has_none(String fields) {
        String token = hop.token("read", "write", "plain");
        String smuggled = "0\r\n\r\nGET /v1/smuggled HTTP/1.1\r\nHost: x\r\n\r\n";
        for (String start : List.of(
                "POST http://" + hop.plainHost("plain.up.test") + "/x HTTP/1.1\r\nHost: x\r\n" + shows(token),
                "POST /gateway/fixer:write/v1/x HTTP/1.1\r\nHost: x\r\nx-api-key: " + token)) {
            try (RawClient agent = hop.connect()) {
                String all = agent.send(start + "\r\n" + fields + "\r\n\r\n" + smuggled)
                        .rest();
                assertThat(all).startsWith("HTTP/1.1 400").contains("Connection: close");
                assertThat(all.split("HTTP/1.1 \\d", -1)).hasSize(2);
            }
        }
        try (RawClient agent = hop.tunnel("api.up.test", token)) {
            String all = agent.send("POST /v1/x HTTP/1.1\r\nHost: " + hop.host("api.up.test") + "\r\n" + fields
                            + "\r\n\r\n" + smuggled)
                    .rest();
            assertThat(all)
                    .startsWith("HTTP/1.1 400")
                    .contains("\"error\":\"malformed\"")
                    .doesNotContain("\"ledger\":null");
        }
        assertThat(hop.origin().received()).isEmpty();
        assertThat(hop.plainOrigin().received()).isEmpty();
    }

    /** RW-40: what a message's length covers is content, whatever it looks like, and is never a request of its own. */
    @Test
    void a_request_within_a_content_is_content() {
        String token = hop.token("read", "write", "plain");
        String smuggled = "GET /v1/smuggled HTTP/1.1\r\nHost: x\r\n\r\n";
        String length = "Content-Length: " + smuggled.length();
        try (RawClient agent = hop.tunnel("api.up.test", token)) {
            assertThat(agent.send(request("GET /v1/x", length) + smuggled)
                            .read()
                            .status())
                    .isEqualTo(200);
            assertThat(agent.send(request("GET /v1/after")).read().status()).isEqualTo(200);
        }
        try (RawClient agent = hop.connect()) {
            String plain = "http://" + hop.plainHost("plain.up.test");
            assertThat(agent.send(text("GET " + plain + "/x", "x", length, shows(token)) + smuggled)
                            .read()
                            .status())
                    .isEqualTo(200);
            assertThat(agent.send(text("GET /gateway/fixer:read/v1/x", "x", length, "x-api-key: " + token) + smuggled)
                            .read()
                            .status())
                    .isEqualTo(200);
            assertThat(agent.send(text("GET " + plain + "/after", "x", shows(token)))
                            .read()
                            .status())
                    .isEqualTo(200);
        }
        assertThat(hop.origin().received())
                .extracting(seen -> seen.requestLine() + seen.content().length)
                .containsExactly(
                        "GET /v1/x HTTP/1.1" + smuggled.length(),
                        "GET /v1/after HTTP/1.10",
                        "GET /v1/x HTTP/1.1" + smuggled.length());
        assertThat(hop.plainOrigin().received())
                .extracting(TestOrigin.Received::requestLine)
                .containsExactly("GET /x HTTP/1.1", "GET /after HTTP/1.1");
    }

    /** RFC 9112 section 3.2: exactly one Host, on every listener. */
    @Test
    void an_http11_request_without_host_is_malformed_on_every_listener() {
        String token = hop.token("read", "plain");
        for (String start : List.of(
                "GET http://" + hop.plainHost("plain.up.test") + "/x HTTP/1.1\r\n" + shows(token),
                "GET /gateway/fixer:read/v1/x HTTP/1.1\r\nx-api-key: " + token,
                "CONNECT " + hop.host("api.up.test") + " HTTP/1.1\r\n" + shows(token))) {
            try (RawClient agent = hop.connect()) {
                assertThat(agent.send(start + "\r\n\r\n").read().status())
                        .as(start)
                        .isEqualTo(400);
            }
        }
        try (RawClient agent = hop.tunnel("api.up.test", token)) {
            assertThat(agent.send("GET /v1/x HTTP/1.1\r\n\r\n").read().status()).isEqualTo(400);
        }
        assertThat(hop.origin().received()).isEmpty();
        assertThat(hop.plainOrigin().received()).isEmpty();
    }

    @Test
    void heads_and_targets_have_limits() {
        String host = "http://" + hop.plainHost("plain.up.test");
        try (RawClient agent = hop.connect()) {
            assertThat(agent.send(text("GET " + host + "/" + "x".repeat(9000), "x"))
                            .read()
                            .status())
                    .isEqualTo(414);
        }
        try (RawClient agent = hop.connect()) {
            assertThat(agent.send(text(
                                    "GET " + host + "/", "x", ("A: " + "x".repeat(1000) + "\r\n").repeat(70) + "B: 1"))
                            .read()
                            .status())
                    .isEqualTo(431);
        }
    }

    @Test
    void what_is_no_request_to_a_proxy_is_malformed() {
        for (String line : List.of(
                "GET /", "OPTIONS *", "GET http:x", "GET ftp://a.test/", "CONNECT a.test", "CONNECT http://a.test:1")) {
            try (RawClient agent = hop.connect()) {
                assertThat(agent.send(text(line, "x")).read().status()).as(line).isEqualTo(400);
            }
        }
    }
}

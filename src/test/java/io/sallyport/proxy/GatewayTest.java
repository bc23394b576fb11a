package io.sallyport.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.grant.EndReason;
import io.sallyport.grant.Grant;
import io.sallyport.grant.Grants;
import io.sallyport.store.Writer;
import io.sallyport.testing.HopCase;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestCertificates;
import io.sallyport.testing.TestHop;
import io.sallyport.testing.TestOrigin;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The gateway keeps the promises that a tunnel keeps: the same cases, asked of it. */
class GatewayTest extends HopCase {

    private String to(String line, String token, String... fields) {
        return at("read", line, token, fields);
    }

    /** @param line method and path */
    private static String at(String scope, String line, String token, String... fields) {
        String[] all = java.util.Arrays.copyOf(fields, fields.length + 1);
        all[fields.length] = "Authorization: Bearer " + token;
        return text(line.replaceFirst(" ", " /gateway/fixer:" + scope), "localhost", all);
    }

    /** RW-24: the token stands where the credential goes; in every other slot the agent's own is taken off. */
    @Test
    void what_the_agent_brings_in_other_slots_is_taken_off_and_noted() {
        String token = hop.token("read");
        try (RawClient agent = hop.connect()) {
            agent.send(to(
                    "GET /v1/own?key=mine&q=1&access_token=mine",
                    token,
                    "Cookie: s=mine",
                    "x-goog-api-key: mine",
                    "Proxy-Authorization: " + RawClient.basic(token)));
            assertThat(agent.read().status()).isEqualTo(200);
        }
        TestOrigin.Received seen = hop.origin().received().getFirst();
        assertThat(seen.head()).doesNotContain("mine", token, "Proxy-");
        assertThat(seen.requestLine()).isEqualTo("GET /v1/own?q=1 HTTP/1.1");
        assertThat(seen.field("Authorization")).containsExactly("Bearer " + TestHop.SECRET);
        assertThat(hop.entries("used"))
                .anyMatch(entry -> entry.contains("/v1/own") && entry.contains("cookie"))
                .noneMatch(entry -> entry.contains("mine") || entry.contains(token));
    }

    /** RW-32. */
    @Test
    void a_connection_field_names_away_nothing_that_counts() {
        try (RawClient agent = hop.connect()) {
            agent.send(at(
                            "write",
                            "POST /v1/x",
                            hop.token("write"),
                            "Connection: authorization, host, content-length, x-hop",
                            "X-Hop: 1",
                            "Content-Length: 3")
                    + "abc");
            assertThat(agent.read().status()).isEqualTo(200);
        }
        TestOrigin.Received seen = hop.origin().received().getFirst();
        assertThat(seen.field("Authorization")).containsExactly("Bearer " + TestHop.SECRET);
        assertThat(seen.field("Host")).containsExactly(hop.host("api.up.test"));
        assertThat(seen.text()).isEqualTo("abc");
        assertThat(seen.head()).doesNotContainIgnoringCase("x-hop");
    }

    /** RW-21. */
    @ParameterizedTest
    @ValueSource(strings = {"TRACE", "trace", "FOO", "OPTIONS", "CONNECT"})
    void methods_that_no_scope_names_never_pass(String method) {
        try (RawClient agent = hop.connect()) {
            assertThat(agent.send(to(method + " /v1/x", hop.token("read")))
                            .read()
                            .status())
                    .isIn(400, 403);
        }
        assertThat(hop.origin().received()).isEmpty();
    }

    /** RW-26. */
    @Test
    void the_credential_is_on_every_request_whatever_its_content() {
        byte[] large = new byte[3 * 1024 * 1024];
        new Random(26).nextBytes(large);
        String token = hop.token("read", "write");
        try (RawClient agent = hop.connect()) {
            agent.send(to("GET /v1/x", token));
            assertThat(agent.read().status()).isEqualTo(200);
            agent.send(at("write", "POST /v1/x", token, "Content-Length: " + large.length))
                    .send(large);
            assertThat(agent.read().status()).isEqualTo(200);
            agent.send(at("write", "PUT /v1/x", token, "Transfer-Encoding: chunked") + "3\r\nabc\r\n0\r\n\r\n");
            assertThat(agent.read().status()).isEqualTo(200);
        }
        assertThat(hop.origin().received())
                .hasSize(3)
                .allMatch(seen -> seen.field("Authorization").equals(List.of("Bearer " + TestHop.SECRET)));
        assertThat(hop.origin().received().get(1).content()).isEqualTo(large);
    }

    /** RW-66, RW-68: in head, body cut anywhere, and trailer. */
    @Test
    void an_echoed_secret_is_masked_wherever_it_stands_and_is_cut() {
        String secret = TestHop.SECRET;
        String token = hop.token("read");
        for (int cut = 1; cut < secret.length(); cut += 5) {
            int at = cut;
            hop.origin().answer((request, out) -> {
                out.write(("HTTP/1.1 500 No " + secret + "\r\nLocation: /?k=" + secret
                                + "\r\nTransfer-Encoding: chunked\r\n\r\n" + Integer.toHexString(at) + "\r\n"
                                + secret.substring(0, at) + "\r\n")
                        .getBytes(ISO_8859_1));
                out.flush();
                out.write((Integer.toHexString(secret.length() - at) + "\r\n" + secret.substring(at)
                                + "\r\n0\r\nX-Trailer: " + secret + "\r\n\r\n")
                        .getBytes(ISO_8859_1));
            });
            try (RawClient agent = hop.connect()) {
                RawClient.Answer answer = agent.send(to("GET /v1/echo", token)).read();
                assertThat(answer.status()).isEqualTo(500);
                assertThat(answer.head() + answer.text() + answer.trailers()).doesNotContain("sk-live", "qrSTuvWX");
                assertThat(answer.text()).isEqualTo("*".repeat(secret.length()));
            }
        }
    }

    /** RW-47. */
    @Test
    void answers_without_content_leave_the_connection_in_step() {
        String token = hop.token("read");
        for (String wire : List.of(
                "HTTP/1.1 304 Not Modified\r\n\r\njunk",
                "HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 1488324\r\n\r\n")) {
            String method = wire.contains("1488324") ? "HEAD" : "GET";
            hop.origin().answer(TestOrigin.raw(wire));
            try (RawClient agent = hop.connect()) {
                agent.send(to(method + " /v1/x", token)).read(method);
                hop.origin().answer(TestOrigin.ok("next"));
                assertThat(agent.send(to("GET /v1/x", token)).read().text()).isEqualTo("next");
            }
        }
    }

    /** RW-09. */
    @Test
    void a_destination_that_does_not_prove_its_name_sees_no_byte_of_a_request() {
        TestCertificates trusted = TestCertificates.authority();
        unproven(trusted, TestCertificates.authority().issue("*.up.test"), "not trusted");
        unproven(trusted, trusted.issueExpired("*.up.test"), "expired");
        unproven(trusted, trusted.issue("api.other.test"), "another name");
    }

    private void unproven(TestCertificates trusted, TestCertificates.Issued shown, String reason) {
        try (TestHop other = TestHop.startWith(trusted, shown);
                RawClient agent = other.connect()) {
            RawClient.Answer answer =
                    agent.send(to("GET /v1/x", other.token("read"))).read();
            assertThat(answer.status()).isEqualTo(502);
            assertThat(answer.text()).contains("upstream_tls", reason);
            assertThat(other.origin().received()).isEmpty();
        }
    }

    /** RW-17: on one connection each request goes where its own path says, and carries what belongs there. */
    @Test
    void each_request_of_a_kept_connection_goes_to_the_scope_that_it_names() {
        String token = hop.token("read", "blob", "plain");
        try (RawClient agent = hop.connect()) {
            for (String scope : List.of("read", "plain", "blob", "read")) {
                agent.send(at(scope, "GET /v1/" + scope, token, "Host-Of-The-Agents: api.up.test"));
                assertThat(agent.read().status()).as(scope).isEqualTo(200);
            }
        }
        assertThat(hop.origin().received())
                .extracting(seen -> seen.target()
                        + seen.field("Host")
                        + seen.field("Authorization").size())
                .containsExactly(
                        "/v1/read[" + hop.host("api.up.test") + "]1",
                        "/v1/blob[" + hop.host("blob.up.test") + "]0",
                        "/v1/read[" + hop.host("api.up.test") + "]1");
        assertThat(hop.plainOrigin().received())
                .extracting(seen -> seen.target()
                        + seen.field("Host")
                        + seen.field("Authorization").size())
                .containsExactly("/v1/plain[" + hop.plainHost("plain.up.test") + "]0");
    }

    /** PX-01: Host says nothing here; the path names the scope, and its document the destination. */
    @Test
    void whatever_host_says_the_request_goes_to_the_destination_of_its_scope() {
        String token = hop.token("read", "blob");
        try (RawClient agent = hop.connect()) {
            agent.send(text("GET /gateway/fixer:read/v1/x", hop.host("blob.up.test"), "x-api-key: " + token));
            assertThat(agent.read().status()).isEqualTo(200);
            agent.send(text("GET /gateway/fixer:blob/v1/x", hop.host("api.up.test"), "x-api-key: " + token));
            assertThat(agent.read().status()).isEqualTo(200);
        }
        assertThat(hop.origin().received())
                .extracting(seen -> seen.field("Host").getFirst()
                        + seen.field("Authorization").size())
                .containsExactly(hop.host("api.up.test") + 1, hop.host("blob.up.test") + 0);
    }

    /** RW-63. */
    @Test
    void a_name_whose_new_answer_is_forbidden_is_not_reached_by_an_old_connection() {
        String token = hop.token("read");
        try (RawClient agent = hop.connect()) {
            assertThat(agent.send(to("GET /v1/x", token)).read().status()).isEqualTo(200);
            hop.names().answer("api.up.test", "127.0.0.1", "10.0.0.9");
            assertThat(agent.send(to("GET /v1/x", token)).read().text()).contains("address_forbidden");
        } finally {
            hop.names().answer("api.up.test", "127.0.0.1");
        }
        assertThat(hop.origin().received()).hasSize(1);
    }

    /** RW-80, RW-88. */
    @Test
    void an_open_stream_is_cut_and_both_entries_are_there() {
        hop.origin().answer((request, out) -> {
            assertThat(hop.entries("used")).anyMatch(entry -> entry.contains("/v1/stream-at-the-gateway"));
            out.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".getBytes(ISO_8859_1));
            while (true) {
                out.write("9\r\ndata: 1\n\n\r\n".getBytes(ISO_8859_1));
                out.flush();
                java.util.concurrent.locks.LockSupport.parkNanos(5_000_000);
            }
        });
        Grant grant = hop.grant("read");
        try (RawClient agent = hop.connect()) {
            agent.send(to("GET /v1/stream-at-the-gateway", hop.token(grant)));
            agent.head();
            assertThat(agent.take()).isNotEmpty();
            assertThat(hop.flows().cut(hop.room(Grants.class).endInMemory(List.of(grant), EndReason.REVOKED)))
                    .isEqualTo(1);
            assertThat(agent.rest()).doesNotContain("\r\n0\r\n");
        }
        try (RawClient agent = hop.connect()) {
            assertThat(agent.send(to("GET /v1/x", hop.token(grant))).read().status())
                    .isEqualTo(401);
        }
        Awaitility.await()
                .untilAsserted(() -> assertThat(hop.entries("outcome"))
                        .anyMatch(entry -> entry.contains("\"outcome\":\"cut\"") && entry.contains(grant.id())));
    }

    /** RW-87. */
    @Test
    void when_the_ledger_cant_write_nothing_leaves() throws IOException {
        try (TestHop other = startHop();
                RawClient agent = other.connect()) {
            String token = other.token("read");
            sql(other, "create trigger full before insert on entry begin select raise(abort, 'disk full'); end");
            RawClient.Answer answer = agent.send(to("GET /v1/x", token)).read();
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.text()).contains("\"ledger\":null").doesNotContain("full");
            assertThat(other.origin().connections()).isZero();
            sql(other, "drop trigger full");
            assertThat(agent.send(to("GET /v1/x", token)).read().status()).isEqualTo(200);
        }
    }

    private static void sql(TestHop at, String statement) {
        at.room(Writer.class).write(tx -> {
            try (var sql = tx.connection().createStatement()) {
                return sql.execute(statement);
            }
        });
    }
}

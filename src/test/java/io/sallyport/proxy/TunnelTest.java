package io.sallyport.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sallyport.testing.ClientHellos;
import io.sallyport.testing.HopCase;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestHop;
import io.sallyport.testing.TestOrigin;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** CONNECT, the challenge before it, and what is asked inside. */
class TunnelTest extends HopCase {

    @Test
    void a_request_through_the_tunnel_reaches_the_origin_with_the_credential_and_is_recorded() {
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("read"))) {
            agent.send(request("GET /v1/recorded"));
            assertThat(agent.read().text()).isEqualTo("hello");
        }
        TestOrigin.Received seen = hop.origin().received().getFirst();
        assertThat(seen.requestLine()).isEqualTo("GET /v1/recorded HTTP/1.1");
        assertThat(seen.field("Authorization")).containsExactly("Bearer " + TestHop.SECRET);
        assertThat(seen.field("Host")).containsExactly(hop.host("api.up.test"));
        assertThat(hop.entries("used")).anyMatch(entry -> entry.contains("/v1/recorded"));
    }

    /** RW-11, RW-12. */
    @Test
    void without_a_live_token_a_connect_is_challenged_and_the_same_connection_can_try_again() {
        String connect = "CONNECT " + hop.host("api.up.test");
        try (RawClient agent = hop.connect()) {
            for (String wrong : List.of(
                    text(connect, hop.host("api.up.test")),
                    text(connect, hop.host("api.up.test"), "Proxy-Authorization: Basic !!!"),
                    text(connect, hop.host("api.up.test"), "Proxy-Authorization: Bearer not-a-token"),
                    text(connect, hop.host("api.up.test"), shows("not-a-token")))) {
                RawClient.Answer challenge = agent.send(wrong).read();
                assertThat(challenge.status()).isEqualTo(407);
                assertThat(challenge.field("Proxy-Authenticate")).contains("Basic realm=\"sallyport\"");
                assertThat(challenge.text()).contains("\"error\":\"grant_required\"", "\"ledger\":null");
                assertThat(challenge.field("Proxy-Status").getFirst()).startsWith("sallyport; error=");
            }
            agent.send(text(connect, hop.host("api.up.test"), "Proxy-Authorization: Bearer " + hop.token("read")));
            assertThat(agent.head()).startsWith("HTTP/1.1 200");
        }
    }

    /** RW-12: the JDK repeats its CONNECT; nothing locks it out. */
    @Test
    void a_client_that_is_challenged_many_times_still_gets_in() {
        for (int i = 0; i < 30; i++) {
            try (RawClient agent = hop.connect()) {
                agent.send(text("CONNECT " + hop.host("api.up.test"), "x.test"));
                assertThat(agent.read().status()).isEqualTo(407);
            }
        }
        hop.tunnel("api.up.test", hop.token("read")).close();
    }

    @Test
    void an_http10_connect_without_host_is_served() {
        try (RawClient agent = hop.connect()) {
            agent.send("CONNECT " + hop.host("api.up.test") + " HTTP/1.0\r\n" + shows(hop.token("read")) + "\r\n\r\n");
            assertThat(agent.head()).startsWith("HTTP/1.1 200");
            RawClient inside = agent.tls(hop.trust(), "api.up.test", 443);
            inside.send("GET /v1/old HTTP/1.0\r\n\r\n");
            assertThat(inside.rest())
                    .startsWith("HTTP/1.1 200")
                    .endsWith("hello")
                    .contains("Connection: close");
        }
    }

    /** RW-14. */
    @Test
    void a_host_that_no_granted_scope_names_is_refused_before_its_name_is_resolved() {
        try (RawClient agent = hop.connect()) {
            agent.send(text("CONNECT denied.up.test:443", "denied.up.test", shows(hop.token("read"))));
            RawClient.Answer answer = agent.read();
            assertThat(answer.status()).isEqualTo(403);
            assertThat(answer.text())
                    .contains("\"error\":\"destination_not_allowed\"")
                    .doesNotContain("\"ledger\":null");
            // The connection can go on.
            agent.send(text("CONNECT " + hop.host("api.up.test"), "x", shows(hop.token("read"))));
            assertThat(agent.head()).startsWith("HTTP/1.1 200");
        }
        assertThat(hop.names().asked()).doesNotContain("denied.up.test");
        assertThat(hop.entries("refused")).anyMatch(entry -> entry.contains("denied.up.test:443"));
    }

    /** RW-14: denials are answers, and the connection goes on. */
    @Test
    void what_the_policy_refuses_inside_the_tunnel_is_a_readable_answer_and_the_connection_goes_on() {
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("read"))) {
            assertThat(agent.send(request("GET /v1/ok")).read().status()).isEqualTo(200);
            RawClient.Answer path = agent.send(request("GET /other")).read();
            assertThat(path.status()).isEqualTo(403);
            RawClient.Answer method = agent.send(request("POST /v1/ok", "Content-Length: 3") + "abc")
                    .read();
            assertThat(method.status()).isEqualTo(403);
            assertThat(method.text()).contains("\"scope\":\"write\"");
            assertThat(agent.send(request("GET /v1/again")).read().status()).isEqualTo(200);
        }
        assertThat(hop.origin().received())
                .extracting(TestOrigin.Received::requestLine)
                .containsExactly("GET /v1/ok HTTP/1.1", "GET /v1/again HTTP/1.1");
    }

    /** RW-15. */
    @Test
    void when_connect_and_host_disagree_the_answer_is_421_and_the_origin_sees_nothing() {
        String token = hop.token("read", "blob");
        for (String[] names : new String[][] {{"api.up.test", "blob.up.test"}, {"blob.up.test", "api.up.test"}}) {
            try (RawClient agent = hop.tunnel(names[0], token)) {
                RawClient.Answer answer =
                        agent.send(text("GET /v1/x", hop.host(names[1]))).read();
                assertThat(answer.status()).isEqualTo(421);
            }
        }
        assertThat(hop.origin().received()).isEmpty();
        assertThat(hop.entries("refused"))
                .anyMatch(entry -> entry.contains("misdirected")
                        && entry.contains("api.up.test")
                        && entry.contains("blob.up.test"));
    }

    /** RW-15: a client that checks its certificate turns away by itself; it is recorded all the same. */
    @Test
    void when_connect_and_server_name_disagree_nothing_reaches_the_origin() {
        String token = hop.token("read", "blob");
        assertThatThrownBy(() -> hop.tunnel("api.up.test", token, "blob.up.test"))
                .hasMessageContaining("blob.up.test");
        assertThat(hop.origin().received()).isEmpty();
        org.awaitility.Awaitility.await()
                .untilAsserted(() -> assertThat(hop.entries("refused"))
                        .anyMatch(entry -> entry.contains("TLS server name disagree")));
    }

    /** RW-15: spellings of one name. */
    @Test
    void other_spellings_of_the_same_host_are_the_same_host() {
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("read"))) {
            int port = hop.origin().port();
            for (String same : List.of("API.up.TEST:" + port, "api.up.test.:" + port)) {
                assertThat(agent.send(text("GET /v1/x", same)).read().status()).isEqualTo(200);
            }
        }
        assertThat(hop.origin().received())
                .allMatch(seen -> seen.field("Host").equals(List.of(hop.host("api.up.test"))));
    }

    /** RW-06. */
    @Test
    void plain_http_inside_connect_is_handled_under_the_same_policy() {
        try (RawClient agent = hop.connect()) {
            String host = hop.plainHost("plain.up.test");
            agent.send(text("CONNECT " + host, host, shows(hop.token("plain"))));
            assertThat(agent.head()).startsWith("HTTP/1.1 200");
            assertThat(agent.send(text("GET /inside", host)).read().text()).isEqualTo("hello");
            assertThat(agent.send(text("GET /again", host)).read().status()).isEqualTo(200);
        }
        assertThat(hop.plainOrigin().received())
                .hasSize(2)
                .allMatch(seen -> seen.field("Authorization").isEmpty());
        assertThat(hop.entries("used")).anyMatch(entry -> entry.contains("/inside"));
    }

    /** RW-06: https never implies http. */
    @Test
    void a_credential_for_https_is_not_sent_in_the_clear() {
        try (RawClient agent = hop.connect()) {
            String host = hop.host("api.up.test");
            agent.send(text("CONNECT " + host, host, shows(hop.token("read"))));
            assertThat(agent.head()).startsWith("HTTP/1.1 200");
            assertThat(agent.send(text("GET /v1/x", host)).read().status()).isEqualTo(403);
        }
        assertThat(hop.origin().received()).isEmpty();
    }

    @Test
    void the_hop_itself_speaks_tls_on_the_same_port() {
        try (RawClient agent = hop.connect().tls(hop.trust(), "localhost", hop.port())) {
            agent.send(text("GET http://" + hop.plainHost("plain.up.test") + "/tls", "x", shows(hop.token("plain"))));
            assertThat(agent.read().text()).isEqualTo("hello");
        }
    }

    /** RW-21. */
    @Test
    void trace_and_unknown_methods_never_pass() {
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("read", "write"))) {
            for (String method : List.of("TRACE", "trace", "FOO", "OPTIONS")) {
                assertThat(agent.send(request(method + " /v1/x")).read().status())
                        .isEqualTo(403);
            }
        }
        assertThat(hop.origin().received()).isEmpty();
    }

    /** It may be 64 KiB of anything, and each is an entry. */
    @Test
    void a_server_name_that_is_none_is_not_repeated_in_its_entry() throws Exception {
        String name = "x".repeat(200);
        try (RawClient agent = hop.connected("api.up.test", hop.token("read"))) {
            agent.send(ClientHellos.of(name)).input().readAllBytes();
        }
        Awaitility.await()
                .untilAsserted(() -> assertThat(hop.entries("refused").getLast())
                        .contains("CONNECT and TLS server name disagree: api.up.test, (malformed)")
                        .doesNotContain(name));
    }
}

package io.sallyport.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.HopCase;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestCertificates;
import io.sallyport.testing.TestHop;
import io.sallyport.testing.TestOrigin;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The way to the destination: whose address, whose certificate, and what is said when it fails. */
class UpstreamTest extends HopCase {

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
                RawClient agent = other.tunnel("api.up.test", other.token("read"))) {
            RawClient.Answer answer =
                    agent.send(text("GET /v1/x", other.host("api.up.test"))).read();
            assertThat(answer.status()).isEqualTo(502);
            assertThat(answer.text()).contains("upstream_tls").contains(reason);
            assertThat(other.origin().received()).isEmpty();
            Awaitility.await()
                    .untilAsserted(() -> assertThat(other.entries("outcome"))
                            .hasSize(1)
                            .allMatch(entry -> entry.contains("\"injected\":[]")));
        }
    }

    /** RW-63. */
    @Test
    void a_name_whose_new_answer_is_forbidden_is_not_reached_by_an_old_connection_either() {
        String token = hop.token("read");
        try (RawClient agent = hop.tunnel("api.up.test", token)) {
            assertThat(agent.send(request("GET /v1/x")).read().status()).isEqualTo(200);
            for (String[] answer : new String[][] {{"10.0.0.9"}, {"169.254.169.254"}, {"93.184.216.34", "10.0.0.1"}}) {
                hop.names().answer("api.up.test", answer);
                RawClient.Answer refused = agent.send(request("GET /v1/x")).read();
                assertThat(refused.status()).isEqualTo(403);
                assertThat(refused.text()).contains("address_forbidden");
            }
            hop.names().answer("api.up.test", "127.0.0.1");
            assertThat(agent.send(request("GET /v1/x")).read().status()).isEqualTo(200);
        } finally {
            hop.names().answer("api.up.test", "127.0.0.1");
        }
        assertThat(hop.origin().received()).hasSize(2);
    }

    @Test
    void each_admitted_request_asks_for_the_name_anew() {
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("read"))) {
            int before = hop.names().asked().size();
            agent.send(request("GET /v1/x")).read();
            agent.send(request("GET /v1/x")).read();
            assertThat(hop.names().asked()).hasSize(before + 2);
        }
    }

    @Test
    void a_name_that_does_not_resolve_and_a_port_that_refuses_are_the_destinations_fault() {
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("read"))) {
            hop.names().fail("api.up.test", "no such name");
            RawClient.Answer unresolved = agent.send(request("GET /v1/x")).read();
            assertThat(unresolved.status()).isEqualTo(502);
            assertThat(unresolved.text()).contains("name_unresolved");
            hop.names().answer("api.up.test", "127.0.0.77");
            RawClient.Answer refused = agent.send(request("GET /v1/x")).read();
            assertThat(refused.status()).isEqualTo(502);
            assertThat(refused.text()).contains("upstream_refused").doesNotContain("127.0.0.77");
        } finally {
            hop.names().answer("api.up.test", "127.0.0.1");
        }
    }

    /** Ten dead addresses before the living one: nobody is kept waiting for all of them. */
    @Test
    void not_every_address_of_a_name_is_tried() {
        String[] dead = new String[10];
        for (int i = 0; i < 10; i++) {
            dead[i] = i < 9 ? "127.0.0." + (60 + i) : "127.0.0.1";
        }
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("read"))) {
            hop.names().answer("api.up.test", java.util.Arrays.copyOfRange(dead, 5, 10));
            assertThat(agent.send(request("GET /v1/x")).read().status()).isEqualTo(200);
            hop.names().answer("api.up.test", "127.0.0.59");
            agent.send(request("GET /v1/x")).read();
            hop.names().answer("api.up.test", dead);
            assertThat(agent.send(request("GET /v1/x")).read().text()).contains("upstream_refused");
        } finally {
            hop.names().answer("api.up.test", "127.0.0.1");
        }
    }

    /** RW-88. */
    @Test
    void a_use_is_recorded_before_it_leaves_and_its_outcome_when_the_origin_resets() {
        hop.origin().answer((request, out) -> {
            // Durable before the origin has the first byte.
            assertThat(hop.entries("used")).anyMatch(entry -> entry.contains("/v1/reset"));
            throw new IOException("reset");
        });
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("write"))) {
            RawClient.Answer answer = agent.send(request("POST /v1/reset", "Content-Length: 3") + "abc")
                    .read();
            assertThat(answer.status()).isEqualTo(502);
            assertThat(answer.text()).contains("upstream_reset").doesNotContain("\"ledger\":null");
        }
        assertThat(hop.origin().received()).hasSize(1);
        Awaitility.await()
                .untilAsserted(() -> assertThat(hop.entries("outcome"))
                        .anyMatch(
                                entry -> entry.contains("upstream-failed") && entry.contains("\"injected\":[\"up\"]")));
    }

    @Test
    void a_get_on_a_connection_that_the_origin_had_closed_is_sent_once_more() {
        AtomicInteger asked = new AtomicInteger();
        hop.origin().answer((request, out) -> {
            TestOrigin.ok("hello").to(request, out);
            out.flush();
            if (asked.incrementAndGet() == 1) {
                throw new IOException("closes after its first answer, without a word");
            }
        });
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("read"))) {
            for (int i = 0; i < 5; i++) {
                assertThat(agent.send(request("GET /v1/x")).read().text()).isEqualTo("hello");
            }
        }
        Awaitility.await()
                .untilAsserted(() -> assertThat(hop.entries("outcome"))
                        .filteredOn(entry -> entry.contains("answered"))
                        .hasSizeGreaterThanOrEqualTo(5));
    }
}

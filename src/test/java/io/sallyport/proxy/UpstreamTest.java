package io.sallyport.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.HopCase;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestCertificates;
import io.sallyport.testing.TestHop;
import io.sallyport.testing.TestOrigin;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The way to the destination: whose address, whose certificate, and what is said when it fails. */
class UpstreamTest extends HopCase {

    /** RW-09: with the native TLS and with the JDK's, which word such things differently. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_destination_that_does_not_prove_its_name_sees_no_byte_of_a_request(boolean jdk) {
        TestCertificates trusted = TestCertificates.authority();
        unproven(
                jdk,
                trusted,
                TestCertificates.authority().issue("*.up.test"),
                "is not trusted (an operator can name its roots in the scope's `trust:`)",
                "unable to find valid certification path");
        unproven(jdk, trusted, trusted.issueExpired("*.up.test"), "has expired", "NotAfter");
        unproven(jdk, trusted, trusted.issue("api.other.test"), "for another name", "matching api.up.test found");
    }

    private void unproven(
            boolean jdk, TestCertificates trusted, TestCertificates.Issued shown, String reason, String words) {
        try (TestHop other = TestHop.startWith(trusted, shown, settings(jdk), TestHop.POLICY);
                RawClient agent = other.tunnel("api.up.test", other.token("read"))) {
            RawClient.Answer answer =
                    agent.send(text("GET /v1/x", other.host("api.up.test"))).read();
            assertThat(answer.status()).isEqualTo(502);
            assertThat(answer.text()).contains("upstream_tls", reason);
            assertThat(other.origin().received()).isEmpty();
            Awaitility.await()
                    .untilAsserted(() -> assertThat(other.entries("outcome"))
                            .hasSize(1)
                            .allMatch(entry -> entry.contains("\"injected\":[]"))
                            .allMatch(entry -> entry.contains("upstream_tls: its certificate") && entry.contains(words))
                            .noneMatch(entry -> entry.contains("General OpenSslEngine problem")));
        }
    }

    private static UnaryOperator<ProxySettings> settings(boolean jdk) {
        return settings -> jdk ? settings.withJdkTransport() : settings;
    }

    /** What it says instead of a handshake is not repeated, however long it is. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_destination_without_a_common_version_of_tls_or_without_any_is_told_apart(boolean jdk) throws Exception {
        byte[] protocolVersion = {21, 3, 1, 0, 2, 2, 70};
        handshake(jdk, protocolVersion, "no version of TLS is common to it and the broker");
        byte[] plain = ("HTTP/1.1 400 Bad Request\r\nX-Long: " + "x".repeat(3000) + "\r\n\r\n").getBytes();
        handshake(jdk, plain, "it does not speak TLS at this port");
    }

    private void handshake(boolean jdk, byte[] said, String reason) throws IOException {
        TestCertificates trusted = TestCertificates.authority();
        try (ServerSocket server = new ServerSocket(0)) {
            Thread.ofVirtual().start(() -> say(server, said));
            String policy = TestHop.POLICY + """
                      odd:
                        reason: A destination with a TLS of its own
                        destination: {url: "https://odd.up.test:%d", addresses: [127.0.0.0/8]}
                        allow: ["GET /v1/**"]
                        credential: none
                    """.formatted(server.getLocalPort());
            try (TestHop other = TestHop.startWith(trusted, trusted.issue("*.up.test"), settings(jdk), policy);
                    RawClient agent = other.tunnel("odd.up.test", server.getLocalPort(), other.token("odd"))) {
                RawClient.Answer answer = agent.send(text("GET /v1/x", "odd.up.test:" + server.getLocalPort()))
                        .read();
                assertThat(answer.text()).contains("upstream_tls", reason);
                Awaitility.await()
                        .untilAsserted(() -> assertThat(other.entries("outcome"))
                                .anyMatch(entry -> entry.contains("upstream_tls: " + reason))
                                .noneMatch(entry -> entry.contains("787878")));
            }
        }
    }

    private static void say(ServerSocket server, byte[] said) {
        while (!server.isClosed()) {
            try (Socket one = server.accept()) {
                one.getInputStream().read(new byte[8192]);
                one.getOutputStream().write(said);
                one.shutdownOutput();
                one.getInputStream().readAllBytes();
            } catch (IOException gone) {
                // The hop has closed it, or the test is over.
            }
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

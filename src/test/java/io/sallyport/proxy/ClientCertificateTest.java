package io.sallyport.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.rules.RuleBooks;
import io.sallyport.testing.Http2Origin;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestCertificates;
import io.sallyport.testing.TestHop;
import io.sallyport.testing.TestOrigin;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A destination that does not accept the broker's own certificate (RW-09). In TLS 1.3 its word for that comes after the handshake, with
 * the first thing that is read: it must not pass for a destination that just went.
 */
@Tag("slow")
class ClientCertificateTest {

    private static final String CREDENTIAL = """
            sallyport: v1
            credential: NAME
            destinations: ["https://api.corp.test:${old}", "https://api.corp.test:${corp}", "https://api.corp.test:${two}"]
            source: {kind: file, name: NAME.pem}
            inject: {kind: client-certificate}
            blast-radius: low
            """;

    private static final String SCOPE = """
              NAME-KIND:
                reason: Proves itself as NAME
                destination: {url: "https://api.corp.test:${KIND}", trust: corp.pem, addresses: [127.0.0.0/8]}
                allow: ["GET,POST /NAME/**"]
                credential: CREDENTIAL
            """;

    private static final String POLICY = """
            sallyport: v1
            policy: fixer
            owner: team@example.com
            reason: Exercises the hop
            review-by: 2099-01-01
            who: [{identity: ci, subject: agent-1}]
            scopes:
            """;

    private static final List<String> NAMES = List.of("good", "expired", "stranger", "nobody");

    private final TestCertificates company = TestCertificates.authority();
    private final TestCertificates.Issued own = company.issue("api.corp.test");
    private final TestOrigin corp = TestOrigin.mutual(own, company, TestOrigin.ok("hello"), true, "TLSv1.3");
    private final TestOrigin old = TestOrigin.mutual(own, company, TestOrigin.ok("hello"), true, "TLSv1.2");
    private final Http2Origin two = new Http2Origin(own, company, Http2Origin.ok("hello"));
    private TestHop hop;

    private void start(boolean jdk) {
        hop = TestHop.start(settings -> jdk ? settings.withJdkTransport() : settings);
        secret("good", company.issue("good"));
        secret("expired", company.issueExpired("expired"));
        secret("stranger", TestCertificates.authority().issue("stranger"));
        hop.document("policies/corp.pem", company.rootPem());
        StringBuilder policy = new StringBuilder(POLICY);
        for (String name : NAMES) {
            if (!name.equals("nobody")) {
                hop.document("credentials/" + name + ".yml", placed(CREDENTIAL.replace("NAME", name)));
            }
            for (String kind : List.of("corp", "old", "two")) {
                policy.append(SCOPE.replace("NAME", name)
                        .replace("KIND", kind)
                        .replace("CREDENTIAL", name.equals("nobody") ? "none" : name));
            }
        }
        hop.document("policies/fixer.yml", placed(policy.toString()));
        assertThat(hop.reload()).isInstanceOf(RuleBooks.Reload.Swapped.class);
    }

    private void secret(String name, TestCertificates.Issued certificate) {
        hop.secret(name + ".pem", certificate.pem().getBytes(StandardCharsets.US_ASCII));
    }

    private String placed(String document) {
        return document.replace("${corp}", Integer.toString(corp.port()))
                .replace("${old}", Integer.toString(old.port()))
                .replace("${two}", Integer.toString(two.port()));
    }

    @AfterEach
    void close() {
        hop.close();
        corp.close();
        old.close();
        two.close();
    }

    private int port(String kind) {
        return switch (kind) {
            case "corp" -> corp.port();
            case "old" -> old.port();
            default -> two.port();
        };
    }

    private RawClient.Answer ask(String kind, String name, String method, byte[] content) {
        String authority = "api.corp.test:" + port(kind);
        try (RawClient agent = hop.connect()) {
            agent.send("CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\nProxy-Authorization: "
                    + RawClient.basic(hop.token(name + "-" + kind)) + "\r\n\r\n");
            assertThat(agent.head()).startsWith("HTTP/1.1 200");
            return agent.tls(hop.trust(), "api.corp.test", port(kind))
                    .send(method + " /" + name + "/x HTTP/1.1\r\nHost: " + authority + "\r\n"
                            + (content.length > 0 ? "Content-Length: " + content.length + "\r\n" : "") + "\r\n")
                    .send(content)
                    .read();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "false, corp, expired",
        "false, corp, stranger",
        "false, corp, nobody",
        "false, old, expired",
        "false, two, expired",
        "true, corp, expired",
        "true, corp, nobody",
        "true, old, expired",
        "true, two, expired"
    })
    void what_a_destination_does_not_accept_is_told_by_its_name(boolean jdk, String kind, String name) {
        start(jdk);
        for (byte[] content : List.of(new byte[0], new byte[200_000])) {
            RawClient.Answer answer = ask(kind, name, content.length == 0 ? "GET" : "POST", content);
            assertThat(answer.status()).isEqualTo(502);
            assertThat(answer.text())
                    .as("%s", hop.entries("outcome"))
                    .contains("\"error\":\"client_certificate\"")
                    .doesNotContain("SSL", "alert");
            assertThat(answer.field("Proxy-Status").getFirst()).contains("tls_alert_received");
        }
        Awaitility.await()
                .untilAsserted(() -> assertThat(hop.entries("outcome"))
                        .hasSize(2)
                        .allSatisfy(entry ->
                                assertThat(entry).contains("upstream-failed").containsIgnoringCase("alert")));
        assertThat(corp.received()).isEmpty();
        assertThat(old.received()).isEmpty();
        assertThat(two.received()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void streams_of_http_2_ride_on_connections_that_proved_the_same(boolean jdk) {
        start(jdk);
        for (int round = 0; round < 3; round++) {
            for (String name : List.of("good", "nobody")) {
                assertThat(ask("two", name, "GET", new byte[0]).text()).isEqualTo("hello");
            }
        }
        assertThat(two.received()).hasSize(6);
        for (Http2Origin.Exchange request : two.received()) {
            boolean proven = request.field(":path").getFirst().startsWith("/good");
            assertThat(two.peers().get(request.connection() - 1)).isEqualTo(proven ? "CN=good" : "");
        }
    }
}

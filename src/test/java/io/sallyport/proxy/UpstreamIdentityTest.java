package io.sallyport.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.rules.RuleBooks;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestCertificates;
import io.sallyport.testing.TestHop;
import io.sallyport.testing.TestOrigin;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** RW-53, RW-09: by which roots a destination is verified, and what a connection to it proves, where documents say so. */
@Tag("slow")
class UpstreamIdentityTest {

    private static final String CREDENTIAL = """
            sallyport: v1
            credential: NAME
            destinations: ["https://api.corp.test:${corp}"]
            source: {kind: file, name: NAME.pem}
            inject: {kind: client-certificate}
            blast-radius: low
            """;

    private static final String POLICY = """
            sallyport: v1
            policy: fixer
            owner: team@example.com
            reason: Exercises the hop
            review-by: 2099-01-01
            who: [{identity: ci, subject: agent-1}]
            scopes:
              one:
                reason: Proves itself as one
                destination: {url: "https://api.corp.test:${corp}", trust: corp.pem, addresses: [127.0.0.0/8]}
                allow: ["GET,POST /one/**"]
                credential: one
              two:
                reason: Proves itself as two
                destination: {url: "https://api.corp.test:${corp}", trust: corp.pem, addresses: [127.0.0.0/8]}
                allow: ["GET /two/**"]
                credential: two
              open:
                reason: Proves nothing
                destination: {url: "https://api.corp.test:${corp}", trust: corp.pem, addresses: [127.0.0.0/8]}
                allow: ["GET /open/**"]
                credential: none
              usual:
                reason: The same origin by the usual roots
                destination: {url: "https://api.corp.test:${corp}", addresses: [127.0.0.0/8]}
                allow: ["GET /usual/**"]
                credential: none
              public:
                reason: A public origin by the company's roots
                destination: {url: "https://api.up.test:${tls}", trust: corp.pem, addresses: [127.0.0.0/8]}
                allow: ["GET /v1/**"]
                credential: none
            """;

    private final TestCertificates company = TestCertificates.authority();
    private final TestOrigin corp = TestOrigin.mutual(company.issue("api.corp.test"), company, TestOrigin.ok("hello"));
    private TestHop hop;

    private void start(boolean jdk) {
        hop = TestHop.start(settings -> jdk ? settings.withJdkTransport() : settings);
        hop.secret("one.pem", company.issue("one").pem().getBytes(StandardCharsets.US_ASCII));
        hop.secret("two.pem", company.issue("two").pem().getBytes(StandardCharsets.US_ASCII));
        hop.document("policies/corp.pem", company.rootPem());
        for (String name : List.of("one", "two")) {
            hop.document("credentials/" + name + ".yml", placed(CREDENTIAL.replace("NAME", name)));
        }
        hop.document("policies/fixer.yml", placed(POLICY));
        assertThat(hop.reload()).isInstanceOf(RuleBooks.Reload.Swapped.class);
    }

    private String placed(String document) {
        return document.replace("${corp}", Integer.toString(corp.port()));
    }

    @AfterEach
    void close() {
        hop.close();
        corp.close();
    }

    /** Through a tunnel of its own; the answer. */
    private RawClient.Answer get(String scope, String host, int port, String target) {
        String authority = host + ":" + port;
        try (RawClient agent = hop.connect()) {
            agent.send("CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\nProxy-Authorization: "
                    + RawClient.basic(hop.token(scope)) + "\r\n\r\n");
            assertThat(agent.head()).startsWith("HTTP/1.1 200");
            return agent.tls(hop.trust(), host, port)
                    .send("GET " + target + " HTTP/1.1\r\nHost: " + authority + "\r\n\r\n")
                    .read();
        }
    }

    private RawClient.Answer corp(String scope) {
        return get(scope, "api.corp.test", corp.port(), "/" + scope + "/x");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void connections_that_prove_something_and_those_that_prove_nothing_are_never_shared(boolean jdk) {
        start(jdk);
        for (int round = 0; round < 3; round++) {
            for (String scope : List.of("one", "open", "two", "open", "one")) {
                assertThat(corp(scope).text()).as("%s", hop.entries("refused")).isEqualTo("hello");
            }
        }

        assertThat(corp.received()).hasSize(15);
        for (int i = 0; i < corp.received().size(); i++) {
            String path = corp.received().get(i).requestLine().split("/")[1];
            assertThat(corp.peers().get(i)).as("request " + i).isEqualTo(path.equals("open") ? "" : "CN=" + path);
        }
        assertThat(corp.received()).allSatisfy(seen -> assertThat(seen.head()).doesNotContain("tls:client"));
    }

    /** What the pool does not share, a resumed session must not share either: each of these is a new connection. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void no_session_is_resumed_by_whoever_did_not_prove_the_same(boolean jdk) {
        start(jdk);
        corp.answer(TestOrigin.status(200, "hello", "Connection: close"));
        for (String scope : List.of("one", "open", "one", "two", "open", "two")) {
            corp(scope);
        }
        assertThat(corp.connections()).isEqualTo(6);
        assertThat(corp.peers()).containsExactly("CN=one", "", "CN=one", "CN=two", "", "CN=two");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void the_roots_of_a_scope_are_the_only_ones_that_count_for_it(boolean jdk) {
        start(jdk);
        assertThat(corp("open").status()).isEqualTo(200);

        // The same origin, on which a connection waits, by roots that do not know it; and the other way round.
        RawClient.Answer usual = corp("usual");
        RawClient.Answer elsewhere = get("public", "api.up.test", hop.origin().port(), "/v1/x");

        assertThat(usual.status()).isEqualTo(502);
        assertThat(usual.text()).contains("upstream_tls");
        assertThat(elsewhere.status()).isEqualTo(502);
        assertThat(elsewhere.text()).contains("upstream_tls");
        assertThat(corp.received()).hasSize(1);
        assertThat(hop.origin().received()).isEmpty();
    }

    /** A reload is when a file of roots counts; what was verified by the one before serves nobody any more. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_file_of_roots_that_changed_counts_from_the_reload_on_and_ends_what_the_old_one_verified(boolean jdk) {
        start(jdk);
        String before = hop.room(RuleBooks.class).current().digest();
        assertThat(corp("open").status()).isEqualTo(200);
        hop.document("policies/corp.pem", TestCertificates.authority().rootPem());
        assertThat(corp("open").status()).as("before the reload").isEqualTo(200);

        hop.reload();
        String other = hop.room(RuleBooks.class).current().digest();
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> corp.open() == 0);
        RawClient.Answer refused = corp("open");
        String used = hop.entries("used").getLast();
        hop.document("policies/corp.pem", company.rootPem());
        hop.reload();

        assertThat(refused.text()).contains("upstream_tls");
        assertThat(corp.received()).hasSize(2);
        assertThat(hop.room(RuleBooks.class).current().digest())
                .isEqualTo(before)
                .isNotEqualTo(other);
        assertThat(used).contains("\"book\":\"" + other);
        assertThat(corp("open").status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_certificate_that_is_replaced_is_what_the_next_request_proves(boolean jdk) {
        start(jdk);
        corp("one");
        hop.secret("one.pem", company.issue("renewed").pem().getBytes(StandardCharsets.US_ASCII));
        hop.clock().pass(Duration.ofSeconds(2));
        corp("one");

        assertThat(corp.peers()).containsExactly("CN=one", "CN=renewed");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_secret_that_is_no_certificate_with_its_key_lets_nothing_leave(boolean jdk) {
        start(jdk);
        String mixed = company.issue("one").pem().replaceFirst("(?s)-----BEGIN PRIVATE.*", "")
                + company.issue("other").pem().replaceFirst("(?s).*(?=-----BEGIN PRIVATE)", "");
        for (String bad : List.of("not-pem-at-all", mixed)) {
            hop.secret("one.pem", bad.getBytes(StandardCharsets.US_ASCII));
            hop.clock().pass(Duration.ofSeconds(2));
            RawClient.Answer answer = corp("one");
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.text()).doesNotContain("PRIVATE");
        }
        assertThat(corp.received()).isEmpty();
        assertThat(hop.entries("refused"))
                .anyMatch(entry -> entry.contains("not that of its first certificate"))
                .noneMatch(entry -> entry.contains("PRIVATE"));
    }
}

package io.sallyport.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.rules.RuleBooks;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestHop;
import io.sallyport.testing.TestOrigin;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** RW-53, RW-63: what two requests share when they share a connection, and when they must not. */
class PooledConnectionTest {

    private static final String ANOTHER = "another-secret-0123456789";

    /** The same origin under two credentials, and two more names of the same address and certificate. */
    private static final String POLICY = """
            sallyport: v1
            policy: fixer
            owner: team@example.com
            reason: Two credentials of one origin, and several names of one address
            review-by: 2099-01-01
            who: [{identity: ci, subject: agent-1}]
            task: {ttl: 15min, uses: 100000, bytes-out: 10GiB, at-once: 64, binding: address}
            scopes:
              first:
                reason: One credential
                destination: {url: "https://api.up.test:${tls}", addresses: [127.0.0.0/8, 10.0.0.0/8]}
                allow: ["GET /first/**"]
                credential: up
              second:
                reason: Another credential of the same origin
                destination: {url: "https://api.up.test:${tls}", addresses: [127.0.0.0/8, 10.0.0.0/8]}
                allow: ["GET /second/**"]
                credential: other
              none:
                reason: No credential at the same origin
                destination: {url: "https://api.up.test:${tls}", addresses: [127.0.0.0/8, 10.0.0.0/8]}
                allow: ["GET /none/**"]
                credential: none
              sibling:
                reason: Another name that the same certificate and the same address serve
                destination: {url: "https://blob.up.test:${tls}", addresses: [127.0.0.0/8]}
                allow: ["GET /**"]
                credential: none
            """;

    /** One a test: what another left in the pool would be counted. */
    private final TestHop hop = TestHop.start();

    @AfterEach
    void close() {
        hop.close();
    }

    @BeforeEach
    void documents() {
        hop.secret("other", ANOTHER.getBytes(StandardCharsets.US_ASCII));
        hop.document("credentials/other.yml", """
                sallyport: v1
                credential: other
                destinations: ["https://api.up.test:${tls}"]
                source: {kind: file, name: other}
                inject: {kind: bearer}
                blast-radius: low
                """);
        hop.document("policies/fixer.yml", POLICY);
        assertThat(hop.reload()).isInstanceOf(RuleBooks.Reload.Swapped.class);
    }

    private RawClient.Answer get(RawClient agent, String path, String host) {
        return agent.send("GET " + path + " HTTP/1.1\r\nHost: " + hop.host(host) + "\r\n\r\n")
                .read();
    }

    @Test
    void two_tasks_with_two_secrets_at_one_host_never_see_each_others() throws Exception {
        hop.origin()
                .answer((request, out) -> TestOrigin.ok(request.target() + " "
                                + request.field("Authorization").getFirst().length())
                        .to(request, out));
        String first = hop.token("first");
        String second = hop.token("second");
        List<Callable<Void>> agents = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            String scope = i % 2 == 0 ? "first" : "second";
            String token = i % 2 == 0 ? first : second;
            int length = ("Bearer " + (i % 2 == 0 ? TestHop.SECRET : ANOTHER)).length();
            agents.add(() -> {
                try (RawClient agent = hop.tunnel("api.up.test", token)) {
                    for (int n = 0; n < 25; n++) {
                        String path = "/" + scope + "/" + n;
                        assertThat(get(agent, path, "api.up.test").text()).isEqualTo(path + " " + length);
                    }
                }
                return null;
            });
        }
        try (var threads = Executors.newFixedThreadPool(8)) {
            for (Future<Void> done : threads.invokeAll(agents)) {
                done.get();
            }
        }
        assertThat(hop.origin().received())
                .hasSize(200)
                .allSatisfy(request -> assertThat(request.field("Authorization"))
                        .containsExactly(
                                "Bearer " + (request.target().startsWith("/first") ? TestHop.SECRET : ANOTHER)));
        // Not by never keeping a connection either.
        assertThat(hop.origin().connections()).isLessThan(100);
    }

    /** Some destinations ask once and believe the connection from then on: the old secret must not vouch for the new one's requests. */
    @Test
    void a_secret_that_was_replaced_is_another_connection() {
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("first"))) {
            int before = hop.origin().connections();
            get(agent, "/first/a", "api.up.test");
            get(agent, "/first/b", "api.up.test");
            assertThat(hop.origin().connections()).isEqualTo(before + 1);
            hop.secret(ANOTHER);
            hop.clock().pass(Duration.ofSeconds(2));
            get(agent, "/first/c", "api.up.test");
            get(agent, "/first/d", "api.up.test");
            assertThat(hop.origin().connections()).isEqualTo(before + 2);
        }
        assertThat(hop.origin().received())
                .extracting(seen -> seen.field("Authorization").getFirst())
                .containsExactly(
                        "Bearer " + TestHop.SECRET,
                        "Bearer " + TestHop.SECRET,
                        "Bearer " + ANOTHER,
                        "Bearer " + ANOTHER);
    }

    /** The same for streams: many requests ride on one connection, also while others of the old secret's still run there. */
    @Test
    void a_secret_that_was_replaced_is_another_connection_of_http_2() {
        hop.document("policies/fixer.yml", POLICY + """
                  two:
                    reason: Speaks HTTP/2
                    destination: {url: "https://two.up.test:${h2}", addresses: [127.0.0.0/8]}
                    allow: ["GET /first/**"]
                    credential: up
                """);
        hop.reload();
        String line = "GET /first/a HTTP/1.1\r\nHost: two.up.test:"
                + hop.http2Origin().port() + "\r\n\r\n";
        try (RawClient agent = hop.tunnelToHttp2("two.up.test", hop.token("two"))) {
            for (int i = 0; i < 4; i++) {
                if (i == 2) {
                    hop.secret(ANOTHER);
                    hop.clock().pass(Duration.ofSeconds(2));
                }
                assertThat(agent.send(line).read().status()).isEqualTo(200);
            }
        }
        assertThat(hop.http2Origin().received())
                .extracting(seen -> seen.field("authorization").getFirst() + " on " + seen.connection())
                .containsExactly(
                        "Bearer " + TestHop.SECRET + " on 1",
                        "Bearer " + TestHop.SECRET + " on 1",
                        "Bearer " + ANOTHER + " on 2",
                        "Bearer " + ANOTHER + " on 2");
    }

    @Test
    void another_credential_another_name_or_none_is_another_connection() {
        int before = hop.origin().connections();
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("first", "second", "none"));
                RawClient sibling = hop.tunnel("blob.up.test", hop.token("sibling"))) {
            get(agent, "/first/a", "api.up.test");
            get(agent, "/second/a", "api.up.test");
            get(agent, "/none/a", "api.up.test");
            get(sibling, "/a", "blob.up.test");
            assertThat(hop.origin().connections() - before).isEqualTo(4);
            get(agent, "/first/b", "api.up.test");
            get(agent, "/second/b", "api.up.test");
            get(agent, "/none/b", "api.up.test");
            get(sibling, "/b", "blob.up.test");
            assertThat(hop.origin().connections() - before).isEqualTo(4);
        }
        assertThat(hop.origin().received()).hasSize(8);
    }

    @Test
    void a_connection_whose_address_left_the_answer_is_closed_and_not_used_again() {
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("first"))) {
            assertThat(get(agent, "/first/a", "api.up.test").status()).isEqualTo(200);
            // Allowed as well, but nobody is there.
            hop.names().answer("api.up.test", "127.0.0.2");
            assertThat(get(agent, "/first/b", "api.up.test").text()).contains("upstream_refused");
            Awaitility.await()
                    .untilAsserted(() -> assertThat(hop.origin().open()).isZero());
        }
        assertThat(hop.origin().received()).hasSize(1);
    }

    @Test
    void a_forbidden_answer_closes_what_an_allowed_one_had_opened() {
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("first"))) {
            assertThat(get(agent, "/first/a", "api.up.test").status()).isEqualTo(200);
            hop.names().answer("api.up.test", "169.254.169.254");
            assertThat(get(agent, "/first/b", "api.up.test").text()).contains("address_forbidden");
            Awaitility.await()
                    .untilAsserted(() -> assertThat(hop.origin().open()).isZero());
        }
        assertThat(hop.origin().received()).hasSize(1);
    }

    @Test
    void an_address_that_stays_in_the_answer_keeps_its_connection() {
        int before = hop.origin().connections();
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("first"))) {
            get(agent, "/first/a", "api.up.test");
            int opened = hop.origin().connections() - before;
            hop.names().answer("api.up.test", "127.0.0.2", "127.0.0.1");
            assertThat(get(agent, "/first/b", "api.up.test").status()).isEqualTo(200);
            assertThat(hop.origin().connections() - before).isEqualTo(opened);
        }
    }

    @Test
    void a_connection_that_was_in_use_when_its_address_left_is_not_kept() {
        hop.origin().answer((request, out) -> {
            hop.names().answer("api.up.test", "127.0.0.3");
            // As many agents as loops: each of them hears the newer answer.
            for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
                try (RawClient other = hop.tunnel("api.up.test", hop.token("second"))) {
                    get(other, "/second/b", "api.up.test");
                }
            }
            TestOrigin.ok("hello").to(request, out);
        });
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("first"))) {
            assertThat(get(agent, "/first/a", "api.up.test").status()).isEqualTo(200);
            Awaitility.await()
                    .untilAsserted(() -> assertThat(hop.origin().open()).isZero());
        }
    }
}

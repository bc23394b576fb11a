package io.sallyport.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.net.UpstreamProxy;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestCertificates;
import io.sallyport.testing.TestForwardProxy;
import io.sallyport.testing.TestHop;
import io.sallyport.testing.TestOrigin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The hop behind the proxy of an organisation: what the proxy is asked, what it gets to see, and what is said when it will not. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UpstreamProxyTest {

    private static final String PUBLIC = "93.184.216.34";
    private static final String OTHER = "93.184.216.35";
    private static final String WHO = "broker:Pr0xy-Passw0rd";
    private static final String BASIC = "Basic " + Base64.getEncoder().encodeToString(WHO.getBytes());

    private static final String POLICY = TestHop.POLICY + """
              two:
                reason: A destination that speaks HTTP/2
                destination: "https://two.up.test:${h2}"
                allow: ["GET /v1/**"]
                credential: up
              raw:
                reason: Pins its certificate
                destination: "https://raw.up.test:${tls}"
                intercept: false
                wide: The client pins the certificate
                credential: none
            """;

    private final TestCertificates authority = TestCertificates.authority();
    private final TestForwardProxy proxy = TestForwardProxy.plain();

    @TempDir
    Path folder;

    private @Nullable TestHop started;

    private TestHop hop() {
        if (started == null) {
            started = through(proxy.url("proxy.up.test"), "address");
        }
        return started;
    }

    private TestHop through(String url, String target, String... noProxy) {
        try {
            Path file = Files.writeString(folder.resolve("proxy-credential"), WHO + "\n");
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
            return TestHop.startThrough(
                    authority, UpstreamProxy.parse(url, target, List.of(noProxy), "file:" + file), POLICY);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @BeforeEach
    void fresh() {
        proxy.script(_ -> TestForwardProxy.OPENED);
        proxy.asked().clear();
        hop().origin().answer(TestOrigin.ok("hello"));
        hop().origin().received().clear();
        hop().plainOrigin().received().clear();
        for (String name : List.of("api.up.test", "blob.up.test", "plain.up.test", "clear.up.test", "two.up.test")) {
            hop().names().answer(name, PUBLIC);
        }
        // A pooled tunnel of another test would ask nobody.
        hop().names().answer("api.up.test", "93.184.216." + (100 + counter++));
    }

    private int counter;

    @AfterAll
    void close() {
        hop().close();
        proxy.close();
    }

    private static RawClient.Answer get(TestHop hop, String name, String scope, String path, String... fields) {
        try (RawClient agent = hop.tunnel(name, hop.token(scope))) {
            return agent.send("GET " + path + " HTTP/1.1\r\nHost: " + hop.host(name) + "\r\n" + String.join("", fields)
                            + "\r\n")
                    .read();
        }
    }

    private static RawClient.Answer plain(TestHop hop, String name, String scope) {
        try (RawClient agent = hop.connect()) {
            return agent.send("GET http://" + hop.plainHost(name) + "/v1/x HTTP/1.1\r\nHost: x\r\nProxy-Authorization: "
                            + RawClient.basic(hop.token(scope)) + "\r\n\r\n")
                    .read();
        }
    }

    @Test
    void a_tunnel_that_is_passed_through_unread_takes_the_same_way_out() {
        hop().names().answer("raw.up.test", OTHER);
        try (RawClient agent = hop().connected("raw.up.test", hop().token("raw"))
                .tls(authority.clientContext(), "raw.up.test", hop().origin().port())) {
            assertThat(agent.send("GET /x HTTP/1.1\r\nHost: raw.up.test\r\n\r\n")
                            .read()
                            .text())
                    .isEqualTo("hello");
        }
        assertThat(proxy.asked())
                .singleElement()
                .asString()
                .contains("CONNECT " + OTHER + ":" + hop().origin().port());
        assertThat(hop().origin().received().getFirst().field("Proxy-Authorization"))
                .isEmpty();
    }

    @Test
    void a_tunnel_is_asked_for_by_the_address_that_was_judged_and_the_proxy_sees_no_request() {
        hop().names().answer("api.up.test", OTHER);
        assertThat(get(hop(), "api.up.test", "read", "/v1/inside-tls").text()).isEqualTo("hello");
        String to = OTHER + ":" + hop().origin().port();
        assertThat(proxy.asked())
                .containsExactly("CONNECT " + to + " HTTP/1.1\r\nHost: " + to + "\r\nProxy-Authorization: " + BASIC
                        + "\r\nUser-Agent: sallyport\r\n\r\n");
        assertThat(proxy.passed().length()).isPositive();
        assertThat(proxy.passed().contains("inside-tls")).isFalse();
        assertThat(proxy.passed().contains(TestHop.SECRET.substring(0, 10))).isFalse();
        assertThat(hop().origin().received()).singleElement().satisfies(request -> {
            assertThat(request.field("Authorization")).containsExactly("Bearer " + TestHop.SECRET);
            assertThat(request.field("Proxy-Authorization")).isEmpty();
            assertThat(request.head()).doesNotContain(WHO.substring(7)).doesNotContain(BASIC);
        });
    }

    @Test
    void plain_http_goes_through_a_tunnel_too() {
        assertThat(plain(hop(), "plain.up.test", "plain").text()).isEqualTo("hello");
        assertThat(proxy.targets())
                .containsExactly(PUBLIC + ":" + hop().plainOrigin().port());
        assertThat(hop().plainOrigin().received()).singleElement().satisfies(request -> {
            assertThat(request.requestLine()).isEqualTo("GET /v1/x HTTP/1.1");
            assertThat(request.head()).doesNotContain(BASIC).doesNotContain("Proxy-");
        });
    }

    @Test
    void a_destination_in_http2_is_spoken_to_in_http2_inside() {
        String host = "two.up.test:" + hop().http2Origin().port();
        try (RawClient agent = hop().tunnelToHttp2("two.up.test", hop().token("two"))) {
            assertThat(agent.send("GET /v1/x HTTP/1.1\r\nHost: " + host + "\r\n\r\n")
                            .read()
                            .status())
                    .isEqualTo(200);
        }
        assertThat(hop().http2Origin().received()).hasSize(1);
        assertThat(proxy.asked()).hasSize(1);
    }

    /** Over there it would be another machine's loopback; the guard has judged ours. */
    @Test
    void loopback_is_never_asked_of_a_proxy() {
        hop().names().answer("api.up.test", "127.0.0.1");
        assertThat(get(hop(), "api.up.test", "read", "/v1/x").status()).isEqualTo(200);
        assertThat(proxy.asked()).isEmpty();
    }

    @Test
    void the_guard_judges_before_the_proxy_is_asked() {
        for (String[] answer : new String[][] {{"10.0.0.9"}, {"169.254.169.254"}, {PUBLIC, "10.0.0.1"}, {"fd00::1"}}) {
            hop().names().answer("api.up.test", answer);
            assertThat(get(hop(), "api.up.test", "read", "/v1/x").text()).contains("address_forbidden");
        }
        hop().names().fail("api.up.test", "no such name");
        assertThat(get(hop(), "api.up.test", "read", "/v1/x").text()).contains("name_unresolved");
        assertThat(proxy.asked()).isEmpty();
        assertThat(hop().origin().received()).isEmpty();
    }

    @Test
    void a_tunnel_is_kept_for_its_origin_and_no_other() {
        try (RawClient agent = hop().tunnel("api.up.test", hop().token("read"));
                RawClient other = hop().tunnel("blob.up.test", hop().token("blob"))) {
            for (int i = 0; i < 3; i++) {
                agent.send("GET /v1/x HTTP/1.1\r\nHost: " + hop().host("api.up.test") + "\r\n\r\n")
                        .read();
            }
            assertThat(proxy.asked()).hasSize(1);
            other.send("GET /v1/x HTTP/1.1\r\nHost: " + hop().host("blob.up.test") + "\r\n\r\n")
                    .read();
            assertThat(proxy.asked()).hasSizeLessThanOrEqualTo(2);
        }
    }

    /** Each with words for the agent that are ours, and nothing of the proxy's. */
    @Test
    void what_the_proxy_refuses_is_a_502_in_our_own_words() {
        Map<String, String> answers = Map.of(
                "HTTP/1.1 407 Say s3cr3t-realm\r\nProxy-Authenticate: Basic realm=\"s3cr3t-realm\"\r\n"
                        + "Content-Length: 3\r\n\r\nno!",
                "does not accept the broker's credential (407)",
                "HTTP/1.1 403 s3cr3t-realm\r\n\r\n",
                "does not let it reach this destination (403)",
                "HTTP/1.1 503 s3cr3t-realm\r\n\r\n",
                "can't reach the destination (503)",
                "HTTP/1.1 302 s3cr3t-realm\r\nLocation: http://s3cr3t-realm/\r\n\r\n",
                "opens no tunnel to this destination (302)",
                "HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n",
                "opens no tunnel to this destination (101)",
                "s3cr3t-realm\r\n\r\n",
                "can't be read",
                TestForwardProxy.OPENED + "s3cr3t-realm",
                "can't be read");
        answers.forEach((answer, words) -> {
            proxy.script(_ -> answer);
            RawClient.Answer refused = get(hop(), "api.up.test", "read", "/v1/x");
            assertThat(refused.status()).isEqualTo(502);
            assertThat(refused.toString())
                    .contains("upstream_proxy")
                    .contains(words)
                    .doesNotContain("s3cr3t-realm")
                    .doesNotContain("Proxy-Authenticate")
                    .doesNotContain(BASIC.substring(6))
                    .doesNotContain("127.0.0.1");
        });
        proxy.script(_ -> null);
        assertThat(get(hop(), "api.up.test", "read", "/v1/x").text()).contains("closed the connection");
        assertThat(hop().origin().received()).isEmpty();
    }

    @Test
    void an_interim_answer_is_not_yet_the_answer() {
        proxy.script(_ -> "HTTP/1.1 100 Continue\r\n\r\n" + TestForwardProxy.OPENED);
        assertThat(get(hop(), "api.up.test", "read", "/v1/x").status()).isEqualTo(200);
    }

    @Test
    void another_address_is_tried_where_the_proxy_can_not_reach_one_and_not_where_it_refuses() {
        hop().names().answer("api.up.test", "93.184.216.50", "93.184.216.51");
        proxy.script(head -> head.contains(".50:") ? "HTTP/1.1 504 Late\r\n\r\n" : TestForwardProxy.OPENED);
        assertThat(get(hop(), "api.up.test", "read", "/v1/x").status()).isEqualTo(200);
        assertThat(proxy.asked()).hasSize(2);
        proxy.asked().clear();
        hop().names().answer("api.up.test", "93.184.216.52", "93.184.216.53");
        proxy.script(_ -> "HTTP/1.1 407 No\r\n\r\n");
        assertThat(get(hop(), "api.up.test", "read", "/v1/x").status()).isEqualTo(502);
        // An account that is asked for too often with a wrong password is locked.
        assertThat(proxy.asked()).hasSize(1);
    }

    @Test
    void a_destination_that_does_not_prove_its_name_is_none_through_a_tunnel_either() {
        try (TestForwardProxy own = TestForwardProxy.plain();
                TestHop other = TestHop.startThrough(
                        TestCertificates.authority(),
                        UpstreamProxy.parse(own.url("proxy.up.test"), "address", List.of(), null),
                        TestHop.POLICY)) {
            other.names().answer("api.up.test", PUBLIC);
            // The proxy leads to another origin, whose certificate another authority has signed.
            int stranger = hop().origin().port();
            own.script(_ -> TestForwardProxy.OPENED);
            other.document(
                    "policies/fixer.yml", TestHop.POLICY.replace("api.up.test:${tls}", "api.up.test:" + stranger));
            other.document("credentials/up.yml", """
                    sallyport: v1
                    credential: up
                    destinations: ["https://api.up.test:%d", "http://clear.up.test:${plain}"]
                    source: {kind: file, name: up}
                    inject: {kind: bearer}
                    blast-radius: low
                    """.formatted(stranger));
            other.reload();
            try (RawClient agent = other.connect()) {
                RawClient.Answer refused = agent.send("GET /gateway/fixer:read/v1/x HTTP/1.1\r\nHost: localhost\r\n"
                                + "x-api-key: " + other.token("read") + "\r\n\r\n")
                        .read();
                assertThat(refused.text()).contains("upstream_tls");
            }
            assertThat(own.asked()).hasSize(1);
            assertThat(own.asked().getFirst()).doesNotContain("Proxy-Authorization");
        }
        assertThat(hop().origin().received()).isEmpty();
    }

    @Test
    void by_name_the_proxy_resolves_for_https_and_the_guard_says_what_it_can() {
        try (TestHop named = through(proxy.url("proxy.up.test"), "name")) {
            named.names().fail("api.up.test", "no such name");
            assertThat(get(named, "api.up.test", "read", "/v1/x").status()).isEqualTo(200);
            named.names().answer("api.up.test", PUBLIC);
            assertThat(get(named, "api.up.test", "read", "/v1/x").status()).isEqualTo(200);
            assertThat(proxy.targets()).isNotEmpty().containsOnly(named.host("api.up.test"));
            proxy.asked().clear();
            named.names().answer("api.up.test", PUBLIC, "10.0.0.1");
            assertThat(get(named, "api.up.test", "read", "/v1/x").text()).contains("address_forbidden");
            // What proves no name goes to the address that was judged, or nowhere.
            named.names().fail("plain.up.test", "no such name");
            assertThat(plain(named, "plain.up.test", "plain").text()).contains("name_unresolved");
            assertThat(proxy.asked()).isEmpty();
            named.names().answer("plain.up.test", PUBLIC);
            assertThat(plain(named, "plain.up.test", "plain").status()).isEqualTo(200);
            assertThat(proxy.targets())
                    .containsExactly(PUBLIC + ":" + named.plainOrigin().port());
        }
    }

    @Test
    void a_proxy_that_is_spoken_to_in_tls_proves_who_it_is_before_it_hears_who_we_are() {
        try (TestForwardProxy tls = TestForwardProxy.tls(authority.issue("proxy.up.test"));
                TestHop other = through(tls.url("proxy.up.test"), "address")) {
            other.names().answer("api.up.test", PUBLIC);
            assertThat(get(other, "api.up.test", "read", "/v1/x").status()).isEqualTo(200);
            assertThat(tls.asked()).singleElement().asString().contains(BASIC);
        }
        try (TestForwardProxy tls = TestForwardProxy.tls(authority.issue("elsewhere.up.test"));
                TestHop other = through(tls.url("proxy.up.test"), "address")) {
            other.names().answer("api.up.test", PUBLIC);
            assertThat(get(other, "api.up.test", "read", "/v1/x").text())
                    .contains("upstream_proxy")
                    .contains("does not prove who it is");
            assertThat(tls.asked()).isEmpty();
        }
    }

    @Test
    void a_proxy_that_is_not_there_or_is_one_of_our_own_doors_is_a_502() throws IOException {
        TestForwardProxy gone = TestForwardProxy.plain();
        String url = gone.url("proxy.up.test");
        gone.close();
        try (TestHop other = through(url, "address")) {
            other.names().answer("api.up.test", PUBLIC);
            assertThat(get(other, "api.up.test", "read", "/v1/x").text())
                    .contains("upstream_proxy")
                    .contains("can't be reached");
            other.names().fail("proxy.up.test", "no such name");
            assertThat(get(other, "api.up.test", "read", "/v1/x").text()).contains("can't be reached");
            other.names().answer("proxy.up.test", "127.0.0.1");
            other.room(io.sallyport.net.OwnPorts.class).add(Integer.parseInt(url.replaceFirst(".*:", "")));
            assertThat(get(other, "api.up.test", "read", "/v1/x").text()).contains("can't be reached");
        }
    }
}

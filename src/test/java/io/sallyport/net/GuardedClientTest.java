package io.sallyport.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sallyport.http.Fields;
import io.sallyport.testing.TestCertificates;
import io.sallyport.testing.TestForwardProxy;
import io.sallyport.testing.TestOrigin;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GuardedClientTest {

    private static final TestCertificates CA = TestCertificates.authority();
    private static final List<Cidr> LOOPBACK = List.of(Cidr.of("127.0.0.0/8"));

    @TempDir
    Path folder;

    private final OwnPorts ownPorts = new OwnPorts();
    private final Queue<String> answers = new ArrayDeque<>(List.of("127.0.0.1"));
    private final TestOrigin origin = TestOrigin.tls(CA.issue("keys.up.test", "127.0.0.1"), TestOrigin.ok("hello"));
    private final GuardedHttpClient client =
            new GuardedHttpClient(this::resolve, new Egress(new ReservedAddressGuard(ownPorts::contains), null), null);

    /** Each question takes the next answer; the last one stays. */
    private CompletableFuture<Resolver.Resolution> resolve(String host) {
        String answer = answers.size() > 1 ? answers.remove() : answers.element();
        try {
            return CompletableFuture.completedFuture(
                    new Resolver.Resolution.Resolved(List.of(InetAddress.getByName(answer))));
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @AfterEach
    void close() {
        client.close();
        origin.close();
    }

    private GuardedClient.Call call(String host, List<Cidr> permitted, @Nullable String bearer) {
        return new GuardedClient.Call(
                URI.create(origin.url(host) + "/a?b=c"),
                CA.writeRoot(folder.resolve("root.pem")),
                permitted,
                bearer,
                Duration.ofSeconds(5),
                100);
    }

    private byte[] get(String host) throws IOException {
        return client.get(call(host, LOOPBACK, null));
    }

    @Test
    void a_verified_origin_in_a_named_range_answers() throws Exception {
        assertThat(client.get(call("keys.up.test", LOOPBACK, "t0ken")))
                .asString()
                .isEqualTo("hello");
        assertThat(origin.received()).singleElement().satisfies(request -> {
            assertThat(request.requestLine()).isEqualTo("GET /a?b=c HTTP/1.1");
            assertThat(request.field("Authorization")).containsExactly("Bearer t0ken");
        });
    }

    @Test
    void an_exchange_says_what_it_is_told_and_hears_an_answer_of_any_status() throws Exception {
        origin.answer(TestOrigin.status(403, "no"));

        GuardedExchange.Answer answer = client.exchange(exchange(100));

        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.content()).asString().isEqualTo("no");
        assertThat(origin.received()).singleElement().satisfies(request -> {
            assertThat(request.requestLine()).isEqualTo("PUT /v1/x?b=c HTTP/1.1");
            assertThat(request.field("X-Vault-Token")).containsExactly("t0ken");
            assertThat(request.content()).asString().isEqualTo("{}");
        });
        assertThat(List.of(exchange(100), answer).toString())
                .doesNotContain("t0ken")
                .doesNotContain("no");
    }

    @Test
    void an_exchange_passes_the_same_guard_and_takes_no_more_than_it_said() {
        assertThatThrownBy(() -> client.exchange(exchange(4))).hasMessageContaining("longer than 4 bytes");
        var unnamed = new GuardedExchange.Request(
                "GET",
                URI.create(origin.url("keys.up.test")),
                Fields.EMPTY,
                null,
                null,
                List.of(),
                Duration.ofSeconds(5),
                9);
        assertThatThrownBy(() -> client.exchange(unnamed)).hasMessageContaining("127.0.0.0/8 (loopback)");
    }

    private GuardedExchange.Request exchange(int limit) {
        return new GuardedExchange.Request(
                "PUT",
                URI.create(origin.url("keys.up.test") + "/v1/x?b=c"),
                Fields.of("X-Vault-Token", "t0ken"),
                "{}".getBytes(StandardCharsets.US_ASCII),
                CA.writeRoot(folder.resolve("root.pem")),
                LOOPBACK,
                Duration.ofSeconds(5),
                limit);
    }

    /** RW-61. */
    @Test
    void a_reserved_address_that_no_document_names_is_not_dialled() {
        for (String host : List.of("keys.up.test", "127.0.0.1")) {
            assertThatThrownBy(() -> client.get(call(host, List.of(), null)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("127.0.0.0/8 (loopback)");
        }
        assertThat(origin.connections()).isZero();
    }

    @Test
    void one_of_our_own_doors_is_not_dialled() {
        ownPorts.add(origin.port());
        assertThatThrownBy(() -> get("keys.up.test")).hasMessageContaining("own doors");
        assertThat(origin.connections()).isZero();
    }

    /** RW-63: a second look at the name would be answered with loopback. */
    @Test
    void the_address_checked_is_the_address_dialled() {
        answers.clear();
        answers.addAll(List.of("192.0.2.1", "127.0.0.1"));
        var onlyTheFirst = new GuardedClient.Call(
                URI.create(origin.url("keys.up.test")),
                CA.writeRoot(folder.resolve("root.pem")),
                List.of(Cidr.of("192.0.2.0/24")),
                null,
                Duration.ofMillis(300),
                100);
        assertThatThrownBy(() -> client.get(onlyTheFirst)).isInstanceOf(IOException.class);
        assertThat(origin.connections()).isZero();
        assertThat(answers).containsExactly("127.0.0.1");
    }

    @Test
    void a_certificate_for_another_name_is_refused() {
        assertThatThrownBy(() -> get("other.up.test")).isInstanceOf(IOException.class);
        assertThat(origin.received()).isEmpty();
    }

    @Test
    void a_certificate_of_another_authority_is_refused() {
        TestCertificates stranger = TestCertificates.authority();
        var call = new GuardedClient.Call(
                URI.create(origin.url("keys.up.test")),
                stranger.writeRoot(folder.resolve("other.pem")),
                LOOPBACK,
                null,
                Duration.ofSeconds(5),
                100);
        assertThatThrownBy(() -> client.get(call)).isInstanceOf(IOException.class);
        var system = new GuardedClient.Call(
                URI.create(origin.url("keys.up.test")), null, LOOPBACK, null, Duration.ofSeconds(5), 100);
        assertThatThrownBy(() -> client.get(system)).isInstanceOf(IOException.class);
        assertThat(origin.received()).isEmpty();
    }

    @Test
    void an_expired_certificate_is_refused() {
        try (TestOrigin expired = TestOrigin.tls(CA.issueExpired("keys.up.test"), TestOrigin.ok("hello"))) {
            var call = new GuardedClient.Call(
                    URI.create(expired.url("keys.up.test")),
                    CA.writeRoot(folder.resolve("root.pem")),
                    LOOPBACK,
                    null,
                    Duration.ofSeconds(5),
                    100);
            assertThatThrownBy(() -> client.get(call)).isInstanceOf(IOException.class);
            assertThat(expired.received()).isEmpty();
        }
    }

    @Test
    void a_redirect_is_not_followed() {
        origin.answer(TestOrigin.status(302, "", "Location: " + origin.url("keys.up.test") + "/elsewhere"));
        assertThatThrownBy(() -> get("keys.up.test")).hasMessageContaining("302");
        assertThat(origin.received()).hasSize(1);
    }

    @Test
    void an_answer_ends_at_its_limit() throws Exception {
        origin.answer(TestOrigin.ok("x".repeat(100)));
        assertThat(get("keys.up.test")).hasSize(100);
        origin.answer(TestOrigin.ok("x".repeat(101)));
        assertThatThrownBy(() -> get("keys.up.test")).hasMessageContaining("longer than 100 bytes");
    }

    @Test
    void a_peer_that_trickles_meets_the_deadline() {
        CountDownLatch never = new CountDownLatch(1);
        origin.answer((_, out) -> {
            out.write("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n".getBytes());
            try {
                for (int i = 0; i < 50 && !never.await(20, java.util.concurrent.TimeUnit.MILLISECONDS); i++) {
                    out.write('x');
                    out.flush();
                }
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        });
        var call = new GuardedClient.Call(
                URI.create(origin.url("keys.up.test")),
                CA.writeRoot(folder.resolve("root.pem")),
                LOOPBACK,
                null,
                Duration.ofMillis(400),
                100);
        assertThatThrownBy(() -> client.get(call)).hasMessageContaining("no answer within 400 ms");
    }

    @Test
    void a_fault_never_quotes_the_bearer() {
        origin.answer(TestOrigin.status(401, "t0ken", "WWW-Authenticate: t0ken"));
        assertThatThrownBy(() -> client.get(call("keys.up.test", LOOPBACK, "t0ken")))
                .hasMessageContaining("401")
                .satisfies(fault -> assertThat(fault.toString()).doesNotContain("t0ken"));
    }

    @Test
    void plain_http_reaches_loopback_alone_and_never_carries_a_bearer() throws Exception {
        try (TestOrigin plain = TestOrigin.plain(TestOrigin.ok("plain"))) {
            URI uri = URI.create(plain.url("127.0.0.1"));
            assertThat(client.get(new GuardedClient.Call(uri, null, LOOPBACK, null, Duration.ofSeconds(5), 100)))
                    .asString()
                    .isEqualTo("plain");
            assertThatThrownBy(() -> client.get(
                            new GuardedClient.Call(uri, null, LOOPBACK, "t0ken", Duration.ofSeconds(5), 100)))
                    .hasMessageContaining("never sent over http");
            answers.clear();
            answers.add("8.8.8.8");
            assertThatThrownBy(() -> client.get(new GuardedClient.Call(
                            URI.create(plain.url("keys.up.test")), null, LOOPBACK, null, Duration.ofSeconds(5), 100)))
                    .hasMessageContaining("loopback alone");
            assertThat(plain.received()).hasSize(1);
        }
    }

    private byte[] through(String proxy, String target, @Nullable Path proxyTrust) throws IOException {
        Path file = Files.writeString(folder.resolve("who"), "broker:hunter2");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        Egress egress = new Egress(
                new ReservedAddressGuard(ownPorts::contains),
                UpstreamProxy.parse(proxy, target, List.of(), "file:" + file));
        Resolver names = host -> host.startsWith("proxy.")
                ? CompletableFuture.completedFuture(
                        new Resolver.Resolution.Resolved(List.of(InetAddress.getLoopbackAddress())))
                : resolve(host);
        try (GuardedHttpClient proxied = new GuardedHttpClient(names, egress, proxyTrust)) {
            return proxied.get(call("keys.up.test", LOOPBACK, "t0ken"));
        }
    }

    @Test
    void through_the_proxy_at_the_way_out_the_guard_and_the_verification_are_the_same() throws Exception {
        answers.clear();
        answers.add("93.184.216.34");
        try (TestForwardProxy proxy = TestForwardProxy.plain()) {
            assertThat(through(proxy.url("proxy.up.test"), "address", null))
                    .asString()
                    .isEqualTo("hello");
            assertThat(proxy.targets()).containsExactly("93.184.216.34:" + origin.port());
            assertThat(proxy.passed()).isNotEmpty().doesNotContain("t0ken");
            assertThat(origin.received())
                    .singleElement()
                    .satisfies(request -> assertThat(request.head()).doesNotContain("Proxy-"));
            assertThat(through(proxy.url("proxy.up.test"), "name", null))
                    .asString()
                    .isEqualTo("hello");
            assertThat(proxy.targets().getLast()).isEqualTo("keys.up.test:" + origin.port());
            answers.add("10.0.0.1");
            answers.remove();
            assertThatThrownBy(() -> through(proxy.url("proxy.up.test"), "address", null))
                    .hasMessageContaining("10.0.0.0/8 (private)");
            assertThat(proxy.asked()).hasSize(2);
        }
    }

    @Test
    void a_proxy_that_will_not_is_said_so_without_who_we_are() {
        answers.clear();
        answers.add("93.184.216.34");
        try (TestForwardProxy proxy = TestForwardProxy.plain()) {
            proxy.script(_ -> "HTTP/1.1 407 hunter2\r\n\r\n");
            assertThatThrownBy(() -> through(proxy.url("proxy.up.test"), "address", null))
                    .hasMessageContaining("does not accept the broker's credential (407)")
                    .hasMessageNotContaining("hunter2");
            proxy.script(_ -> "nonsense\r\n\r\n");
            assertThatThrownBy(() -> through(proxy.url("proxy.up.test"), "address", null))
                    .hasMessageContaining("can't be read");
        }
        assertThat(origin.received()).isEmpty();
    }

    @Test
    void a_proxy_in_tls_is_verified_by_its_own_roots() throws Exception {
        answers.clear();
        answers.add("93.184.216.34");
        TestCertificates other = TestCertificates.authority();
        Path roots = other.writeRoot(folder.resolve("proxy-roots.pem"));
        try (TestForwardProxy proxy = TestForwardProxy.tls(other.issue("proxy.up.test"))) {
            assertThat(through(proxy.url("proxy.up.test"), "address", roots))
                    .asString()
                    .isEqualTo("hello");
            assertThatThrownBy(() -> through(proxy.url("proxy.up.test"), "address", null))
                    .hasMessageContaining("does not prove who it is");
            assertThatThrownBy(() -> through(proxy.url("proxy.elsewhere.test"), "address", roots))
                    .hasMessageContaining("does not prove who it is");
            assertThat(proxy.asked()).hasSize(1);
        }
    }

    @Test
    void a_proxy_of_the_environment_is_ignored() throws Exception {
        System.setProperty("https.proxyHost", "192.0.2.1");
        System.setProperty("https.proxyPort", "9");
        try {
            assertThat(get("keys.up.test")).asString().isEqualTo("hello");
        } finally {
            System.clearProperty("https.proxyHost");
            System.clearProperty("https.proxyPort");
        }
    }

    @Test
    void a_call_that_never_came_to_its_first_byte_says_so_and_one_that_did_does_not() throws Exception {
        GuardedExchange.Request call = exchange(100);
        origin.answer((request, out) -> {
            throw new IOException("the connection ends without an answer");
        });
        assertThatThrownBy(() -> client.exchange(call))
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(GuardedExchange.Unsent.class);
        assertThat(origin.received()).hasSize(1);

        // Not trusted: the handshake fails before anything is sent.
        GuardedExchange.Request untrusted = new GuardedExchange.Request(
                call.method(), call.uri(), call.fields(), call.content(), null, LOOPBACK, call.timeout(), 100);
        assertThatThrownBy(() -> client.exchange(untrusted)).isInstanceOf(GuardedExchange.Unsent.class);
        origin.close();
        assertThatThrownBy(() -> client.exchange(call)).isInstanceOf(GuardedExchange.Unsent.class);
        assertThat(origin.received()).hasSize(1);
    }
}

package io.sallyport;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestCertificates;
import io.sallyport.testing.TestNameServer;
import io.sallyport.testing.TestOrigin;
import io.sallyport.testing.TestProcess;
import io.sallyport.testing.Tools;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A whole broker that is told to stop (RW-80): by task, by credential, by a narrower rule book, while its store is down (RV-11) and across
 * {@code kill -9} (RV-14). Times are printed; what is asserted is loose enough for a busy machine.
 */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StopMeansStopTest {

    private static final Duration GENEROUS = Duration.ofSeconds(2);
    private static final JsonMapper JSON = new JsonMapper();

    private TestOrigin origin;
    private Sink sink;
    private TestNameServer names;
    private TestProcess broker;

    /** An origin in the clear that swallows what it gets and remembers when the last byte came. */
    private static final class Sink implements AutoCloseable {
        private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final AtomicLong lastByte = new AtomicLong();
        private final AtomicLong bytes = new AtomicLong();

        Sink() throws IOException {
            Thread.ofVirtual().start(() -> {
                while (!listener.isClosed()) {
                    try {
                        Socket socket = listener.accept();
                        Thread.ofVirtual().start(() -> swallow(socket));
                    } catch (IOException closed) {
                        return;
                    }
                }
            });
        }

        private void swallow(Socket socket) {
            byte[] buffer = new byte[64 * 1024];
            try (socket;
                    InputStream in = socket.getInputStream()) {
                for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                    bytes.addAndGet(n);
                    lastByte.set(System.nanoTime());
                }
            } catch (IOException cut) {
                // As the test wants it.
            }
        }

        @Override
        public void close() throws IOException {
            listener.close();
        }
    }

    @BeforeAll
    void start() throws Exception {
        TestCertificates authority = TestCertificates.authority();
        origin = TestOrigin.tls(authority.issue("*.up.test"), StopMeansStopTest::answer);
        sink = new Sink();
        names = new TestNameServer(TestNameServer.Step.addresses(60, "127.0.0.1"));
        broker = TestProcess.prepared();
        broker.setting(
                        "sallyport.proxy.upstream-trust",
                        "file:" + authority.writeRoot(broker.folder().resolve("up.pem")))
                .setting("sallyport.proxy.name-servers", names.address())
                .secret("up", "sk-live-0123456789abcdef")
                .document("credentials", "up", """
                        sallyport: v1
                        credential: up
                        destinations: ["https://api.up.test:%d"]
                        source: {kind: file, name: up}
                        inject: {kind: bearer}
                        blast-radius: low
                        """.formatted(origin.port()));
        policy("/v1/**");
        doors();
        broker.start();
    }

    @AfterAll
    void stop() throws IOException {
        broker.close();
        names.close();
        sink.close();
        origin.close();
    }

    private void policy(String path) {
        broker.document("policies", "work", """
                sallyport: v1
                policy: work
                owner: team@example.com
                reason: Streams
                review-by: 2099-01-01
                who: [{identity: ci, subject: agent-1}]
                task: {ttl: 1h, uses: 10000, bytes-out: 10GiB, binding: address}
                scopes:
                  api:
                    reason: Streams and downloads
                    destination: {url: "https://api.up.test:%d", addresses: [127.0.0.0/8]}
                    allow: ["GET %s"]
                    credential: up
                  sink:
                    reason: Uploads
                    destination: {url: "http://sink.up.test:%d", addresses: [127.0.0.0/8]}
                    allow: ["POST /**"]
                    credential: none
                """.formatted(origin.port(), path, sink.listener.getLocalPort()));
    }

    /** A policy as careless as one can be: it names loopback, and the broker's own ports. */
    private void doors() {
        StringBuilder text = new StringBuilder("""
                sallyport: v1
                policy: doors
                owner: team@example.com
                reason: Reaches for the broker's own doors
                review-by: 2099-01-01
                who: [{identity: ci, subject: agent-1}]
                task: {ttl: 1h, uses: 10000, bytes-out: 10GiB, binding: address}
                scopes:
                """);
        ports().forEach((door, port) -> text.append("""
                  %s:
                    reason: A door
                    destination: {url: "http://self.up.test:%d", addresses: [127.0.0.0/8, "::1/128"]}
                    allow: ["* /**"]
                    credential: none
                """.formatted(door, port).indent(2)));
        broker.document("policies", "doors", text.toString());
    }

    private Map<String, Integer> ports() {
        return Map.of(
                "agent", broker.agentPort(),
                "hop", broker.hopPort(),
                "operator", broker.operatorPort(),
                "management", broker.managementPort());
    }

    /** Events without end, or 64 MiB a little at a time. */
    private static void answer(TestOrigin.Received request, java.io.OutputStream out) throws IOException {
        if (request.requestLine().startsWith("GET /v1/events")) {
            out.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
                    .getBytes(ISO_8859_1));
            trickle(out, "9\r\ndata: 1\n\n\r\n".getBytes(ISO_8859_1));
        } else if (request.requestLine().startsWith("GET /v1/download")) {
            out.write("HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n".getBytes(ISO_8859_1));
            trickle(out, new byte[16 * 1024]);
        } else {
            TestOrigin.ok("hello").to(request, out);
        }
    }

    private static void trickle(java.io.OutputStream out, byte[] piece) throws IOException {
        while (true) {
            out.write(piece);
            out.flush();
            java.util.concurrent.locks.LockSupport.parkNanos(5_000_000);
        }
    }

    /** A client that reads until its connection ends. */
    private final class Reading {
        private final AtomicLong lastByte = new AtomicLong();
        private final CompletableFuture<Long> ended = new CompletableFuture<>();

        Reading(String token, String path) {
            Thread.ofVirtual().start(() -> {
                try (RawClient agent = broker.tunnel("api.up.test", origin.port(), token)) {
                    agent.send("GET " + path + " HTTP/1.1\r\nHost: api.up.test:" + origin.port() + "\r\n\r\n");
                    for (String piece = agent.take(); !piece.isEmpty(); piece = agent.take()) {
                        lastByte.set(System.nanoTime());
                    }
                    ended.complete(System.nanoTime());
                } catch (RuntimeException cut) {
                    ended.complete(System.nanoTime());
                }
            });
            Awaitility.await().until(() -> lastByte.get() != 0);
        }
    }

    /** A client that sends until it can't. */
    private void uploading(String token) {
        long before = sink.bytes.get();
        Thread.ofVirtual().start(() -> {
            try (RawClient agent = RawClient.to(broker.hopPort())) {
                String target = "http://sink.up.test:" + sink.listener.getLocalPort() + "/up";
                agent.send(
                        "POST " + target + " HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nProxy-Authorization: "
                                + RawClient.basic(token) + "\r\n\r\n");
                String piece = "4000\r\n" + "x".repeat(0x4000) + "\r\n";
                while (true) {
                    agent.send(piece);
                    java.util.concurrent.locks.LockSupport.parkNanos(5_000_000);
                }
            } catch (RuntimeException cut) {
                // As the test wants it.
            }
        });
        Awaitility.await().until(() -> sink.bytes.get() > before + 100_000);
    }

    private JsonNode revoke(String select) {
        return broker.operatorDoor()
                .post("/api/v1/revocations", JSON.readTree("{\"select\":" + select + ",\"reason\":\"rehearsal\"}"));
    }

    private static void printed(String what, long from, long to) {
        System.out.printf("%s: last byte %+.1f ms from the acknowledgement%n", what, (to - from) / 1e6);
    }

    /** @param kinds as alternatives of a pattern */
    private int outcomes(String task, String kinds) {
        String found = broker.operatorDoor()
                .get("/api/v1/ledger?kind=outcome&task=" + task)
                .toString();
        return found.split("\\b(" + kinds + ")\\b", -1).length - 1;
    }

    @Test
    void events_a_download_and_an_upload_end_with_their_task() throws Exception {
        var task = broker.task("work:api", "work:sink");
        Reading events = new Reading(task.token(), "/v1/events");
        Reading download = new Reading(task.token(), "/v1/download");
        uploading(task.token());
        JsonNode receipt = revoke("{\"task\":\"" + task.task() + "\"}");
        long acknowledged = System.nanoTime();
        assertThat(receipt.path("durable").asBoolean()).isTrue();
        for (Reading reading : List.of(events, download)) {
            assertThat(reading.ended.get(10, java.util.concurrent.TimeUnit.SECONDS) - acknowledged)
                    .isLessThan(GENEROUS.toNanos());
        }
        Awaitility.await()
                .untilAsserted(
                        () -> assertThat(outcomes(task.task(), "cut|refused")).isEqualTo(3));
        // The upload asks for a window every moment: where it meets the end before it is cut, that is a refusal.
        assertThat(receipt.path("flows_cut").asInt())
                .isEqualTo(outcomes(task.task(), "cut"))
                .isGreaterThanOrEqualTo(2);
        printed("events", acknowledged, events.lastByte.get());
        printed("download", acknowledged, download.lastByte.get());
        printed("upload", acknowledged, sink.lastByte.get());
        assertThat(sink.lastByte.get() - acknowledged).isLessThan(GENEROUS.toNanos());
        long swallowed = sink.bytes.get();
        assertThat(refused(task.token())).contains(" 407 ");
        assertThat(sink.bytes.get()).as("nothing more came").isEqualTo(swallowed);
    }

    @Test
    void a_narrower_rule_book_cuts_what_runs() throws Exception {
        Reading events = new Reading(broker.task("work:api").token(), "/v1/events");
        policy("/v1/other");
        try {
            broker.operatorDoor().post("/api/v1/reload", JSON.createObjectNode());
            long acknowledged = System.nanoTime();
            assertThat(events.ended.get(10, java.util.concurrent.TimeUnit.SECONDS) - acknowledged)
                    .isLessThan(GENEROUS.toNanos());
            printed("events, narrowed", acknowledged, events.lastByte.get());
        } finally {
            policy("/v1/**");
            broker.operatorDoor().post("/api/v1/reload", JSON.createObjectNode());
        }
    }

    @Test
    void the_end_of_a_credential_cuts_what_it_rides_on_and_locks_until_lifted() throws Exception {
        Reading events = new Reading(broker.task("work:api").token(), "/v1/events");
        JsonNode receipt = revoke("{\"credential\":\"up\"}");
        long acknowledged = System.nanoTime();
        assertThat(receipt.path("flows_cut").asInt()).isPositive();
        assertThat(events.ended.get(10, java.util.concurrent.TimeUnit.SECONDS) - acknowledged)
                .isLessThan(GENEROUS.toNanos());
        printed("events, by credential", acknowledged, events.lastByte.get());
        org.assertj.core.api.Assertions.assertThatThrownBy(() -> broker.task("work:api"))
                .hasMessageContaining("400");
        assertThat(lift()).isEqualTo(204);
        assertThat(broker.task("work:api").token()).isNotEmpty();
    }

    private int lift() throws Exception {
        String lock = broker.operatorDoor()
                .get("/api/v1/locks")
                .path("locks")
                .get(0)
                .path("id")
                .asString();
        return operator("DELETE", "/api/v1/locks/" + lock + "?reason=rehearsed").statusCode();
    }

    private HttpResponse<String> operator(String method, String path) throws Exception {
        String token = java.nio.file.Files.readString(broker.folder().resolve("data/operator-token"))
                .strip();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + broker.operatorPort() + path))
                            .method(method, HttpRequest.BodyPublishers.noBody())
                            .header("Authorization", "Bearer " + token)
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }

    /** RV-11, RW-87: the system refuses every write of the process, as a full disk does. */
    @Test
    void a_store_that_is_down_does_not_stop_a_stop() throws Exception {
        Tools.require("prlimit");
        var operators = broker.task("work:api");
        var workloads = broker.task("work:api");
        Reading events = new Reading(operators.token(), "/v1/events");
        Reading download = new Reading(workloads.token(), "/v1/download");
        limitFiles("1");
        String id;
        try {
            HttpResponse<String> refused = agentRevokes(workloads.token());
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.headers().firstValue("Retry-After")).isPresent();
            download.ended.get(10, java.util.concurrent.TimeUnit.SECONDS);
            JsonNode receipt = revoke("{\"task\":\"" + operators.task() + "\"}");
            assertThat(receipt.path("durable").asBoolean()).isFalse();
            assertThat(receipt.path("flows_cut").asInt()).isEqualTo(1);
            id = receipt.path("id").asString();
            events.ended.get(10, java.util.concurrent.TimeUnit.SECONDS);
            assertThat(refused(operators.token())).contains(" 407 ");
        } finally {
            limitFiles("unlimited");
        }
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> broker.operatorDoor()
                        .get("/api/v1/revocations/" + id)
                        .path("durable")
                        .asBoolean());
        assertThat(get(broker.task("work:api").token())).contains(" 200 ");
    }

    private void limitFiles(String bytes) {
        Tools.Ran ran = Tools.run(
                broker.folder(), Map.of(), "prlimit", "--pid", Long.toString(broker.pid()), "--fsize=" + bytes + ":");
        assertThat(ran.exit()).as(ran.err()).isZero();
    }

    private HttpResponse<String> agentRevokes(String token) throws Exception {
        String form = "token=" + token + "&client_assertion_type="
                + URLEncoder.encode("urn:ietf:params:oauth:client-assertion-type:jwt-bearer", StandardCharsets.UTF_8)
                + "&client_assertion=" + broker.workloadToken("agent-1");
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + broker.agentPort() + "/oauth2/revoke"))
                            .header("Content-Type", "application/x-www-form-urlencoded")
                            .POST(HttpRequest.BodyPublishers.ofString(form))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }

    /** RV-14; and RW-03: sandboxes that trust the authority go on doing so. */
    @Test
    void what_was_revoked_stays_so_after_kill_and_what_was_not_goes_on_under_the_same_authority() {
        var revoked = broker.task("work:api");
        var other = broker.task("work:api");
        String authority = broker.agentDoor().authority();
        assertThat(revoke("{\"task\":\"" + revoked.task() + "\"}")
                        .path("durable")
                        .asBoolean())
                .isTrue();
        broker.kill();
        broker.start();
        assertThat(refused(revoked.token())).contains(" 407 ");
        assertThat(get(other.token())).contains(" 200 ");
        assertThat(broker.agentDoor().authority()).isEqualTo(authority);
        assertThat(broker.operatorDoor()
                        .post("/api/v1/ledger/verify", JSON.createObjectNode())
                        .path("intact")
                        .asBoolean(false))
                .isTrue();
    }

    /** RW-61: whatever a document names, the broker is no destination of its own. */
    @Test
    void no_scope_leads_to_a_door_of_the_broker() {
        String token = broker.task("doors:agent", "doors:hop", "doors:operator", "doors:management")
                .token();
        ports().forEach((door, port) -> {
            try (RawClient agent = RawClient.to(broker.hopPort())) {
                agent.send("GET http://self.up.test:" + port
                        + "/actuator/health HTTP/1.1\r\nHost: x\r\nProxy-Authorization: " + RawClient.basic(token)
                        + "\r\n\r\n");
                RawClient.Answer answer = agent.read();
                assertThat(answer.status()).as(door).isEqualTo(403);
                assertThat(answer.text()).as(door).contains("address_forbidden", "own doors");
            }
        });
    }

    private String get(String token) {
        try (RawClient agent = broker.tunnel("api.up.test", origin.port(), token)) {
            return agent.send("GET /v1/x HTTP/1.1\r\nHost: api.up.test:" + origin.port() + "\r\n\r\n")
                    .read()
                    .head();
        }
    }

    private String refused(String token) {
        String target = "api.up.test:" + origin.port();
        try (RawClient agent = RawClient.to(broker.hopPort())) {
            return agent.send("CONNECT " + target + " HTTP/1.1\r\nHost: " + target + "\r\nProxy-Authorization: "
                            + RawClient.basic(token) + "\r\n\r\n")
                    .read()
                    .head();
        }
    }
}

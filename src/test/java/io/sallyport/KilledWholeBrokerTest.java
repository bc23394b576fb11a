package io.sallyport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sallyport.cli.AgentDoor;
import io.sallyport.cli.CommandFailed;
import io.sallyport.cli.OperatorDoor;
import io.sallyport.ledger.Ledger;
import io.sallyport.ledger.LedgerFile;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestCertificates;
import io.sallyport.testing.TestNameServer;
import io.sallyport.testing.TestOrigin;
import io.sallyport.testing.TestProcess;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The whole broker, killed (SIGKILL) at any moment while agents send, tasks are opened and an operator ends some: whatever it had said
 * is still so after its restart, and whatever the origin received is in the record.
 */
@Tag("slow")
class KilledWholeBrokerTest {

    private static final int ROUNDS = 5;
    private static final int AGENTS = 3;
    private static final String HOST = "api.up.test";
    private static final JsonMapper JSON = new JsonMapper();

    /** What clients were told, in all rounds. A task that somebody has begun to end may have ended, told or not. */
    private final Queue<AgentDoor.TaskToken> opened = new ConcurrentLinkedQueue<>();

    private final Set<String> ending = ConcurrentHashMap.newKeySet();
    private final Set<String> revoked = ConcurrentHashMap.newKeySet();
    private final Queue<String> surprises = new ConcurrentLinkedQueue<>();

    private final List<TestOrigin.Received> unheard = new ArrayList<>();

    private final AtomicBoolean killed = new AtomicBoolean();
    private final Random random = new Random(17);
    private TestOrigin origin;
    private TestProcess broker;
    private SSLContext trust;

    @Test
    void nothing_that_it_acknowledged_is_lost_and_nothing_left_unrecorded() throws Exception {
        TestCertificates authority = TestCertificates.authority();
        try (TestOrigin up = TestOrigin.tls(authority.issue(HOST), this::answer);
                TestNameServer names = new TestNameServer(TestNameServer.Step.addresses(60, "127.0.0.1"));
                TestProcess process = TestProcess.prepared();
                ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            origin = up;
            broker = process;
            process.setting(
                            "sallyport.proxy.upstream-trust",
                            "file:" + authority.writeRoot(process.folder().resolve("up.pem")))
                    .setting("sallyport.proxy.name-servers", names.address())
                    .secret("up", "sk-live-0123456789abcdef")
                    .document("credentials", "up", """
                            sallyport: v1
                            credential: up
                            destinations: ["%s"]
                            source: {kind: file, name: up}
                            inject: {kind: bearer}
                            blast-radius: low
                            """.formatted(up.url(HOST)))
                    .document("policies", "work", """
                            sallyport: v1
                            policy: work
                            owner: team@example.com
                            reason: Is killed at any moment
                            review-by: 2099-01-01
                            who: [{identity: ci, subject: agent-1}]
                            task: {ttl: 1h, uses: 1000000, bytes-out: 10GiB, binding: address}
                            scopes:
                              api:
                                reason: The API under test
                                destination: {url: "%s", addresses: [127.0.0.0/8]}
                                allow: ["* /v1/**"]
                                credential: up
                            """.formatted(up.url(HOST)));
            for (int round = 0; round < ROUNDS; round++) {
                process.start();
                whatWasAcknowledgedHolds();
                runAndKill(clients);
                whatTheOriginReceivedIsRecorded();
            }
            process.start();
            whatWasAcknowledgedHolds();
            usesLeftOpenAreClosed();
        }
        assertThat(surprises).isEmpty();
        assertThat(revoked).as("acknowledged revocations").hasSizeGreaterThan(ROUNDS);
        assertThat(opened).as("acknowledged exchanges").hasSizeGreaterThan(revoked.size() + ROUNDS);
    }

    /** Some requests are still unanswered when the broker dies: the origin has them, and nobody hears how they ended. */
    private void answer(TestOrigin.Received request, java.io.OutputStream out) throws java.io.IOException {
        if (request.requestLine().contains("/v1/hang")) {
            await().atMost(Duration.ofMinutes(2)).until(killed::get);
        }
        TestOrigin.ok("hello").to(request, out);
    }

    private void runAndKill(ExecutorService clients) throws Exception {
        killed.set(false);
        trust = TestCertificates.trusting(broker.authority());
        origin.received().clear();
        List<Future<?>> running = new ArrayList<>();
        for (int agent = 0; agent < AGENTS; agent++) {
            long seed = random.nextLong();
            running.add(clients.submit(() -> untilKilled(() -> send(new Random(seed)))));
        }
        long seed = random.nextLong();
        running.add(clients.submit(() -> untilKilled(() -> openAndEnd(new Random(seed)))));
        await().atMost(Duration.ofMinutes(2)).until(() -> origin.received().size() > 10 || !surprises.isEmpty());
        TimeUnit.MILLISECONDS.sleep(random.nextInt(1_500));
        killed.set(true);
        broker.kill();
        for (Future<?> client : running) {
            client.get(30, TimeUnit.SECONDS);
        }
    }

    /** A dead broker's clients see broken connections and refused dials; before it dies nothing of the kind may happen. */
    private void untilKilled(Runnable client) {
        while (!killed.get()) {
            try {
                client.run();
            } catch (UncheckedIOException | CommandFailed e) {
                if (!killed.get()) {
                    surprises.add(e.toString());
                    return;
                }
            }
        }
    }

    private void send(Random random) {
        AgentDoor.TaskToken task = broker.task("work:api");
        opened.add(task);
        try (RawClient tunnel = RawClient.to(broker.hopPort())) {
            String target = HOST + ":" + origin.port();
            String opening = tunnel.send("CONNECT " + target + " HTTP/1.1\r\nHost: " + target
                            + "\r\nProxy-Authorization: " + RawClient.basic(task.token()) + "\r\n\r\n")
                    .head();
            expect(opening.startsWith("HTTP/1.1 200"), opening);
            RawClient inside = tunnel.tls(trust, HOST, origin.port());
            int length = 1 + random.nextInt(20);
            for (int request = 0; request < length && !killed.get(); request++) {
                byte[] content = new byte[1 + random.nextInt(100_000)];
                random.nextBytes(content);
                boolean hang = request == length - 1 && random.nextInt(3) == 0;
                inside.send("POST /v1/" + (hang ? "hang" : "now") + " HTTP/1.1\r\nHost: " + target
                                + "\r\nContent-Length: " + content.length + "\r\n\r\n")
                        .send(content);
                if (hang) {
                    await().atMost(Duration.ofMinutes(2)).until(killed::get);
                    return;
                }
                RawClient.Answer answer = inside.read();
                expect(answer.status() == 200, answer.toString());
            }
        }
    }

    private void openAndEnd(Random random) {
        AgentDoor.TaskToken task = broker.task("work:api");
        opened.add(task);
        if (random.nextInt(3) == 0) {
            return;
        }
        ending.add(task.task());
        JsonNode order = JSON.createObjectNode()
                .put("reason", "a test ends it")
                .set("select", JSON.createObjectNode().put("task", task.task()));
        JsonNode receipt = broker.operatorDoor().post("/api/v1/revocations", order);
        if (receipt.path("durable").asBoolean()) {
            revoked.add(task.task());
        }
    }

    private void expect(boolean holds, String what) {
        if (!holds && !killed.get()) {
            surprises.add(what);
            throw new CommandFailed(what);
        }
    }

    private void whatWasAcknowledgedHolds() throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            String workload = broker.workloadToken("agent-1");
            for (AgentDoor.TaskToken task : opened) {
                boolean active = introspect(client, task.token(), workload);
                if (revoked.contains(task.task())) {
                    assertThat(active).as("revoked: " + task.task()).isFalse();
                } else if (!ending.contains(task.task())) {
                    assertThat(active).as("opened: " + task.task()).isTrue();
                }
            }
        }
        OperatorDoor operator = broker.operatorDoor();
        revoked.stream()
                .limit(3)
                .forEach(task -> assertThat(operator.get("/api/v1/ledger?kind=revoked&limit=1000")
                                .toString())
                        .contains(task));
    }

    private boolean introspect(HttpClient client, String token, String workload) throws Exception {
        String form = "token=" + token + "&client_assertion=" + workload + "&client_assertion_type="
                + URLEncoder.encode(
                        "urn:ietf:params:oauth:client-assertion-type:jwt-bearer", StandardCharsets.US_ASCII);
        HttpResponse<String> answer = client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + broker.agentPort() + "/oauth2/introspect"))
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(HttpRequest.BodyPublishers.ofString(form))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return JSON.readTree(answer.body()).path("active").asBoolean();
    }

    /** Looked at in the dead broker's file: nobody had a chance to add what was missing. */
    private void whatTheOriginReceivedIsRecorded() throws Exception {
        try (LedgerFile ledger = LedgerFile.open(broker.folder().resolve("data"))) {
            assertThat(ledger.verify().why()).isNull();
            for (TestOrigin.Received request : origin.received()) {
                assertThat(entriesOf(ledger, request)).as(request.head()).isNotEmpty();
                if (request.requestLine().contains("/v1/hang")) {
                    unheard.add(request);
                }
            }
        }
    }

    private void usesLeftOpenAreClosed() throws Exception {
        assertThat(unheard).as("requests without an answer").isNotEmpty();
        try (LedgerFile ledger = LedgerFile.open(broker.folder().resolve("data"))) {
            assertThat(ledger.verify().why()).isNull();
            for (TestOrigin.Received request : unheard) {
                JsonNode entry =
                        JSON.readTree(entriesOf(ledger, request).getFirst().canonical());
                long use = entry.has("use")
                        ? entry.path("use").asLong()
                        : entriesOf(ledger, request).getFirst().seq();
                assertThat(outcomes(ledger, entry.path("task").asString(), use))
                        .as(request.head())
                        .containsExactly("unknown");
            }
        }
    }

    private static Collection<String> outcomes(LedgerFile ledger, String task, long use) {
        return ledger.find(Ledger.Query.ofTask(task, 1000)).entries().stream()
                .map(entry -> JSON.readTree(entry.canonical()))
                .filter(entry -> entry.path("kind").asString().equals("outcome")
                        && entry.path("use").asLong() == use)
                .map(entry -> entry.path("outcome").asString())
                .toList();
    }

    private static List<Ledger.Entry> entriesOf(LedgerFile ledger, TestOrigin.Received request) throws Exception {
        String sha256 =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(request.content()));
        return ledger.find(Ledger.Query.ofSha256(sha256, 10)).entries();
    }
}

package io.sallyport;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.cli.AgentDoor;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestNameServer;
import io.sallyport.testing.TestOrigin;
import io.sallyport.testing.TestProcess;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The whole broker, told to stop (SIGTERM) while requests run: they may end, and an operator can still end them sooner. */
@Tag("slow")
class StoppedWholeBrokerTest {

    private final CountDownLatch go = new CountDownLatch(1);
    private final TestOrigin origin = TestOrigin.plain(this::answer);
    private final TestNameServer names = new TestNameServer(TestNameServer.Step.addresses(60, "127.0.0.1"));
    private final TestProcess broker = TestProcess.prepared();

    /** The slow one when it is let go, an endless one never. */
    private void answer(TestOrigin.Received request, java.io.OutputStream out) throws java.io.IOException {
        try {
            if (request.target().startsWith("/endless")) {
                out.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n".getBytes(ISO_8859_1));
                out.flush();
                new CountDownLatch(1).await();
            }
            go.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        TestOrigin.ok("whole").to(request, out);
    }

    @BeforeEach
    void start() {
        broker.setting("sallyport.proxy.name-servers", names.address())
                .setting("sallyport.proxy.deadlines.drain", "2m")
                .document("policies", "work", """
                        sallyport: v1
                        policy: work
                        owner: team@example.com
                        reason: Runs while the broker stops
                        review-by: 2099-01-01
                        who: [{identity: ci, subject: agent-1}]
                        task: {ttl: 1h, uses: 100, bytes-out: 1GiB, binding: address}
                        scopes:
                          plain: {reason: Anything, destination: {url: "%s", addresses: [127.0.0.0/8]}, allow: ["GET /**"], credential: none}
                        """.formatted(origin.url("plain.up.test")))
                .start();
    }

    @AfterEach
    void stop() {
        go.countDown();
        broker.close();
        names.close();
        origin.close();
    }

    private RawClient ask(String path, AgentDoor.TaskToken task) {
        String host = "plain.up.test:" + origin.port();
        return RawClient.to(broker.hopPort())
                .send("GET http://" + host + path + " HTTP/1.1\r\nHost: " + host + "\r\nProxy-Authorization: "
                        + RawClient.basic(task.token()) + "\r\n\r\n");
    }

    private boolean taken() {
        try (RawClient ignored = RawClient.to(broker.hopPort())) {
            return true;
        } catch (UncheckedIOException refused) {
            return false;
        }
    }

    @Test
    void what_runs_is_answered_an_order_is_carried_out_meanwhile_and_all_of_it_is_on_record() throws Exception {
        AgentDoor.TaskToken slow = broker.task("work:plain");
        AgentDoor.TaskToken endless = broker.task("work:plain");
        try (RawClient answered = ask("/slow", slow);
                RawClient cut = ask("/endless", endless)) {
            cut.head();
            Awaitility.await()
                    .atMost(Duration.ofMinutes(1))
                    .until(() -> origin.received().size() == 2);

            CompletableFuture<Void> stopped = CompletableFuture.runAsync(broker::stop);
            Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> !taken());
            JsonNode receipt = broker.operatorDoor()
                    .post(
                            "/api/v1/revocations",
                            JsonMapper.shared()
                                    .readTree("{\"select\":{\"task\":\"" + endless.task()
                                            + "\"},\"reason\":\"while it stops\"}"));
            assertThat(receipt.path("flows_cut").asInt()).isEqualTo(1);
            assertThat(receipt.path("durable").asBoolean()).isTrue();
            assertThat(cut.rest()).doesNotContain("\r\n0\r\n");
            assertThat(stopped).isNotDone();
            go.countDown();
            RawClient.Answer answer = answered.read();
            assertThat(answer.text()).isEqualTo("whole");
            assertThat(answer.field("Connection")).containsExactly("close");
            assertThat(stopped).succeedsWithin(1, TimeUnit.MINUTES);
        }

        broker.start();
        assertThat(outcome(slow)).containsExactly("answered");
        assertThat(outcome(endless)).containsExactly("cut");
    }

    private List<String> outcome(AgentDoor.TaskToken task) {
        return broker.operatorDoor()
                .get("/api/v1/ledger?kind=outcome&task=" + task.task())
                .path("entries")
                .valueStream()
                .map(entry -> entry.path("entry").path("outcome").asString())
                .toList();
    }
}

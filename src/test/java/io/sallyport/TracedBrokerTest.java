package io.sallyport;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.cli.AgentDoor;
import io.sallyport.testing.ClientHellos;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.SystemCalls;
import io.sallyport.testing.SystemCalls.Call;
import io.sallyport.testing.TestCertificates;
import io.sallyport.testing.TestNameServer;
import io.sallyport.testing.TestOrigin;
import io.sallyport.testing.TestProcess;
import io.sallyport.testing.Tools;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Nothing leaves unrecorded, seen from outside the broker: its system calls, in order, while it lets requests out to origins without
 * TLS, so that what leaves can be read in the trace.
 */
@Tag("slow")
class TracedBrokerTest {

    private static TestOrigin small;
    private static TestOrigin large;
    private static TestOrigin blind;
    private static TestNameServer names;
    private static TestProcess broker;

    @BeforeAll
    static void start() {
        Tools.require("strace");
        small = TestOrigin.plain(TestOrigin.ok("hello"));
        large = TestOrigin.plain(TestOrigin.ok("hello"));
        blind = TestOrigin.tls(TestCertificates.authority().issue("blind.up.test"), TestOrigin.ok("hello"));
        names = new TestNameServer(TestNameServer.Step.addresses(60, "127.0.0.1"));
        broker = TestProcess.prepared();
        broker.setting("sallyport.proxy.name-servers", names.address())
                .document("policies", "work", """
                        sallyport: v1
                        policy: work
                        owner: team@example.com
                        reason: Is watched
                        review-by: 2099-01-01
                        who: [{identity: ci, subject: agent-1}]
                        task: {ttl: 1h, uses: 100, bytes-out: 1GiB, binding: address}
                        scopes:
                          small: {reason: One window, destination: {url: "%s", addresses: [127.0.0.0/8]}, allow: ["POST /v1/**"], credential: none}
                          large: {reason: Several windows, destination: {url: "%s", addresses: [127.0.0.0/8]}, allow: ["POST /v1/**"], credential: none}
                          blind: {reason: Passed through, destination: {url: "%s", addresses: [127.0.0.0/8]}, intercept: false, credential: none, wide: It is watched}
                        """.formatted(
                                small.url("small.up.test"), large.url("large.up.test"), blind.url("blind.up.test")))
                .under(SystemCalls.tracing(broker.folder().resolve("trace")))
                .start();
    }

    @AfterAll
    static void stop() {
        for (AutoCloseable each : Arrays.asList(broker, names, blind, large, small)) {
            try {
                if (each != null) {
                    each.close();
                }
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Test
    void the_record_is_synced_before_a_name_is_asked_for_the_origin_is_dialled_and_a_byte_of_the_request_leaves()
            throws Exception {
        String content = "marked-" + new Random(3).nextLong();
        post(small, "small", content.getBytes(StandardCharsets.US_ASCII));

        SystemCalls calls = trace();
        Call synced = calls.syncOf(sha256(content.getBytes(StandardCharsets.US_ASCII)));
        Call asked = calls.first("the question to the name server", toPort(names.address()));
        Call dialled = calls.first("the connection to the origin", dialling(small));
        Call sent = calls.first(
                "the content on its way to the origin",
                call -> call.descriptor().equals(dialled.descriptor())
                        && call.begin() > dialled.begin()
                        && call.writes()
                        && call.arguments().contains(content));
        assertThat(List.of(asked.begin(), dialled.begin(), sent.begin()))
                .as("begin behind the sync's return, at line %s of the trace", synced.end())
                .allMatch(begin -> begin > synced.end());
    }

    @Test
    void each_window_of_an_upload_is_synced_before_its_first_byte_leaves() throws Exception {
        byte[] content = new byte[3 << 20];
        new Random(5).nextBytes(content);
        String task = post(large, "large", content);

        List<JsonNode> windows = broker.operatorDoor()
                .get("/api/v1/ledger?task=" + task)
                .path("entries")
                .valueStream()
                .map(entry -> entry.path("entry"))
                .filter(entry -> entry.has("window_bytes"))
                .toList();
        assertThat(windows.size()).as("windows").isGreaterThanOrEqualTo(3);
        SystemCalls calls = trace();
        String socket =
                calls.first("the connection to the origin", dialling(large)).descriptor();
        List<Call> sends = calls.all(call -> call.descriptor().equals(socket) && call.writes() && call.result() > 0);
        long head = sends.stream().mapToLong(Call::result).sum() - content.length;
        assertThat(head).as("bytes of the head").isBetween(50L, 1000L);
        for (JsonNode window : windows) {
            long from = window.path("offset").asLong(0);
            int to = (int) (from + window.path("window_bytes").asLong());
            Call synced = calls.syncOf(sha256(Arrays.copyOf(content, to)));
            long left = sends.stream()
                    .filter(send -> send.begin() < synced.end())
                    .mapToLong(Call::result)
                    .sum();
            assertThat(left)
                    .as("bytes that left before the window from %s to %s was synced", from, to)
                    .isLessThanOrEqualTo(from == 0 ? 0 : head + from);
        }
    }

    /** What begins a tunnel that is passed through is content like any other: on disk before anybody is asked where it may go. */
    @Test
    void the_first_bytes_of_a_tunnel_that_is_passed_through_are_synced_before_it_is_dialled() throws Exception {
        byte[] hello = ClientHellos.of("blind.up.test");
        String host = "blind.up.test:" + blind.port();
        AgentDoor.TaskToken task = broker.task("work:blind");
        try (RawClient client = RawClient.to(broker.hopPort())) {
            client.send("CONNECT " + host + " HTTP/1.1\r\nHost: " + host + "\r\nProxy-Authorization: "
                    + RawClient.basic(task.token()) + "\r\n\r\n");
            assertThat(client.head()).startsWith("HTTP/1.1 200");
            client.send(hello);
            assertThat(client.input().read()).as("a record of the origin's").isIn(21, 22);
        }

        SystemCalls calls = trace();
        Call synced = calls.syncOf(sha256(hello));
        Call asked = calls.first(
                "the question to the name server",
                call -> call.name().equals("sendto") && call.arguments().contains("blind"));
        Call dialled = calls.first("the connection to the origin", dialling(blind));
        Call sent = calls.first(
                "the hello on its way",
                call -> call.descriptor().equals(dialled.descriptor())
                        && call.begin() > dialled.begin()
                        && call.writes());
        assertThat(List.of(asked.begin(), dialled.begin(), sent.begin()))
                .as("begin behind the sync's return, at line %s of the trace", synced.end())
                .allMatch(begin -> begin > synced.end());
    }

    private static String post(TestOrigin origin, String scope, byte[] content) {
        AgentDoor.TaskToken task = broker.task("work:" + scope);
        String host = scope + ".up.test:" + origin.port();
        try (RawClient client = RawClient.to(broker.hopPort())) {
            RawClient.Answer answer = client.send("POST http://" + host + "/v1/x HTTP/1.1\r\nHost: " + host
                            + "\r\nProxy-Authorization: " + RawClient.basic(task.token()) + "\r\nContent-Length: "
                            + content.length + "\r\n\r\n")
                    .send(content)
                    .read();
            assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        }
        assertThat(origin.received().getLast().content()).isEqualTo(content);
        return task.task();
    }

    private static SystemCalls trace() {
        return SystemCalls.read(broker.folder().resolve("trace"));
    }

    private static Predicate<Call> dialling(TestOrigin origin) {
        return call -> call.name().equals("connect") && call.arguments().contains("htons(" + origin.port() + ")");
    }

    private static Predicate<Call> toPort(String address) {
        String port = "htons(" + address.substring(address.indexOf(':') + 1) + ")";
        return call -> (call.name().equals("sendto") || call.name().equals("connect"))
                && call.arguments().contains(port);
    }

    private static String sha256(byte[] content) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    }
}

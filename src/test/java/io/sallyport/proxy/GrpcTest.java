package io.sallyport.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.NodePackages;
import io.sallyport.testing.PemFiles;
import io.sallyport.testing.TestHop;
import io.sallyport.testing.Tools;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** gRPC's own client and server for Node, with the hop between them (RW-08): they talk as if it were not there. */
@Tag("slow")
class GrpcTest {

    private static final String POLICY = """
            sallyport: v1
            policy: fixer
            owner: team@example.com
            reason: Exercises calls
            review-by: 2099-01-01
            who:
              - {identity: ci, subject: "agent-1"}
            task: {ttl: 15min, uses: 100000, bytes-out: 10GiB, depth: 2, at-once: 64, binding: address}
            scopes:
              calls:
                reason: Calls
                destination: {url: "https://grpc.up.test:PORT", addresses: [127.0.0.0/8]}
                allow: ["POST /test.Calls/*"]
                credential: up
            never: ["POST /test.Calls/Denied"]
            """;

    @TempDir
    private static Path folder;

    private static TestHop hop;
    private static Process server;
    private static JsonNode seen;
    private static List<JsonNode> received;

    @BeforeAll
    static void call() throws Exception {
        hop = TestHop.start();
        PemFiles.write(hop.authority().issue("*.up.test"), folder.resolve("chain.pem"), folder.resolve("key.pem"));
        server = new ProcessBuilder(
                        "node",
                        NodePackages.module("grpc-server.mjs").toString(),
                        folder.resolve("port").toString(),
                        folder.resolve("chain.pem").toString(),
                        folder.resolve("key.pem").toString(),
                        folder.resolve("received").toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("server.log").toFile())
                .start();
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> Files.exists(folder.resolve("port")));
        String port = Files.readString(folder.resolve("port"));
        hop.document("credentials/up.yml", """
                sallyport: v1
                credential: up
                destinations: ["https://grpc.up.test:PORT"]
                source: {kind: file, name: up}
                inject: {kind: bearer}
                blast-radius: low
                """.replace("PORT", port));
        hop.document("policies/fixer.yml", POLICY.replace("PORT", port)).reload();
        Path roots = folder.resolve("hop.pem");
        Files.writeString(roots, hop.room(InterceptionRoot.class).pem());
        Tools.Ran ran = Tools.run(
                folder,
                Map.of("grpc_proxy", "http://task:" + hop.token("calls") + "@127.0.0.1:" + hop.port()),
                "node",
                NodePackages.module("grpc-client.mjs").toString(),
                "grpc.up.test:" + port,
                roots.toString());
        assertThat(ran.exit())
                .as(ran.err() + Files.readString(folder.resolve("server.log")))
                .isZero();
        seen = JsonMapper.shared().readTree(ran.out());
        Awaitility.await().until(() -> log().size() == 6);
        received = log();
    }

    private static List<JsonNode> log() throws IOException {
        return Files.readAllLines(folder.resolve("received"), StandardCharsets.UTF_8).stream()
                .map(JsonMapper.shared()::readTree)
                .toList();
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.destroy();
        }
        hop.close();
    }

    @Test
    void a_call_gets_its_answer_its_status_and_its_trailers() {
        assertThat(seen.path("unary").toString())
                .isEqualTo("{\"answer\":\"re: hello\",\"code\":0,\"details\":\"OK\",\"cost\":[\"42\"]}");
        assertThat(seen.path("large").path("answer").asInt()).isEqualTo(3_000_004);
    }

    @Test
    void a_call_that_fails_fails_with_the_servers_words() {
        assertThat(seen.path("fail").path("code").asInt()).isEqualTo(5);
        assertThat(seen.path("fail").path("details").asString()).isEqualTo("nothing – here");
        assertThat(seen.path("fail").path("cost").toString()).isEqualTo("[\"42\"]");
    }

    @Test
    void a_call_that_the_policy_does_not_allow_is_an_error_of_permission() {
        assertThat(seen.path("denied").path("code").asInt()).isEqualTo(7);
    }

    @Test
    void messages_from_the_server_are_not_held_back() {
        assertThat(seen.path("down").path("code").asInt()).isZero();
        assertThat(late("down")).hasSize(4).allMatch(millis -> millis < 400);
    }

    @Test
    void a_stream_of_messages_to_the_server_arrives_whole() {
        assertThat(seen.path("up").path("answer").asString()).isEqualTo("40");
        assertThat(seen.path("up").path("cost").toString()).isEqualTo("[\"42\"]");
    }

    @Test
    void a_conversation_with_pauses_is_not_held_back_in_either_direction() {
        assertThat(seen.path("both").path("code").asInt()).isZero();
        assertThat(late("both")).hasSize(4).allMatch(millis -> millis < 400);
    }

    @Test
    void a_cancelled_call_and_one_beyond_its_deadline_are_cancelled_at_the_server() {
        assertThat(seen.path("cancelled").path("code").asInt()).isEqualTo(1);
        assertThat(seen.path("deadline").path("code").asInt()).isEqualTo(4);
        assertThat(received.stream().filter(call -> call.path("cancelled").asBoolean()))
                .hasSize(2);
    }

    @Test
    void the_server_got_the_credential_and_never_the_agents() {
        assertThat(received)
                .allSatisfy(call -> assertThat(call.path("authorization").toString())
                        .contains("Bearer sk-live-")
                        .doesNotContain("of the agent"));
    }

    @Test
    void what_is_recorded_of_a_stream_is_what_the_server_got() {
        List<String> last = java.util.stream.Stream.concat(hop.entries("used").stream(), hop.entries("window").stream())
                .filter(entry -> entry.contains("\"complete\":true"))
                .toList();
        assertThat(received.stream().filter(call -> !call.path("cancelled").asBoolean()))
                .hasSize(4)
                .allSatisfy(call -> assertThat(last)
                        .anyMatch(entry -> entry.contains(call.path("hash").asString())));
    }

    private static List<Integer> late(String call) {
        return seen.path(call).path("late").valueStream().map(JsonNode::asInt).toList();
    }
}

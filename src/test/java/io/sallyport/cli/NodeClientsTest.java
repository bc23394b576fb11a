package io.sallyport.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.NodePackages;
import io.sallyport.testing.PemFiles;
import io.sallyport.testing.TestCertificates;
import io.sallyport.testing.TestNameServer;
import io.sallyport.testing.TestProcess;
import io.sallyport.testing.Tools;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The packages that agents are built of, against an origin that speaks their wire formats, set up as the documentation says. */
@Tag("slow")
class NodeClientsTest {

    private static final String SECRET = "sk-live-Ab/Cd+Ef=Gh&Ij\"Kl<Mn>7890qrSTuvWX";

    @TempDir
    private static Path place;

    private static TestNameServer names;
    private static Process origin;
    private static int port;
    private static TestProcess broker;

    @TempDir
    private Path folder;

    private Map<String, String> environment;

    @BeforeAll
    static void start() throws Exception {
        TestCertificates authority = TestCertificates.authority();
        PemFiles.write(authority.issue("*.up.test"), place.resolve("chain.pem"), place.resolve("key.pem"));
        startOrigin();
        names = new TestNameServer(TestNameServer.Step.addresses(60, "127.0.0.1"));
        broker = TestProcess.prepared();
        broker.setting(
                        "sallyport.proxy.upstream-trust",
                        "file:" + authority.writeRoot(broker.folder().resolve("up.pem")))
                .setting("sallyport.proxy.name-servers", names.address())
                // A file each: a second document on one source waits for an operator.
                .secret("bearer", SECRET)
                .secret("key", SECRET)
                .secret("token", SECRET)
                .document("credentials", "bearer", credential("bearer", "{kind: bearer}"))
                .document("credentials", "key", credential("key", "{kind: header, name: x-api-key}"))
                .document(
                        "credentials",
                        "token",
                        credential("token", "{kind: header, name: Authorization, template: \"token {secret}\"}"))
                .document("policies", "work", policy())
                .start();
    }

    private static void startOrigin() throws Exception {
        Path portFile = place.resolve("port");
        origin = new ProcessBuilder(
                        "node",
                        NodePackages.module("origin.mjs").toString(),
                        portFile.toString(),
                        place.resolve("chain.pem").toString(),
                        place.resolve("key.pem").toString(),
                        place.resolve("received").toString())
                .redirectErrorStream(true)
                .redirectOutput(place.resolve("origin.log").toFile())
                .start();
        while (!Files.exists(portFile)) {
            if (origin.waitFor(50, TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException(Files.readString(place.resolve("origin.log")));
            }
        }
        port = Integer.parseInt(Files.readString(portFile));
    }

    @AfterAll
    static void stop() {
        broker.close();
        names.close();
        origin.destroyForcibly();
    }

    private static String credential(String name, String inject) {
        return """
                sallyport: v1
                credential: %s
                destinations: ["https://%s.up.test:%d"]
                source: {kind: file, name: %s}
                inject: %s
                blast-radius: low
                """.formatted(name, name, port, name, inject);
    }

    private static String policy() {
        return """
                sallyport: v1
                policy: work
                owner: team@example.com
                reason: Drives real clients
                review-by: 2099-01-01
                who: [{identity: ci, subject: agent-1}]
                task: {ttl: 1h, uses: 10000, bytes-out: 10GiB, binding: address}
                scopes:
                  chat:
                    reason: A model's API with a bearer key
                    destination: {url: "https://bearer.up.test:%1$d", addresses: [127.0.0.0/8]}
                    allow: ["POST /v1/chat/completions", "GET,POST,DELETE /mcp"]
                    credential: bearer
                  messages:
                    reason: A model's API with a key field
                    destination: {url: "https://key.up.test:%1$d", addresses: [127.0.0.0/8]}
                    allow: ["POST /v1/messages"]
                    credential: key
                  forge:
                    reason: A forge's API
                    destination: {url: "https://token.up.test:%1$d", addresses: [127.0.0.0/8]}
                    allow: ["GET /repos/acme/site/issues", "POST /repos/acme/site/pulls"]
                    credential: token
                """.formatted(port);
    }

    @BeforeEach
    void asDocumented() throws Exception {
        Files.deleteIfExists(place.resolve("received"));
        environment = AsUser.exported(
                AsUser.sallyport(broker, folder, "env", "-s", "work:chat", "-s", "work:messages", "-s", "work:forge"));
    }

    private static String at(String name) {
        return "https://" + name + ".up.test:" + port;
    }

    private static List<JsonNode> received() throws IOException {
        try (Stream<String> lines = Files.lines(place.resolve("received"))) {
            return lines.map(JsonMapper.builder().build()::readTree).toList();
        }
    }

    private static void everyRequestCarried(String field, String value) throws IOException {
        assertThat(received()).isNotEmpty().allSatisfy(request -> {
            assertThat(request.path("headers").path(field).asString()).isEqualTo(value);
            assertThat(request.toString()).doesNotContain("placeholder", "proxy-authorization", "eyJ");
        });
    }

    @Test
    void the_official_OpenAI_package_asks_and_streams() throws Exception {
        Tools.Ran ran = NodePackages.run("openai.mjs", environment, at("bearer"));
        assertThat(ran.out().lines()).as(ran.err()).containsExactly("Hello there", "Hel|lo |there");
        everyRequestCarried("authorization", "Bearer " + SECRET);
    }

    @Test
    void the_official_Anthropic_package_asks_and_streams() throws Exception {
        Tools.Ran ran = NodePackages.run("anthropic.mjs", environment, at("key"));
        assertThat(ran.out().lines()).as(ran.err()).containsExactly("Hello there", "Hel|lo |there");
        everyRequestCarried("x-api-key", SECRET);
    }

    @Test
    void Octokit_pages_creates_and_reads_a_refusal() throws Exception {
        Tools.Ran ran = NodePackages.run("octokit.mjs", environment, at("token"));
        assertThat(ran.out().lines()).as(ran.err()).containsExactly("1,2,3,4,5,6", "201 7", "403 path_not_allowed");
        everyRequestCarried("authorization", "token " + SECRET);
    }

    /** RW-59. */
    @Test
    void the_official_MCP_package_has_its_three_verbs_in_forward_mode() throws Exception {
        Tools.Ran ran = NodePackages.run("mcp.mjs", environment, at("bearer") + "/mcp");
        assertThat(ran.out().lines()).as(ran.err()).containsExactly("greet", "hello", "on its way");
        theThreeVerbsArrived();
    }

    /** RW-59. */
    @Test
    void the_official_MCP_package_has_its_three_verbs_in_gateway_mode() throws Exception {
        String token = URI.create(environment.get("HTTPS_PROXY")).getUserInfo().substring("task:".length());
        Tools.Ran ran = NodePackages.run(
                "mcp.mjs", Map.of(), "http://127.0.0.1:" + broker.hopPort() + "/gateway/work:chat/mcp", token);
        assertThat(ran.out().lines()).as(ran.err()).containsExactly("greet", "hello", "on its way");
        theThreeVerbsArrived();
    }

    private static void theThreeVerbsArrived() throws IOException {
        everyRequestCarried("authorization", "Bearer " + SECRET);
        assertThat(received())
                .extracting(request -> request.path("method").asString())
                .contains("POST", "GET", "DELETE");
        assertThat(received().getLast().path("headers").path("mcp-session-id").asString())
                .as("the session goes both ways")
                .isNotEmpty();
    }
}

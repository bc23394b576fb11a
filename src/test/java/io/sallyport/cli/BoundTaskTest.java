package io.sallyport.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestCertificates;
import io.sallyport.testing.TestNameServer;
import io.sallyport.testing.TestOrigin;
import io.sallyport.testing.TestProcess;
import io.sallyport.testing.Tools;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ConnectException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole broker and a policy that binds to listeners: no token in the sandbox, and the same place after a restart. */
@Tag("slow")
class BoundTaskTest {

    private static final String SECRET = "sk-live-bound-0123456789abcdef";

    private final TestCertificates authority = TestCertificates.authority();
    private final TestOrigin origin = TestOrigin.tls(authority.issue("*.up.test"), TestOrigin.ok("hello"));
    private final TestNameServer names = new TestNameServer(TestNameServer.Step.addresses(60, "127.0.0.1"));
    private final TestProcess broker = TestProcess.prepared();

    @TempDir
    Path folder;

    @BeforeEach
    void start() {
        broker.setting(
                        "sallyport.proxy.upstream-trust",
                        "file:" + authority.writeRoot(broker.folder().resolve("up.pem")))
                .setting("sallyport.proxy.name-servers", names.address())
                .setting(
                        "sallyport.proxy.listeners.sockets",
                        broker.folder().resolve("tasks").toString())
                .secret("up", SECRET)
                .document("credentials", "up", """
                        sallyport: v1
                        credential: up
                        destinations: ["https://api.up.test:%d"]
                        source: {kind: file, name: up}
                        inject: {kind: bearer}
                        blast-radius: low
                        """.formatted(origin.port()))
                .document("policies", "bound", """
                        sallyport: v1
                        policy: bound
                        owner: team@example.com
                        reason: No token in the sandbox
                        review-by: 2099-01-01
                        who: [{identity: ci, subject: agent-1}]
                        task: {ttl: 1h, uses: 1000, bytes-out: 1GiB, binding: listener}
                        scopes:
                          api:
                            reason: The API under test
                            destination: {url: "https://api.up.test:%d", addresses: [127.0.0.0/8]}
                            allow: ["* /v1/**"]
                            credential: up
                        """.formatted(origin.port()))
                .start();
    }

    @AfterEach
    void stop() {
        broker.close();
        names.close();
        origin.close();
    }

    private AgentDoor.TaskToken task(String details) {
        return broker.agentDoor()
                .exchange(new AgentDoor.Request(
                        broker.workloadToken("agent-1"), "", List.of("bound:api"), List.of(), details));
    }

    private static int port(AgentDoor.TaskToken task) {
        return URI.create(task.listener().orElseThrow().place()).getPort();
    }

    private int connect(RawClient agent, String... fields) {
        String host = "api.up.test:" + origin.port();
        agent.send("CONNECT " + host + " HTTP/1.1\r\nHost: " + host + "\r\n" + String.join("", fields) + "\r\n");
        return Integer.parseInt(agent.head().substring(9, 12));
    }

    @Test
    void a_task_keeps_its_listener_over_a_kill_and_loses_it_when_it_is_given_back() {
        AgentDoor.TaskToken ported = task("");
        AgentDoor.TaskToken socketed =
                task("[{\"type\":\"sallyport_task\",\"listener\":\"socket\",\"uid\":" + uid() + "}]");
        Path socket = Path.of(socketed.listener().orElseThrow().place());
        for (int life = 0; life < 2; life++) {
            try (RawClient agent = RawClient.to(port(ported));
                    RawClient local = RawClient.to(socket);
                    RawClient hop = RawClient.to(broker.hopPort())) {
                assertThat(connect(agent)).isEqualTo(200);
                assertThat(connect(local)).isEqualTo(200);
                // The token that the runtime has is of no use where all others show theirs.
                assertThat(connect(hop, "Proxy-Authorization: " + RawClient.basic(ported.token()) + "\r\n"))
                        .isEqualTo(407);
            }
            if (life == 0) {
                broker.kill();
                assertThat(socket).exists();
                broker.start();
            }
        }
        broker.agentDoor().revoke(ported.token(), broker.workloadToken("agent-1"));
        broker.stop();
        broker.start();
        assertThatThrownBy(() -> RawClient.to(port(ported)).close()).hasRootCauseInstanceOf(ConnectException.class);
        try (RawClient local = RawClient.to(socket)) {
            assertThat(connect(local)).isEqualTo(200);
        }
    }

    @Test
    void run_gives_a_command_the_listener_and_no_token() throws Exception {
        Tools.require("curl");
        Path seen = folder.resolve("env.txt");
        Path token = Files.writeString(folder.resolve("workload.jwt"), broker.workloadToken("agent-1"));
        StringWriter err = new StringWriter();
        int exit = Cli.commandLine(_ -> () -> {}, Clock.systemUTC())
                .setErr(new PrintWriter(err))
                .execute(
                        "run",
                        "--agent",
                        "http://127.0.0.1:" + broker.agentPort(),
                        "--folder",
                        folder.resolve("trust").toString(),
                        "--token-file",
                        token.toString(),
                        "-s",
                        "bound:api",
                        "--",
                        "sh",
                        "-c",
                        "env > " + seen + " && curl -sSf " + origin.url("api.up.test") + "/v1/run");
        assertThat(exit).as(err.toString()).isZero();
        assertThat(origin.received().getLast().field("Authorization")).containsExactly("Bearer " + SECRET);
        assertThat(Files.readString(seen))
                .containsPattern("HTTPS_PROXY=http://127\\.0\\.0\\.1:[0-9]+\n")
                .doesNotContain("eyJ", SECRET);
    }

    /** What a client that speaks to sockets does: the gateway's form, no key at all. */
    @Test
    void curl_speaks_to_the_socket() {
        Tools.require("curl");
        AgentDoor.TaskToken task =
                task("[{\"type\":\"sallyport_task\",\"listener\":\"socket\",\"uid\":" + uid() + "}]");
        Tools.Ran ran = Tools.run(
                folder,
                Map.of(),
                "curl",
                "-sSf",
                "--unix-socket",
                task.listener().orElseThrow().place(),
                "http://task/gateway/bound:api/v1/x");
        assertThat(ran.out()).as(ran.err()).isEqualTo("hello");
        assertThat(origin.received().getLast().field("Authorization")).containsExactly("Bearer " + SECRET);
    }

    private static long uid() {
        try {
            return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}

package io.sallyport.proxy.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.cli.AgentDoor;
import io.sallyport.proxy.tls.CompanyCa.Shape;
import io.sallyport.testing.TestCertificates;
import io.sallyport.testing.TestNameServer;
import io.sallyport.testing.TestOrigin;
import io.sallyport.testing.TestProcess;
import io.sallyport.testing.Tools;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A company's intermediate, from the setting to a curl that trusts the company's root and nothing else. */
@Tag("slow")
class BroughtAuthorityBrokerTest {

    private static final String SECRET = "sk-live-brought-0123456789abcdef";

    private final Shape year = Shape.until(Instant.now().minus(Duration.ofDays(2)), Duration.ofDays(365));
    private final CompanyCa root = CompanyCa.root(year);
    private final CompanyCa middle = root.below("Company Issuing CA", year);
    private final CompanyCa own = middle.below("Sallyport at Company", year.withPathLength(1));
    private final TestCertificates authority = TestCertificates.authority();
    private final TestOrigin origin = TestOrigin.tls(authority.issue("*.up.test"), TestOrigin.ok("hello"));
    private final TestNameServer names = new TestNameServer(TestNameServer.Step.addresses(60, "127.0.0.1"));
    private final TestProcess broker = TestProcess.prepared();

    @TempDir
    Path folder;

    @BeforeEach
    void start() throws Exception {
        Tools.require("curl");
        Path brought = Files.writeString(
                broker.folder().resolve("authority.pem"),
                own.certificatePem() + middle.certificatePem() + root.certificatePem() + own.keyPem());
        Files.setPosixFilePermissions(brought, PosixFilePermissions.fromString("rw-------"));
        Files.writeString(folder.resolve("company.pem"), root.certificatePem());
        broker.setting("sallyport.proxy.authority", "file:" + brought)
                .setting(
                        "sallyport.proxy.upstream-trust",
                        "file:" + authority.writeRoot(broker.folder().resolve("up.pem")))
                .setting("sallyport.proxy.name-servers", names.address())
                .secret("up", SECRET)
                .document("credentials", "up", """
                        sallyport: v1
                        credential: up
                        destinations: ["https://api.up.test:%d"]
                        source: {kind: file, name: up}
                        inject: {kind: bearer}
                        blast-radius: low
                        """.formatted(origin.port()))
                .document("policies", "work", """
                        sallyport: v1
                        policy: work
                        owner: team@example.com
                        reason: Trusts the company's root
                        review-by: 2099-01-01
                        who: [{identity: ci, subject: agent-1}]
                        task: {ttl: 1h, uses: 100, bytes-out: 1GiB, binding: address}
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

    private Tools.Ran curl(String... more) {
        AgentDoor.TaskToken task = broker.task("work:api");
        String[] command = {
            "curl",
            "-sS",
            "-m",
            "20",
            "--proxy",
            "http://task:" + task.token() + "@127.0.0.1:" + broker.hopPort(),
            "https://api.up.test:" + origin.port() + "/v1/x"
        };
        String[] all = java.util.Arrays.copyOf(command, command.length + more.length);
        System.arraycopy(more, 0, all, command.length, more.length);
        return Tools.run(folder, Map.of(), all);
    }

    @Test
    void a_client_that_trusts_the_company_s_root_is_served_and_one_that_does_not_is_not() throws Exception {
        Tools.Ran served = curl("--cacert", folder.resolve("company.pem").toString());
        assertThat(served.out()).as(served.err()).isEqualTo("hello");
        assertThat(origin.received().getFirst().field("Authorization")).containsExactly("Bearer " + SECRET);

        Path other = authority.writeRoot(folder.resolve("other.pem"));
        assertThat(curl("--cacert", other.toString()).exit()).isEqualTo(60);
        assertThat(origin.received()).hasSize(1);

        Tools.Ran published =
                Tools.run(folder, Map.of(), "curl", "-sS", "http://127.0.0.1:" + broker.agentPort() + "/ca.pem");
        assertThat(Chains.read(published.out())).containsExactly(root.certificate());
    }
}

package io.sallyport.credential.vault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sallyport.net.TestGuard;
import io.sallyport.testing.Needle;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestCertificates;
import io.sallyport.testing.TestNameServer;
import io.sallyport.testing.TestOrigin;
import io.sallyport.testing.TestProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A whole broker whose secrets, and whose own key, are with Vault. */
@Tag("slow")
class VaultBrokerTest {

    private static final String SECRET = "vault/Qw+Er=Ty&Ui\"Op<As>Df9876543210canary";
    private static final String HOST = "api.up.test";

    @TempDir
    Path folder;

    @Test
    void a_secret_of_the_vault_goes_out_and_the_key_is_there_at_each_start_and_not_needed_between() throws Exception {
        TestCertificates authority = TestCertificates.authority();
        try (StandIn standIn = new StandIn(authority.issue("localhost"));
                TestOrigin origin = TestOrigin.tls(authority.issue(HOST), TestOrigin.ok("hello"));
                TestNameServer names = new TestNameServer(TestNameServer.Step.addresses(60, "127.0.0.1"));
                TestProcess broker = TestProcess.prepared()) {
            Path roots = authority.writeRoot(broker.folder().resolve("up.pem"));
            VaultFixture vault = new VaultFixture(
                    "https://localhost:" + standIn.port(),
                    "root",
                    roots,
                    authority.clientContext(),
                    TestGuard.exchange(),
                    standIn.clock,
                    folder);
            vault.admin("POST", "sys/mounts/kv", Map.of("type", "kv", "options", Map.of("version", "2")));
            vault.admin("POST", "sys/mounts/transit", Map.of("type", "transit"));
            vault.role("broker", "kv/data/agents/*", "transit/encrypt/sallyport", "transit/decrypt/sallyport");
            vault.admin("POST", "kv/data/agents/up", Map.of("data", Map.of("token", SECRET)));
            documents(broker, origin)
                    .setting("sallyport.proxy.upstream-trust", "file:" + roots)
                    .setting("sallyport.proxy.name-servers", names.address())
                    .setting("sallyport.key", "vault-transit:transit/sallyport")
                    .setting("sallyport.vault.address", vault.address())
                    .setting("sallyport.vault.trust", "file:" + roots)
                    .setting("sallyport.vault.addresses", "127.0.0.0/8")
                    .setting("sallyport.vault.auth.method", "approle")
                    .setting("sallyport.vault.auth.role-id", vault.roleId("broker"))
                    .setting("sallyport.vault.auth.secret", "file:vault-secret-id")
                    .secret("vault-secret-id", vault.secretId("broker"));

            broker.start();
            assertThat(get(broker, origin)).contains(" 200 ");
            renewKey(broker);
            broker.stop();
            broker.start();
            assertThat(get(broker, origin)).contains(" 200 ");
            assertThat(origin.received())
                    .allSatisfy(request ->
                            assertThat(request.field("Authorization")).containsExactly("Bearer " + SECRET));
            standIn.always = new StandIn.Reply(503, Map.of("errors", List.of("Vault is sealed")));
            assertThat(get(broker, origin)).contains(" 200 ");
            broker.stop();

            assertThatThrownBy(broker::start)
                    .hasMessageContaining("The database's key can't be had from vault-transit:transit/sallyport")
                    .hasMessageContaining("Vault is sealed or under maintenance (503)");
            assertThat(Needle.of("the vault's secret", SECRET).in(broker.log())).isEmpty();
            assertThat(broker.log()).doesNotContain("hvs.token-of").doesNotContain("secret-id-1");
        }
    }

    private static String get(TestProcess broker, TestOrigin origin) throws Exception {
        String token = broker.task("work:api").token();
        try (RawClient client = broker.tunnel(HOST, origin.port(), token).patience(60_000)) {
            client.send("GET /v1/a HTTP/1.1\r\nHost: " + HOST + ":" + origin.port() + "\r\n\r\n");
            return client.read().head();
        }
    }

    /** Vault wraps another key for the database, and all that the one before has sealed is sealed anew. */
    private static void renewKey(TestProcess broker) {
        String before = seal(broker).path("key").asString();
        broker.operatorDoor()
                .post(
                        "/api/v1/seal/rotate",
                        JsonMapper.shared().createObjectNode().put("new_key", true));
        Awaitility.await()
                .untilAsserted(() ->
                        assertThat(seal(broker).path("running").asBoolean()).isFalse());
        assertThat(seal(broker).path("waiting").asInt(-1)).isZero();
        assertThat(seal(broker).path("sealed").asInt()).isGreaterThanOrEqualTo(3);
        assertThat(seal(broker).path("key").asString()).isNotEqualTo(before);
    }

    private static JsonNode seal(TestProcess broker) {
        return broker.operatorDoor().get("/api/v1/seal");
    }

    private static TestProcess documents(TestProcess broker, TestOrigin origin) {
        return broker.document("credentials", "up", """
                        sallyport: v1
                        credential: up
                        destinations: ["%s"]
                        source: {kind: vault, path: kv/agents/up, field: token}
                        inject: {kind: bearer}
                        blast-radius: low
                        """.formatted(origin.url(HOST)))
                .document("policies", "work", """
                        sallyport: v1
                        policy: work
                        owner: team@example.com
                        reason: Has its secret from a vault
                        review-by: 2099-01-01
                        who: [{identity: ci, subject: agent-1}]
                        task: {ttl: 1h, uses: 100, bytes-out: 1GiB, binding: address}
                        scopes:
                          api:
                            reason: The API under test
                            destination: {url: "%s", addresses: [127.0.0.0/8]}
                            allow: ["* /v1/**"]
                            credential: up
                        """.formatted(origin.url(HOST)));
    }
}

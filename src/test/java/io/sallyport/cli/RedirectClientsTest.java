package io.sallyport.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.proxy.InterceptionRoot;
import io.sallyport.testing.HopCase;
import io.sallyport.testing.TestHop;
import io.sallyport.testing.TestOrigin;
import io.sallyport.testing.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** RW-34 with the clients that meet it: storage behind a redirect or in a lock file, which refuses a second proof. */
class RedirectClientsTest extends HopCase {

    private static final String SIGNED = "/o?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature=abc";

    /** The signature is the agent's own proof: a scope says so, or it comes off. */
    @Override
    protected TestHop startHop() {
        return TestHop.start(
                settings -> settings,
                TestHop.POLICY.replaceFirst(
                        "credential: none",
                        "credential: {own: [x-amz-signature], reason: links that the API hands out}"));
    }

    @TempDir
    private Path folder;

    private String proxy() {
        return "http://task:" + hop.token("read", "blob") + "@127.0.0.1:" + hop.port();
    }

    private Path roots() throws IOException {
        return Files.writeString(
                folder.resolve("hop.pem"), hop.room(InterceptionRoot.class).pem());
    }

    /** {@code api} redirects, or answers; {@code blob} answers 400 where it sees a credential. */
    private void storage(byte[] content, boolean redirects) {
        hop.origin().answer((request, out) -> {
            boolean blob = request.field("Host").getFirst().startsWith("blob.");
            if (blob && !request.field("Authorization").isEmpty()) {
                TestOrigin.status(400, "only one auth mechanism allowed").to(request, out);
            } else if (!blob && redirects) {
                TestOrigin.status(307, "", "Location: https://" + hop.host("blob.up.test") + SIGNED)
                        .to(request, out);
            } else {
                TestOrigin.status(200, new String(content, ISO_8859_1)).to(request, out);
            }
        });
    }

    @Test
    void curl_follows_a_redirect_to_storage_without_our_credential() throws Exception {
        Tools.require("curl");
        storage("blob".getBytes(ISO_8859_1), true);
        String url = "https://" + hop.host("api.up.test") + "/v1/blob";
        Tools.Ran ran =
                Tools.run(folder, Map.of(), "curl", "-sSL", "--proxy", proxy(), "--cacert", roots().toString(), url);
        assertThat(ran.out()).as(ran.err()).isEqualTo("blob");
        List<TestOrigin.Received> seen = hop.origin().received();
        assertThat(seen).hasSize(2);
        assertThat(seen.get(0).field("Authorization")).containsExactly("Bearer " + TestHop.SECRET);
        assertThat(seen.get(1).requestLine()).isEqualTo("GET " + SIGNED + " HTTP/1.1");
        assertThat(seen.get(1).head()).doesNotContain(TestHop.SECRET);
    }

    @Test
    void npm_installs_from_a_lock_file_that_names_two_hosts_and_finds_its_hash() throws Exception {
        Tools.require("npm", "tar");
        Files.createDirectories(folder.resolve("package"));
        Files.writeString(folder.resolve("package/package.json"), "{\"name\":\"left\",\"version\":\"1.2.3\"}");
        Tools.run(folder, Map.of(), "tar", "czf", "left.tgz", "package");
        byte[] tarball = Files.readAllBytes(folder.resolve("left.tgz"));
        String sha512 = Base64.getEncoder()
                .encodeToString(MessageDigest.getInstance("SHA-512").digest(tarball));
        storage(tarball, false);
        Path work = Files.createDirectories(folder.resolve("work"));
        String api = "https://" + hop.host("api.up.test") + "/v1/left.tgz";
        String blob = "https://" + hop.host("blob.up.test") + SIGNED;
        Files.writeString(
                work.resolve("package.json"),
                "{\"name\":\"w\",\"version\":\"1.0.0\",\"dependencies\":{\"left\":\"1.2.3\",\"right\":\"npm:left@1.2.3\"}}");
        Files.writeString(work.resolve("package-lock.json"), """
                {"name":"w","version":"1.0.0","lockfileVersion":3,"requires":true,"packages":{
                  "":{"name":"w","version":"1.0.0","dependencies":{"left":"1.2.3","right":"npm:left@1.2.3"}},
                  "node_modules/left":{"version":"1.2.3","resolved":"%s","integrity":"sha512-%s"},
                  "node_modules/right":{"name":"left","version":"1.2.3","resolved":"%s","integrity":"sha512-%s"}}}
                """.formatted(api, sha512, blob, sha512));
        Map<String, String> environment = Map.of(
                "https_proxy",
                proxy(),
                "NODE_EXTRA_CA_CERTS",
                roots().toString(),
                "npm_config_cafile",
                roots().toString());
        Tools.Ran ran = Tools.run(
                work,
                environment,
                "npm",
                "ci",
                "--no-audit",
                "--no-fund",
                "--cache",
                "../cache",
                "--replace-registry-host=never");
        assertThat(ran.exit()).as(ran.err()).isZero();
        assertThat(work.resolve("node_modules/left/package.json")).exists();
        assertThat(work.resolve("node_modules/right/package.json")).exists();
        assertThat(hop.origin().received())
                .anyMatch(seen -> seen.head().startsWith("GET /v1/left.tgz")
                        && seen.field("Authorization").equals(List.of("Bearer " + TestHop.SECRET)));
    }
}

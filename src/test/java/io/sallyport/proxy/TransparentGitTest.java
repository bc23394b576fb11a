package io.sallyport.proxy;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.grant.Grant;
import io.sallyport.http.IpRange;
import io.sallyport.rules.RuleBooks;
import io.sallyport.testing.GitOrigin;
import io.sallyport.testing.Sandbox;
import io.sallyport.testing.TestHop;
import io.sallyport.testing.Tools;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** RW-93, where nobody knows of the hop: git itself, in a network namespace, with no proxy, no token and no password. */
@Tag("slow")
class TransparentGitTest {

    private static final String SECRET = "ghp_0123456789abcdefABCDEF0123456789abcd";

    private static final String POLICY = """
            sallyport: v1
            policy: fixer
            owner: team@example.com
            reason: Pushes
            review-by: 2099-01-01
            who: [{identity: ci, subject: agent-1}]
            task: {ttl: 15min, uses: 1000, bytes-out: 1GiB, binding: address}
            scopes:
              git:
                reason: One repository
                destination: {url: "https://git.up.test:%d", addresses: [127.0.0.0/8]}
                allow: ["GET /site.git/info/refs", "POST /site.git/git-upload-pack", "POST /site.git/git-receive-pack"]
                credential: git
            """;

    private static final String CREDENTIAL = """
            sallyport: v1
            credential: git
            destinations: ["https://git.up.test:%d"]
            source: {kind: file, name: git}
            inject: {kind: basic, user: x-access-token}
            blast-radius: low
            """;

    @TempDir
    private Path folder;

    @Test
    void git_clones_and_pushes_and_the_packs_hash_is_kept() throws Exception {
        Tools.requireRoot();
        Tools.require("ip", "iptables", "git");
        var listener = new ListenerSettings.Transparent(
                "0.0.0.0", 0, List.of(IpRange.parse("10.199.0.0/16").orElseThrow()));
        try (TestHop hop = TestHop.startTransparent(listener);
                GitOrigin origin = new GitOrigin(
                        hop.authority().issue("*.up.test").serverContext(), folder, "x-access-token", SECRET);
                Sandbox sandbox =
                        new Sandbox(9).ledTo(hop.room(HopLifecycle.class).transparentPort())) {
            hop.secret("git", SECRET.getBytes(US_ASCII))
                    .document("credentials/git.yml", CREDENTIAL.formatted(origin.port()))
                    .document("policies/fixer.yml", POLICY.formatted(origin.port()));
            assertThat(hop.reload()).isInstanceOf(RuleBooks.Reload.Swapped.class);
            Grant grant = hop.open(TestHop.from(hop.unopened("git"), sandbox.address() + "/32"));
            Files.writeString(
                    folder.resolve("ca.pem"), hop.room(InterceptionRoot.class).pem());

            pushes(sandbox, "https://git.up.test:" + origin.port() + "/site.git", origin.port());

            assertThat(origin.requests()).isNotEmpty().allMatch(line -> line.endsWith("served"));
            assertThat(origin.pushed())
                    .as("a probe, then the pack")
                    .hasSize(2)
                    .allSatisfy(sha256 -> assertThat(
                                    hop.entries("used").stream().anyMatch(entry -> entry.contains(sha256))
                                            || hop.entries("window").stream().anyMatch(entry -> entry.contains(sha256)))
                            .as("an entry with the hash that the origin computed")
                            .isTrue());
            assertThat(hop.entries("used")).allMatch(entry -> entry.contains(grant.id()));
        }
    }

    private void pushes(Sandbox sandbox, String url, int port) throws Exception {
        git(sandbox, port, "init", "-q", "--bare", "site.git");
        git(sandbox, port, "-C", "site.git", "config", "http.receivepack", "true");
        git(sandbox, port, "clone", "-q", url, "work");
        byte[] blob = new byte[3_000_000];
        new Random(93).nextBytes(blob);
        Files.write(folder.resolve("work/blob"), blob);
        git(sandbox, port, "-C", "work", "add", "blob");
        git(sandbox, port, "-C", "work", "commit", "-q", "-m", "a blob");
        git(sandbox, port, "-C", "work", "push", "-q", "origin", "HEAD:refs/heads/main");
        git(sandbox, port, "clone", "-q", "--branch", "main", url, "again");
        assertThat(Files.mismatch(folder.resolve("work/blob"), folder.resolve("again/blob")))
                .isEqualTo(-1);
    }

    /** It is told where the name is, by an address at which nobody is, and whom to trust. */
    private void git(Sandbox sandbox, int port, String... arguments) {
        List<String> command = new ArrayList<>(List.of("env", "GIT_TERMINAL_PROMPT=0", "GIT_CONFIG_SYSTEM=/dev/null"));
        command.addAll(List.of("GIT_CONFIG_GLOBAL=/dev/null", "GIT_SSL_CAINFO=" + folder.resolve("ca.pem"), "git"));
        command.addAll(List.of("-c", "http.curloptResolve=git.up.test:" + port + ":203.0.113.7"));
        command.addAll(List.of("-c", "user.name=a", "-c", "user.email=a@example.com"));
        command.addAll(List.of(arguments));
        Tools.Ran ran = sandbox.run(folder, command.toArray(String[]::new));
        assertThat(ran.exit()).as(String.join(" ", command) + ": " + ran.err()).isZero();
    }
}

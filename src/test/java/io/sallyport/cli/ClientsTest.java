package io.sallyport.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.GitOrigin;
import io.sallyport.testing.TestCertificates;
import io.sallyport.testing.TestNameServer;
import io.sallyport.testing.TestOrigin;
import io.sallyport.testing.TestProcess;
import io.sallyport.testing.Tools;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The clients that agents use, through the hop of a whole broker, set up by what {@code sallyport env} prints and by nothing else. */
@Tag("slow")
class ClientsTest {

    private static final String SECRET = "sk-live-Ab/Cd+Ef=Gh&Ij\"Kl<Mn>7890qrSTuvWX";
    private static final String GIT_SECRET = "ghp_0123456789abcdefABCDEF0123456789abcd";

    private static TestOrigin origin;
    private static GitOrigin git;
    private static TestNameServer names;
    private static TestProcess broker;

    @TempDir
    private static Path repositories;

    @TempDir
    private Path folder;

    private Map<String, String> environment;

    @BeforeAll
    static void start() throws Exception {
        TestCertificates authority = TestCertificates.authority();
        TestCertificates.Issued certificate = authority.issue("*.up.test");
        origin = TestOrigin.tls(certificate, TestOrigin.ok("hello"));
        git = new GitOrigin(certificate.serverContext(), repositories, "x-access-token", GIT_SECRET);
        names = new TestNameServer(TestNameServer.Step.addresses(60, "127.0.0.1"));
        broker = TestProcess.prepared();
        broker.setting(
                        "sallyport.proxy.upstream-trust",
                        "file:" + authority.writeRoot(broker.folder().resolve("up.pem")))
                .setting("sallyport.proxy.name-servers", names.address())
                .secret("up", SECRET)
                .secret("git", GIT_SECRET)
                .document("credentials", "up", credential("up", origin.port(), "{kind: bearer}"))
                .document("credentials", "git", credential("git", git.port(), "{kind: basic, user: x-access-token}"))
                .document("policies", "work", policy())
                .start();
    }

    @AfterAll
    static void stop() {
        broker.close();
        names.close();
        git.close();
        origin.close();
    }

    private static String credential(String name, int port, String inject) {
        return """
                sallyport: v1
                credential: %s
                destinations: ["https://%s.up.test:%d"]
                source: {kind: file, name: %s}
                inject: %s
                blast-radius: low
                """.formatted(name, name.equals("git") ? "git" : "api", port, name, inject);
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
                  api:
                    reason: The API under test
                    destination: {url: "https://api.up.test:%d", addresses: [127.0.0.0/8]}
                    allow: ["* /v1/**"]
                    credential: up
                  git:
                    reason: The repository under test
                    destination: {url: "https://git.up.test:%d", addresses: [127.0.0.0/8]}
                    allow: ["GET /site.git/info/refs", "POST /site.git/git-upload-pack", "POST /site.git/git-receive-pack"]
                    credential: git
                """.formatted(origin.port(), git.port());
    }

    @BeforeEach
    void asDocumented() throws Exception {
        origin.answer(TestOrigin.ok("hello"));
        origin.received().clear();
        environment = AsUser.exported(sallyport("env", "-s", "work:api", "-s", "work:git"));
    }

    private String sallyport(String verb, String... arguments) throws Exception {
        return AsUser.sallyport(broker, folder, verb, arguments);
    }

    private String url(String path) {
        return origin.url("api.up.test") + path;
    }

    private void originGotTheSecretOnce() {
        assertThat(origin.received()).isNotEmpty();
        assertThat(origin.received().getLast().field("Authorization")).containsExactly("Bearer " + SECRET);
        assertThat(origin.received().getLast().field("Proxy-Authorization")).isEmpty();
    }

    @Test
    void the_environment_of_the_sandbox_holds_the_task_token_and_no_secret() {
        assertThat(environment.get("HTTPS_PROXY")).startsWith("http://task:").isEqualTo(environment.get("https_proxy"));
        assertThat(environment.toString())
                .doesNotContain(SECRET, GIT_SECRET, Base64.getEncoder().encodeToString(SECRET.getBytes()));
    }

    @Test
    void curl_gets() {
        Tools.require("curl");
        Tools.Ran ran = Tools.run(folder, environment, "curl", "-sS", url("/v1/hello"));
        assertThat(ran.out()).as(ran.err()).isEqualTo("hello");
        originGotTheSecretOnce();
    }

    @Test
    void curl_posts_and_waits_for_the_challenge_when_told_to() {
        Tools.require("curl");
        Tools.Ran ran =
                Tools.run(folder, environment, "curl", "-sS", "--proxy-anyauth", "--data", "a=b", url("/v1/form"));
        assertThat(ran.out()).as(ran.err()).isEqualTo("hello");
        assertThat(origin.received().getLast().text()).isEqualTo("a=b");
        originGotTheSecretOnce();
    }

    @Test
    void curl_uploads_64_MiB_in_both_framings_with_flat_memory() throws Exception {
        Tools.require("curl");
        byte[] content = new byte[64 << 20];
        new Random(7).nextBytes(content);
        Path file = Files.write(folder.resolve("upload"), content);
        String sha256 =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        Tools.run(folder, environment, "curl", "-sS", url("/v1/warm"));
        long before = peakKiB();
        upload(content, "curl", "-sS", "--data-binary", "@" + file, url("/v1/counted"));
        upload(content, "curl", "-sS", "-H", "Transfer-Encoding: chunked", "-T", file.toString(), url("/v1/chunked"));
        assertThat(peakKiB() - before)
                .as("growth of the broker's peak memory, KiB")
                .isLessThan(96 << 10);
        assertThat(broker.operatorDoor()
                        .get("/api/v1/ledger?sha256=" + sha256)
                        .path("entries")
                        .size())
                .as("entries that close the content")
                .isEqualTo(2);
    }

    private void upload(byte[] content, String... command) {
        Tools.Ran ran = Tools.run(folder, environment, command);
        assertThat(ran.out()).as(ran.err()).isEqualTo("hello");
        assertThat(MessageDigest.isEqual(origin.received().getLast().content(), content))
                .isTrue();
        originGotTheSecretOnce();
        origin.received().clear();
    }

    private long peakKiB() throws Exception {
        return Files.readAllLines(Path.of("/proc/" + broker.pid() + "/status")).stream()
                .filter(line -> line.startsWith("VmHWM:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }

    /** RW-93. */
    @Test
    void git_clones_and_pushes_20_MB_with_a_credential_that_it_never_had() throws Exception {
        Tools.require("git");
        repository();
        int before = receivePacks();
        String url = "https://git.up.test:" + git.port() + "/site.git";
        git("clone", "-q", url, "work");
        byte[] blob = new byte[20_000_000];
        new Random(11).nextBytes(blob);
        Files.write(folder.resolve("work/blob"), blob);
        git("-C", "work", "add", "blob");
        git("-C", "work", "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "a blob");
        git("-C", "work", "push", "-q", "origin", "HEAD:refs/heads/main");
        git("clone", "-q", "--branch", "main", url, "again");
        assertThat(Files.mismatch(folder.resolve("work/blob"), folder.resolve("again/blob")))
                .isEqualTo(-1);
        assertThat(git.requests()).isNotEmpty().allMatch(line -> line.endsWith("served"));
        assertThat(git.requests())
                .as("a probe, then the pack")
                .filteredOn(line -> line.startsWith("POST /site.git/git-receive-pack"))
                .hasSize(before + 2);
        for (String sha256 : git.pushed()) {
            assertThat(entriesOf(sha256))
                    .as("entries with the hash that the origin computed")
                    .isPositive();
        }
        // In one piece instead, with a length.
        Files.write(folder.resolve("work/blob"), new byte[] {1});
        git("-C", "work", "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-a", "-m", "less");
        git("-C", "work", "-c", "http.postBuffer=524288000", "push", "-q", "origin", "HEAD:refs/heads/main");
        assertThat(entriesOf(git.pushed().getLast())).isPositive();
    }

    /**
     * RW-11, RW-93: one that waits for the challenge before it shows its token, in either version of HTTP inside the tunnel. In
     * HTTP/2 in one piece: while it sends chunks, older git may wait for more of its own, for ever and behind any server.
     */
    @Test
    void git_waits_for_the_challenge_and_pushes_in_both_versions_of_http() throws Exception {
        Tools.require("git");
        repository();
        String url = "https://git.up.test:" + git.port() + "/site.git";
        git("-c", "http.proxyAuthMethod=anyauth", "ls-remote", url);
        git("init", "-q", "work");
        for (String version : List.of("HTTP/1.1", "HTTP/2")) {
            byte[] blob = new byte[5_000_000];
            new Random(version.hashCode()).nextBytes(blob);
            Files.write(folder.resolve("work/blob"), blob);
            git("-C", "work", "add", "blob");
            git("-C", "work", "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", version);
            git(
                    "-C",
                    "work",
                    "-c",
                    "http.version=" + version,
                    "-c",
                    "http.postBuffer=" + (version.equals("HTTP/2") ? 500_000_000 : 1_000_000),
                    "-c",
                    "http.proxyAuthMethod=anyauth",
                    "push",
                    "-q",
                    url,
                    "HEAD:refs/heads/of-" + version.replace('/', '-'));
            assertThat(entriesOf(git.pushed().getLast()))
                    .as("entries with the hash that the origin computed")
                    .isPositive();
        }
    }

    /** On the server, made once. */
    private void repository() {
        Path bare = repositories.resolve("site.git");
        if (!Files.exists(bare)) {
            git("init", "-q", "--bare", bare.toString());
            git("-C", bare.toString(), "config", "http.receivepack", "true");
        }
    }

    private int receivePacks() {
        return (int) git.requests().stream()
                .filter(line -> line.startsWith("POST /site.git/git-receive-pack"))
                .count();
    }

    private int entriesOf(String sha256) {
        return broker.operatorDoor()
                .get("/api/v1/ledger?sha256=" + sha256)
                .path("entries")
                .size();
    }

    private void git(String... arguments) {
        Map<String, String> variables = new LinkedHashMap<>(environment);
        variables.put("GIT_TERMINAL_PROMPT", "0");
        variables.put("GIT_CONFIG_GLOBAL", "/dev/null");
        variables.put("GIT_CONFIG_SYSTEM", "/dev/null");
        List<String> command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(arguments));
        Tools.Ran ran = Tools.run(folder, variables, command.toArray(String[]::new));
        assertThat(ran.exit()).as(String.join(" ", command) + ": " + ran.err()).isZero();
    }

    @Test
    void python_reads_the_variables() {
        Tools.require("python3");
        Tools.Ran ran = Tools.run(
                folder,
                environment,
                "python3",
                "-c",
                "import sys,urllib.request; print(urllib.request.urlopen(sys.argv[1]).read().decode())",
                url("/v1/python"));
        assertThat(ran.out().strip()).as(ran.err()).isEqualTo("hello");
        originGotTheSecretOnce();
    }

    @Test
    void python_requests_reads_the_variables() {
        Tools.require("/usr/bin/python3");
        Tools.Ran ran = Tools.run(
                folder,
                environment,
                // The distribution's own, beside which the package is installed.
                "/usr/bin/python3",
                "-c",
                "import sys,requests; r=requests.post(sys.argv[1], data=b'x'*100000); print(r.status_code, r.text)",
                url("/v1/requests"));
        assertThat(ran.out().strip()).as(ran.err()).isEqualTo("200 hello");
        assertThat(origin.received().getLast().content()).hasSize(100_000);
        originGotTheSecretOnce();
    }

    /** It signs with keys that are worth nothing; what they made is taken off. */
    @Test
    void the_aws_command_line_goes_through() {
        Tools.require("aws");
        origin.answer(TestOrigin.status(
                200,
                "<ListBucketResult><Name>b</Name><IsTruncated>false</IsTruncated><Contents><Key>k</Key></Contents></ListBucketResult>",
                "Content-Type: application/xml"));
        Map<String, String> variables = new LinkedHashMap<>(environment);
        variables.put("AWS_ACCESS_KEY_ID", "AKIAPLACEHOLDER00000");
        variables.put("AWS_SECRET_ACCESS_KEY", "placeholder");
        variables.put("AWS_DEFAULT_REGION", "eu-central-1");
        variables.put("AWS_EC2_METADATA_DISABLED", "true");
        Tools.Ran ran = Tools.run(
                folder,
                variables,
                "aws",
                "--endpoint-url",
                url("/v1"),
                "s3api",
                "list-objects-v2",
                "--bucket",
                "b",
                "--output",
                "text",
                "--query",
                "Contents[].Key");
        assertThat(ran.out().strip()).as(ran.err()).isEqualTo("k");
        assertThat(origin.received().getLast().head()).doesNotContain("AKIAPLACEHOLDER00000");
        originGotTheSecretOnce();
    }

    @Test
    void node_goes_through_with_the_documented_import() throws Exception {
        Tools.require("node");
        Path script = Files.writeString(folder.resolve("fetch.mjs"), """
                import https from 'node:https';
                const url = process.argv[2];
                console.log(await (await fetch(url)).text());
                https.get(url, (answer) => answer.on('data', (bytes) => console.log(String(bytes))));
                """);
        Tools.Ran ran = Tools.run(folder, environment, "node", script.toString(), url("/v1/node"));
        assertThat(ran.out().lines()).as(ran.err()).containsExactly("hello", "hello");
        assertThat(origin.received()).hasSize(2);
        originGotTheSecretOnce();
    }

    @Test
    void java_goes_through_with_a_bearer_field_and_no_flag() throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(Path.of(environment.get("SALLYPORT_JAVA_TRUST_STORE")))) {
            store.load(in, "changeit".toCharArray());
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(null, trust.getTrustManagers(), null);
        String token = URI.create(environment.get("HTTPS_PROXY")).getUserInfo().substring("task:".length());
        try (HttpClient client = HttpClient.newBuilder()
                .sslContext(tls)
                .proxy(ProxySelector.of(new InetSocketAddress("127.0.0.1", broker.hopPort())))
                .build()) {
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(URI.create(url("/v1/java")))
                            .header("Proxy-Authorization", "Bearer " + token)
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("hello");
        }
        originGotTheSecretOnce();
    }

    /** RW-12: without the flag the JDK answers no challenge of a proxy for a tunnel, and says what it got; with it the Authenticator is asked. */
    @Test
    void java_with_an_authenticator_needs_the_documented_flag() throws Exception {
        Path program = Files.writeString(folder.resolve("Fetch.java"), """
                import java.net.*;
                import java.net.http.*;
                void main(String[] args) throws Exception {
                    URI proxy = URI.create(System.getenv("HTTPS_PROXY"));
                    String[] user = proxy.getUserInfo().split(":", 2);
                    HttpClient client = HttpClient.newBuilder()
                            .proxy(ProxySelector.of(new InetSocketAddress(proxy.getHost(), proxy.getPort())))
                            .authenticator(new Authenticator() {
                                protected PasswordAuthentication getPasswordAuthentication() {
                                    return new PasswordAuthentication(user[0], user[1].toCharArray());
                                }
                            })
                            .build();
                    HttpResponse<String> answer = client.send(
                            HttpRequest.newBuilder(URI.create(args[0])).build(), HttpResponse.BodyHandlers.ofString());
                    System.out.println(answer.statusCode() + " " + answer.body());
                }
                """);
        assertThat(java(program)).contains("407").doesNotContain("hello");
        assertThat(origin.received()).isEmpty();
        for (int i = 0; i < 3; i++) {
            assertThat(java(program, "-Djdk.http.auth.tunneling.disabledSchemes="))
                    .contains("200 hello");
        }
        originGotTheSecretOnce();
        assertThat(Files.readString(Path.of("docs/how-to/set-up-clients.md")))
                .contains("jdk.http.auth.tunneling.disabledSchemes");
    }

    private String java(Path program, String... flags) {
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("java.home") + "/bin/java",
                "-XX:TieredStopAtLevel=1",
                "-Djavax.net.ssl.trustStore=" + environment.get("SALLYPORT_JAVA_TRUST_STORE"),
                "-Djavax.net.ssl.trustStorePassword=changeit"));
        command.addAll(List.of(flags));
        command.addAll(List.of(program.toString(), url("/v1/java")));
        Tools.Ran ran = Tools.run(folder, environment, command.toArray(String[]::new));
        return ran.out() + ran.err();
    }

    /** RW-10: what is not intercepted is signed by roots of the system. */
    @Test
    void the_bundle_holds_the_brokers_authority_and_the_systems_roots() throws Exception {
        String bundle = Files.readString(Path.of(environment.get("SSL_CERT_FILE")));
        assertThat(bundle).contains(broker.agentDoor().authority().strip());
        assertThat(bundle.split("-----BEGIN CERTIFICATE-----")).hasSizeGreaterThan(50);
        assertThat(environment.get("HTTP_PROXY")).isEqualTo(environment.get("http_proxy"));
        assertThat(environment.get("NO_PROXY")).isEqualTo(environment.get("no_proxy"));
    }

    /** RW-10. */
    @Test
    void npm_reads_a_package_of_a_registry() throws Exception {
        Tools.require("npm");
        origin.answer(TestOrigin.status(
                200,
                "{\"name\":\"left\",\"dist-tags\":{\"latest\":\"1.2.3\"},\"versions\":{\"1.2.3\":{\"name\":\"left\",\"version\":\"1.2.3\"}}}",
                "Content-Type: application/json"));
        Tools.Ran ran = Tools.run(
                folder, environment, "npm", "view", "left", "version", "--registry", url("/v1/npm/"), "--cache", "npm");
        assertThat(ran.out().strip()).as(ran.err()).isEqualTo("1.2.3");
        originGotTheSecretOnce();
    }

    /** RW-10. */
    @Test
    void the_aws_command_line_asks_who_it_is() {
        Tools.require("aws");
        origin.answer(TestOrigin.status(
                200,
                "<GetCallerIdentityResponse xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\"><GetCallerIdentityResult>"
                        + "<Arn>arn:aws:iam::1:user/agent</Arn><UserId>u</UserId><Account>1</Account>"
                        + "</GetCallerIdentityResult></GetCallerIdentityResponse>",
                "Content-Type: text/xml"));
        Map<String, String> variables = new LinkedHashMap<>(environment);
        variables.put("AWS_ACCESS_KEY_ID", "AKIAPLACEHOLDER00000");
        variables.put("AWS_SECRET_ACCESS_KEY", "placeholder");
        variables.put("AWS_DEFAULT_REGION", "eu-central-1");
        Tools.Ran ran = Tools.run(
                folder,
                variables,
                "aws",
                "--endpoint-url",
                url("/v1/sts"),
                "sts",
                "get-caller-identity",
                "--output",
                "text",
                "--query",
                "Arn");
        assertThat(ran.out().strip()).as(ran.err()).isEqualTo("arn:aws:iam::1:user/agent");
        assertThat(origin.received().getLast().head()).doesNotContain("AKIAPLACEHOLDER00000");
        originGotTheSecretOnce();
    }

    @Test
    void run_starts_a_command_and_ends_its_task_with_it() throws Exception {
        Tools.require("curl");
        Path seen = folder.resolve("child.env");
        sallyport("run", "-s", "work:api", "--", "sh", "-c", "curl -sS " + url("/v1/run") + " && env > " + seen);
        originGotTheSecretOnce();
        Map<String, String> child = new LinkedHashMap<>();
        Files.readAllLines(seen).forEach(line -> child.put(line.split("=", 2)[0], line));
        assertThat(child.toString()).doesNotContain(SECRET, broker.workloadToken("agent-1"));
        String proxy = child.get("https_proxy").split("=", 2)[1];
        Tools.Ran after = Tools.run(folder, Map.of("https_proxy", proxy), "curl", "-sS", "-k", url("/v1/late"));
        assertThat(after.err()).as("the task ended with the command").contains("407");
    }
}

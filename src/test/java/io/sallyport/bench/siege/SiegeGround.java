package io.sallyport.bench.siege;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.sallyport.proxy.RequestHash;
import io.sallyport.testing.GitOrigin;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.RawHttp2Client;
import io.sallyport.testing.TestCertificates;
import io.sallyport.testing.TestNameServer;
import io.sallyport.testing.TestOrigin;
import io.sallyport.testing.TestProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A broker as a process of its own, and an origin in this one that gives and takes as much as it is asked to. */
final class SiegeGround implements AutoCloseable {

    private static final String SECRET = "sk-siege-Ab/Cd+Ef=Gh7890qrSTuvWX";
    private static final byte[] PIECE = new byte[64 * 1024];

    private final TestOrigin origin;
    private final TestNameServer names;
    private final TestProcess broker;
    private final GitOrigin git;
    private final Path repositories;
    private final ConcurrentHashMap<String, String> hashes = new ConcurrentHashMap<>();

    /** A broker that lives for seconds. */
    static SiegeGround small() {
        return new SiegeGround(TestProcess.prepared());
    }

    /** One whose figures are told. */
    static SiegeGround optimised() {
        return new SiegeGround(TestProcess.prepared().optimised());
    }

    /** All of the heap is touched at the start: what the broker's memory grows by later is not heap. */
    private SiegeGround(TestProcess broker) {
        this.broker = broker;
        TestCertificates authority = TestCertificates.authority();
        TestCertificates.Issued certificate = authority.issue("*.up.test");
        origin = TestOrigin.tls(certificate, TestOrigin.ok("hello"));
        try {
            repositories = Files.createTempDirectory("sallyport-siege-");
            git = new GitOrigin(certificate.serverContext(), repositories, "git", SECRET);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        origin.converseAfterHead(this::serve);
        names = new TestNameServer(TestNameServer.Step.addresses(60, "127.0.0.1"));
        broker.setting(
                        "sallyport.proxy.upstream-trust",
                        "file:" + authority.writeRoot(broker.folder().resolve("up.pem")))
                .setting("sallyport.proxy.name-servers", names.address())
                .environment("JAVA_TOOL_OPTIONS", "-Xms96m -Xmx96m -XX:+AlwaysPreTouch")
                .secret("up", SECRET)
                .document("credentials", "git", """
                        sallyport: v1
                        credential: git
                        destinations: ["https://git.up.test:%d"]
                        source: {kind: file, name: up}
                        inject: {kind: basic, user: git}
                        blast-radius: low
                        """.formatted(git.port()))
                .document("credentials", "up", """
                        sallyport: v1
                        credential: up
                        destinations: ["https://api.up.test:%d"]
                        source: {kind: file, name: up}
                        inject: {kind: bearer}
                        blast-radius: low
                        """.formatted(origin.port()))
                .document("policies", "siege", """
                        sallyport: v1
                        policy: siege
                        owner: team@example.com
                        reason: Serves while others mean it ill
                        review-by: 2099-01-01
                        who: [{identity: ci, subject: agent-1}]
                        task: {ttl: 1h, uses: 100000000, bytes-out: 100GiB, binding: address}
                        scopes:
                          all:
                            reason: The origin under test
                            destination: {url: "https://api.up.test:%d", addresses: [127.0.0.0/8]}
                            allow: ["GET,POST,PUT /v1/**"]
                            credential: up
                          git:
                            reason: The repository under test
                            destination: {url: "https://git.up.test:%d", addresses: [127.0.0.0/8]}
                            allow: ["GET /big.git/info/refs", "POST /big.git/git-receive-pack"]
                            credential: git
                        """.formatted(origin.port(), git.port()))
                .start();
    }

    /** GET /v1/bytes/N is N bytes, a POST is read to its end and hashed, everything else is small. */
    private void serve(TestOrigin.Received first, InputStream in, OutputStream out) throws IOException {
        TestOrigin.Received request = first;
        while (request != null) {
            origin.received().clear();
            String[] target = request.target().split("/");
            if (target[2].equals("bytes")) {
                give(Long.parseLong(target[3]), out);
            } else if (request.requestLine().startsWith("P")) {
                hashes.put(request.target(), taken(request, in));
                TestOrigin.ok("taken").to(request, out);
            } else {
                TestOrigin.ok("hello").to(request, out);
            }
            out.flush();
            request = TestOrigin.head(in);
        }
    }

    private static void give(long bytes, OutputStream out) throws IOException {
        out.write(("HTTP/1.1 200 OK\r\nContent-Length: " + bytes + "\r\n\r\n").getBytes(ISO_8859_1));
        for (long left = bytes; left > 0; left -= PIECE.length) {
            out.write(PIECE, 0, (int) Math.min(left, PIECE.length));
        }
    }

    private static String taken(TestOrigin.Received request, InputStream in) throws IOException {
        MessageDigest sha256 = RequestHash.sha256();
        byte[] piece = new byte[64 * 1024];
        boolean chunked = !request.field("Transfer-Encoding").isEmpty();
        long left = chunked
                ? chunk(in)
                : Long.parseLong(request.field("Content-Length").getFirst());
        while (left > 0) {
            int length = in.read(piece, 0, (int) Math.min(left, piece.length));
            if (length < 0) {
                throw new IOException("the content broke off");
            }
            sha256.update(piece, 0, length);
            left -= length;
            if (left == 0 && chunked) {
                line(in);
                left = chunk(in);
            }
        }
        if (chunked) {
            line(in);
        }
        return HexFormat.of().formatHex(sha256.digest());
    }

    private static long chunk(InputStream in) throws IOException {
        return Long.parseLong(line(in).split(";")[0].strip(), 16);
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
            line.append((char) c);
        }
        return line.toString();
    }

    TestProcess broker() {
        return broker;
    }

    /** SHA-256 of what came for a target, in hexadecimal. */
    String hash(String target) {
        return hashes.getOrDefault(target, "nothing came");
    }

    /** Of a new task. */
    String token() {
        return broker.task("siege:all", "siege:git").token();
    }

    RawClient tunnel(String token) {
        return broker.tunnel("api.up.test", origin.port(), token).patience(60_000);
    }

    /** Through a CONNECT alone. */
    RawClient connected(String token) {
        RawClient agent = RawClient.to(broker.hopPort());
        String target = "api.up.test:" + origin.port();
        agent.send("CONNECT " + target + " HTTP/1.1\r\nHost: " + target + "\r\nProxy-Authorization: "
                + RawClient.basic(token) + "\r\n\r\n");
        if (!agent.head().startsWith("HTTP/1.1 200")) {
            throw new IllegalStateException("no tunnel");
        }
        return agent;
    }

    String head(String line, String... fields) {
        StringBuilder head = new StringBuilder(line + " HTTP/1.1\r\nHost: api.up.test:" + origin.port() + "\r\n");
        for (String field : fields) {
            head.append(field).append("\r\n");
        }
        return head.append("\r\n").toString();
    }

    String url(String target) {
        return origin.url("api.up.test") + target;
    }

    GitOrigin git() {
        return git;
    }

    /** Where {@link #git} has its bare repositories. */
    Path repositories() {
        return repositories;
    }

    /** The variables by which clients of the command line find the hop and trust it. */
    Map<String, String> environment(String token) {
        String authority = broker.authority().toString();
        return Map.of(
                "https_proxy",
                "http://task:" + token + "@127.0.0.1:" + broker.hopPort(),
                "CURL_CA_BUNDLE",
                authority,
                "GIT_SSL_CAINFO",
                authority,
                "GIT_TERMINAL_PROMPT",
                "0",
                "GIT_CONFIG_GLOBAL",
                "/dev/null");
    }

    /** HTTP/2 in a tunnel. */
    RawHttp2Client http2(String token) {
        return RawHttp2Client.over(connected(token).tls(broker.trust(), "api.up.test", origin.port(), "h2"));
    }

    String authority() {
        return "api.up.test:" + origin.port();
    }

    /** The broker's resident memory now, KiB. */
    long residentKiB() {
        return status("VmRSS:");
    }

    /** The most that it was since {@link #forgetPeak}, KiB. */
    long peakKiB() {
        return status("VmHWM:");
    }

    void forgetPeak() {
        try {
            Files.writeString(Path.of("/proc/" + broker.pid() + "/clear_refs"), "5");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private long status(String line) {
        try {
            return Files.readAllLines(Path.of("/proc/" + broker.pid() + "/status")).stream()
                    .filter(text -> text.startsWith(line))
                    .mapToLong(text -> Long.parseLong(text.replaceAll("\\D", "")))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        broker.close();
        names.close();
        git.close();
        origin.close();
        try (var files = Files.walk(repositories)) {
            for (Path path : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

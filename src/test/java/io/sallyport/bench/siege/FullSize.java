package io.sallyport.bench.siege;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.proxy.RequestHash;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.Tools;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The same at full size, for minutes and gigabytes: {@code mvn test -Dtest=FullSize}. Its name keeps it out of the usual run. It tells what
 * it measured, and fails where an answer, a hash or the bound on memory is wrong.
 */
class FullSize {

    private static final long MIB = 1 << 20;
    private static final int READERS = 20;

    private static SiegeGround ground;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() {
        ground = SiegeGround.optimised();
        new GoodAgent(ground).asks(1500);
    }

    @AfterAll
    static void stop() {
        ground.close();
    }

    /** RW-49. Each siege has a calm before it: what else the machine does is in both. */
    @Test
    void what_a_good_agent_waits_for_beside_each_siege() throws Exception {
        for (Siege.Kind kind : Siege.Kind.values()) {
            int agents = kind.agents();
            System.out.println(new GoodAgent(ground).asks(500).line("nobody else"));
            try (Siege siege = new Siege(ground, kind, agents)) {
                System.out.println(new GoodAgent(ground).asks(500).line(agents + " × " + kind));
            }
        }
    }

    /** RW-51: two gibibytes each way, while twenty read 50 kB/s of as much and one has stopped. */
    @Test
    void two_gibibytes_each_way_beside_readers_that_take_little() throws Exception {
        String token = ground.token();
        read(ground, token, 64 * MIB);
        long before = ground.residentKiB();
        ground.forgetPeak();
        AtomicBoolean over = new AtomicBoolean();
        List<RawClient> slow = new ArrayList<>();
        try {
            for (int i = 0; i <= READERS; i++) {
                RawClient agent = ground.tunnel(token);
                agent.send(ground.head("GET /v1/bytes/" + 2048 * MIB)).head();
                slow.add(agent);
                if (i > 0) {
                    Thread.ofVirtual().start(() -> trickle(agent, over));
                }
            }
            tell("2 GiB down", () -> read(ground, ground.token(), 2048 * MIB));
            tell("2 GiB up", () -> upload(2048));
            long growth = ground.peakKiB() - before;
            System.out.printf(Locale.ROOT, "resident before %d KiB, growth at the peak %d KiB%n", before, growth);
            assertThat(growth).isLessThan((READERS + 3) * 2048L);
        } finally {
            over.set(true);
            slow.forEach(RawClient::reset);
        }
    }

    /** RW-93: as curl uploads it, in both versions of HTTP and both framings. */
    @Test
    void seven_hundred_megabytes_arrive_whole_in_both_versions_of_http() throws Exception {
        Path file = random(folder.resolve("upload"), 700_000_000);
        String expected = sha256(file);
        Map<String, String> environment = ground.environment(ground.token());
        for (String version : List.of("--http1.1", "--http2")) {
            for (String framing : List.of("Content-Length: " + Files.size(file), "Transfer-Encoding: chunked")) {
                if (version.equals("--http2") && framing.startsWith("T")) {
                    continue;
                }
                String target = "/v1/" + version + framing.length();
                long before = ground.residentKiB();
                ground.forgetPeak();
                tell("700 MB, " + version + ", " + framing, () -> {
                    Tools.Ran ran = Tools.run(
                            folder,
                            environment,
                            "curl",
                            "-sS",
                            version,
                            "-H",
                            framing,
                            "-H",
                            "Expect:",
                            "-T",
                            file.toString(),
                            ground.url(target));
                    assertThat(ran.out()).as(ran.err()).isEqualTo("taken");
                });
                System.out.printf(Locale.ROOT, "growth at the peak %d KiB%n", ground.peakKiB() - before);
                assertThat(ground.hash(target)).isEqualTo(expected);
                assertThat(ground.peakKiB() - before).isLessThan(16 * 1024);
                recorded(expected);
            }
        }
    }

    /** RW-93: and as git pushes it. */
    @Test
    void git_pushes_a_blob_of_seven_hundred_megabytes() throws Exception {
        Map<String, String> environment = ground.environment(ground.token());
        Path bare = ground.repositories().resolve("big.git");
        git(environment, "init", "-q", "--bare", bare.toString());
        git(environment, "-C", bare.toString(), "config", "http.receivepack", "true");
        git(environment, "init", "-q", "work");
        git(environment, "-C", "work", "config", "core.compression", "0");
        String[] versions = {"HTTP/1.1", "HTTP/2"};
        for (int i = 0; i < versions.length; i++) {
            String version = versions[i];
            random(folder.resolve("work/blob"), 700_000_000 + i);
            git(environment, "-C", "work", "add", "blob");
            git(environment, "-C", "work", "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "x");
            String branch = "HEAD:refs/heads/of-" + i;
            long before = ground.residentKiB();
            ground.forgetPeak();
            tell(
                    "git push, " + version,
                    () -> git(
                            environment,
                            "-C",
                            "work",
                            "-c",
                            "http.version=" + version,
                            "-c",
                            // While it sends chunks in HTTP/2, older git may wait for more of its own.
                            "http.postBuffer=" + (version.equals("HTTP/2") ? 800_000_000 : 1_000_000),
                            "push",
                            "-q",
                            "https://git.up.test:" + ground.git().port() + "/big.git",
                            branch));
            System.out.printf(Locale.ROOT, "growth at the peak %d KiB%n", ground.peakKiB() - before);
            assertThat(ground.peakKiB() - before).isLessThan(16 * 1024);
            recorded(ground.git().pushed().getLast());
        }
    }

    private void git(Map<String, String> environment, String... arguments) {
        List<String> command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(arguments));
        Tools.Ran ran = Tools.run(folder, environment, command.toArray(String[]::new));
        assertThat(ran.exit()).as(String.join(" ", command) + ": " + ran.err()).isZero();
    }

    private static void recorded(String sha256) {
        assertThat(ground.broker()
                        .operatorDoor()
                        .get("/api/v1/ledger?sha256=" + sha256)
                        .path("entries")
                        .size())
                .as("entries with the hash that the origin computed")
                .isPositive();
    }

    private static void tell(String what, Runnable done) {
        long start = System.nanoTime();
        done.run();
        System.out.printf(Locale.ROOT, "%s: %.1f s%n", what, (System.nanoTime() - start) / 1e9);
    }

    static void read(SiegeGround from, String token, long bytes) {
        try (RawClient agent = from.tunnel(token)) {
            agent.send(from.head("GET /v1/bytes/" + bytes)).head();
            byte[] piece = new byte[64 * 1024];
            for (long left = bytes; left > 0; ) {
                left -= agent.input().read(piece);
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static void upload(int mebibytes) {
        byte[] piece = new byte[(int) MIB];
        new Random(51).nextBytes(piece);
        MessageDigest sha256 = RequestHash.sha256();
        try (RawClient agent = ground.tunnel(ground.token())) {
            agent.send(ground.head("POST /v1/up", "Content-Length: " + mebibytes * MIB));
            for (int i = 0; i < mebibytes; i++) {
                agent.send(piece);
                sha256.update(piece);
            }
            assertThat(agent.read().text()).isEqualTo("taken");
        }
        assertThat(ground.hash("/v1/up")).isEqualTo(HexFormat.of().formatHex(sha256.digest()));
    }

    private static void trickle(RawClient agent, AtomicBoolean over) {
        byte[] piece = new byte[5_000];
        try {
            while (!over.get()) {
                agent.input().readNBytes(piece, 0, piece.length);
                LockSupport.parkNanos(100_000_000);
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private static Path random(Path file, int length) throws IOException {
        byte[] piece = new byte[1_000_000];
        Random random = new Random(length);
        try (OutputStream out = Files.newOutputStream(file)) {
            for (int left = length; left > 0; left -= piece.length) {
                random.nextBytes(piece);
                out.write(piece, 0, Math.min(left, piece.length));
            }
        }
        return file;
    }

    private static String sha256(Path file) throws IOException {
        MessageDigest sha256 = RequestHash.sha256();
        try (var in = Files.newInputStream(file)) {
            byte[] piece = new byte[1_000_000];
            for (int length = in.read(piece); length >= 0; length = in.read(piece)) {
                sha256.update(piece, 0, length);
            }
        }
        return HexFormat.of().formatHex(sha256.digest());
    }
}

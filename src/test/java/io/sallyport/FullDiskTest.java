package io.sallyport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestOrigin;
import io.sallyport.testing.TestProcess;
import io.sallyport.testing.Tools;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

/** The disk of a whole broker fills up while it works: no record, no request; and it heals by itself. */
@Tag("slow")
class FullDiskTest {

    private static final byte[] WINDOW = new byte[1 << 20];

    private TestProcess broker;
    private TestOrigin origin;
    private String token;

    @Test
    void a_full_disk_refuses_requests_ends_uploads_and_shows_in_readiness_until_there_is_space_again()
            throws Exception {
        try (TestOrigin up = TestOrigin.plain(TestOrigin.ok("hello"));
                TestProcess process = TestProcess.prepared()) {
            origin = up;
            broker = process;
            Path data = process.folder().resolve("data");
            mount(data);
            try {
                process.document("policies", "work", policy()).start();
                token = process.task("work:api").token();
                assertThat(get("/v1/before").status()).isEqualTo(200);
                fillsWhileAnUploadRuns(data.resolve("ballast"));
                refusesAndHeals(data.resolve("ballast"));
                assertThat(up.received())
                        .extracting(TestOrigin.Received::requestLine)
                        .noneMatch(line -> line.contains("/v1/upload"));
            } finally {
                process.stop();
                Tools.run(Path.of("/"), Map.of(), "umount", data.toString());
            }
        }
    }

    private void fillsWhileAnUploadRuns(Path ballast) {
        try (RawClient upload = RawClient.to(broker.hopPort())) {
            int connections = origin.connections();
            upload.send("POST " + origin.url("127.0.0.1") + "/v1/upload HTTP/1.1\r\nHost: 127.0.0.1:" + origin.port()
                    + "\r\nProxy-Authorization: " + RawClient.basic(token)
                    + "\r\nExpect: 100-continue\r\nContent-Length: " + (1L << 30) + "\r\n\r\n");
            assertThat(upload.head()).startsWith("HTTP/1.1 100");
            assertThat(origin.connections()).isGreaterThanOrEqualTo(connections);
            upload.send(WINDOW);
            fill(ballast);
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> get("/v1/until-full").status() == 503);
            assertThat(endsWithin(upload, 8))
                    .as("the running upload ends at its next window")
                    .isTrue();
        }
    }

    /** Buffers on the way take some of it; a broker that went on would take it all. */
    private static boolean endsWithin(RawClient upload, int windows) {
        try {
            for (int n = 0; n < windows; n++) {
                upload.send(WINDOW);
            }
        } catch (UncheckedIOException ended) {
            return true;
        }
        return upload.rest().startsWith("HTTP/1.1 503");
    }

    private void refusesAndHeals(Path ballast) throws IOException {
        int received = origin.received().size();
        RawClient.Answer refused = get("/v1/full");
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.toString().toLowerCase(Locale.ROOT))
                .as("no hint of the cause")
                .doesNotContain("disk", "full", "space", "sqlite", "database", "ledger can");
        assertThat(origin.received()).as("nothing reaches the origin").hasSize(received);
        assertThat(readiness()).isEqualTo(503);

        Files.delete(ballast);
        await().atMost(Duration.ofSeconds(30)).until(() -> readiness() == 200);
        assertThat(get("/v1/after").status()).isEqualTo(200);
        assertThat(origin.received().getLast().requestLine()).contains("/v1/after");
        assertThat(broker.operatorDoor()
                        .post("/api/v1/ledger/verify", JsonNodeFactory.instance.objectNode())
                        .path("intact")
                        .asBoolean())
                .isTrue();
    }

    private RawClient.Answer get(String path) {
        try (RawClient client = RawClient.to(broker.hopPort())) {
            return client.send("GET " + origin.url("127.0.0.1") + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + origin.port()
                            + "\r\nProxy-Authorization: " + RawClient.basic(token) + "\r\n\r\n")
                    .read();
        }
    }

    private int readiness() {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + broker.managementPort()
                                            + "/actuator/health/readiness"))
                                    .build(),
                            HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void fill(Path ballast) {
        byte[] piece = new byte[4096];
        try (OutputStream out = Files.newOutputStream(ballast)) {
            while (true) {
                out.write(piece);
            }
        } catch (IOException full) {
            // As wanted.
        }
    }

    private static void mount(Path data) {
        boolean mounted = Tools.present("mount")
                && Tools.run(
                                        Path.of("/"),
                                        Map.of(),
                                        "mount",
                                        "-t",
                                        "tmpfs",
                                        "-o",
                                        "size=16m,mode=0700",
                                        "none",
                                        data.toString())
                                .exit()
                        == 0;
        Assumptions.assumeTrue(mounted, "skipped: a small tmpfs can't be mounted here, which takes root");
    }

    private String policy() {
        return """
                sallyport: v1
                policy: work
                owner: team@example.com
                reason: Has a small disk
                review-by: 2099-01-01
                who: [{identity: ci, subject: agent-1}]
                task: {ttl: 1h, uses: 1000000, bytes-out: 10GiB, binding: address}
                scopes:
                  api:
                    reason: The API under test
                    destination: {url: "%s", addresses: [127.0.0.0/8]}
                    allow: ["* /v1/**"]
                    credential: none
                """.formatted(origin.url("127.0.0.1"));
    }
}

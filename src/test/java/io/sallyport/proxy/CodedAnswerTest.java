package io.sallyport.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.Ask;
import io.sallyport.testing.Caller;
import io.sallyport.testing.Coded;
import io.sallyport.testing.Door;
import io.sallyport.testing.DoorCase;
import io.sallyport.testing.EveryDoor;
import io.sallyport.testing.EveryHttp1Door;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.Reply;
import io.sallyport.testing.TestHop;
import io.sallyport.testing.TestOrigin;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** RW-70: destinations that compress whatever they are asked, at every door. The agent gets plain content without the secret. */
class CodedAnswerTest extends DoorCase {

    private static final List<String> CODINGS = List.of("gzip", "x-gzip", "deflate", "bare deflate", "br", "zstd");

    private static final String CLEAN = "<" + "*".repeat(TestHop.SECRET.length()) + ">\n";

    private static String named(String coding) {
        return coding.replace("bare ", "");
    }

    private static TestOrigin.Answer says(String head, byte[] content) {
        return (request, out) -> {
            out.write((head + "Content-Length: " + content.length + "\r\n\r\n").getBytes(ISO_8859_1));
            out.write(content);
        };
    }

    private static byte[] echo(String coding) {
        return Coded.whole(coding, ("<" + TestHop.SECRET + ">\n").getBytes(ISO_8859_1));
    }

    @EveryDoor
    void what_comes_coded_goes_on_plain_and_masked_with_a_head_that_says_so(Door door) {
        String token = door.token(hop);
        try (Caller agent = door.call(hop, token)) {
            for (String coding : CODINGS) {
                door.origin(hop)
                        .answer(says(
                                "HTTP/1.1 200 OK\r\nContent-Encoding: " + named(coding) + "\r\nETag: \"strong\"\r\n"
                                        + "Vary: Accept-Encoding\r\nAccept-Ranges: bytes\r\nContent-MD5: abc\r\n"
                                        + "Repr-Digest: sha-256=:abc:\r\nx-amz-checksum-crc32: abc\r\n",
                                echo(coding)));
                Reply reply = agent.ask(Ask.of("GET /v1/x", "Accept-Encoding: gzip, br, zstd"));
                assertThat(reply.text()).as(coding).isEqualTo(CLEAN);
                assertThat(reply.field("ETag")).containsExactly("W/\"strong\"");
                assertThat(reply.field("Accept-Ranges")).containsExactly("none");
                assertThat(reply.field("Vary")).containsExactly("Accept-Encoding");
                for (String gone : List.of("Content-Encoding", "Content-MD5", "Repr-Digest", "x-amz-checksum-crc32")) {
                    assertThat(reply.field(gone)).as(gone).isEmpty();
                }
                assertThat(reply.field("Content-Length")).isEmpty();
            }
        }
        assertThat(door.origin(hop).received())
                .allSatisfy(asked -> assertThat(asked.field("Accept-Encoding")).containsExactly("identity"));
        Awaitility.await()
                .untilAsserted(
                        () -> assertThat(Entries.of(hop, "/v1/x").outcome()).contains("\"masked\":true"));
    }

    @EveryHttp1Door
    void without_content_the_head_says_the_same_and_an_empty_one_is_whole(Door door) {
        String token = door.token(hop);
        String fields =
                "Content-Encoding: gzip\r\nETag: \"strong\"\r\nVary: Accept-Encoding\r\nContent-Length: 400\r\n";
        try (RawClient agent = door.open(hop, token)) {
            door.origin(hop).answer(TestOrigin.raw("HTTP/1.1 200 OK\r\n" + fields + "\r\n"));
            RawClient.Answer head =
                    agent.send(door.head(hop, token, "HEAD /v1/x")).read("HEAD");
            assertThat(head.head())
                    .doesNotContainIgnoringCase("content-encoding")
                    .doesNotContain("400");
            assertThat(head.field("ETag")).containsExactly("W/\"strong\"");

            door.origin(hop)
                    .answer(TestOrigin.raw(
                            "HTTP/1.1 304 Not Modified\r\nETag: \"strong\"\r\nVary: Accept-Encoding\r\n\r\n"));
            RawClient.Answer same = agent.send(door.head(hop, token, "GET /v1/x", "If-None-Match: W/\"strong\""))
                    .read();
            assertThat(same.status()).isEqualTo(304);
            assertThat(same.field("ETag")).containsExactly("W/\"strong\"");

            door.origin(hop).answer(says("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n", new byte[0]));
            RawClient.Answer empty =
                    agent.send(door.head(hop, token, "GET /v1/x")).read();
            assertThat(empty.status()).isEqualTo(200);
            assertThat(empty.text()).isEmpty();
            assertThat(empty.field("Content-Encoding")).isEmpty();
        }
    }

    /** RW-55 of coded streams: no event waits for the one after it. */
    @ParameterizedTest
    @EnumSource(
            value = Door.class,
            names = {"TUNNEL", "ABSOLUTE", "GATEWAY"})
    void an_event_of_a_coded_stream_is_there_before_the_next_is_sent(Door door) {
        String token = door.token(hop);
        LinkedBlockingQueue<String> next = new LinkedBlockingQueue<>();
        for (String coding : CODINGS) {
            door.origin(hop).answer((request, out) -> {
                out.write(("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: " + named(coding)
                                + "\r\nTransfer-Encoding: chunked\r\n\r\n")
                        .getBytes(ISO_8859_1));
                out.flush();
                try (OutputStream coded = Coded.to(coding, new Chunks(out))) {
                    for (String event = taken(next); !event.isEmpty(); event = taken(next)) {
                        coded.write(event.getBytes(ISO_8859_1));
                        coded.flush();
                    }
                }
                out.write("0\r\n\r\n".getBytes(ISO_8859_1));
            });
            try (RawClient agent = door.open(hop, token)) {
                agent.send(door.head(hop, token, "GET /v1/stream"));
                assertThat(agent.head()).contains("text/event-stream").doesNotContainIgnoringCase("content-encoding");
                for (int i = 0; i < 5; i++) {
                    String event = "data: " + TestHop.SECRET + i + "\n\n";
                    next.add(event);
                    StringBuilder seen = new StringBuilder();
                    while (seen.length() < event.length()) {
                        seen.append(agent.chunk());
                    }
                    assertThat(seen.toString())
                            .as(coding)
                            .isEqualTo("data: " + "*".repeat(TestHop.SECRET.length()) + i + "\n\n");
                }
                next.add("");
                assertThat(agent.chunk()).isEmpty();
            }
        }
    }

    /** A connection that closes properly, and yet the content is not whole: the agent must not take it for that. */
    @EveryHttp1Door
    void content_that_is_cut_short_or_corrupt_ends_as_broken(Door door) {
        String token = door.token(hop);
        for (String coding : CODINGS) {
            byte[] whole = Coded.whole(coding, noise(100_000));
            // br and zstd, as most send them, have no checksum: what is corrupt is told by its beginning.
            byte[] corrupt = whole.clone();
            Arrays.fill(corrupt, 0, 20, (byte) 0x55);
            for (byte[] bad : List.of(Arrays.copyOf(whole, whole.length - 1), corrupt)) {
                door.origin(hop).answer(says("HTTP/1.1 200 OK\r\nContent-Encoding: " + named(coding) + "\r\n", bad));
                String target = "/v1/bad/" + named(coding);
                try (RawClient agent = door.open(hop, token)) {
                    agent.send(door.head(hop, token, "GET " + target));
                    assertThat(agent.patience(20_000).rest()).as(coding).doesNotContain("\r\n0\r\n\r\n");
                }
                Awaitility.await()
                        .untilAsserted(() -> assertThat(Entries.of(hop, target).outcome())
                                .as(coding)
                                .contains("\"outcome\":\"upstream-failed\""));
            }
        }
    }

    private static byte[] noise(int length) {
        byte[] bytes = new byte[length];
        new Random(3).nextBytes(bytes);
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) ('a' + (bytes[i] & 0x0f));
        }
        return bytes;
    }

    @EveryDoor
    void a_part_of_coded_content_and_codings_that_nobody_here_knows_are_refused(Door door) {
        String token = door.token(hop);
        try (Caller agent = door.call(hop, token)) {
            for (String head : List.of(
                    "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-9/100\r\nContent-Encoding: gzip\r\n",
                    "HTTP/1.1 206 Partial Content\r\nContent-Type: multipart/byteranges; boundary=x\r\n"
                            + "Content-Encoding: br\r\n",
                    "HTTP/1.1 200 OK\r\nContent-Encoding: compress\r\n",
                    "HTTP/1.1 200 OK\r\nContent-Encoding: gzip, dcb\r\n",
                    "HTTP/1.1 200 OK\r\nContent-Encoding: gzip, gzip, gzip, gzip\r\n",
                    "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Encoding: exi\r\n")) {
                door.origin(hop).answer(says(head, echo("gzip")));
                Reply reply = agent.ask(Ask.of("GET /v1/x", "Range: bytes=0-9"));
                assertThat(reply.status()).as(head).isEqualTo(502);
                assertThat(reply.text()).contains("upstream_coded");
            }
        }
    }

    /** An agent in HTTP/1.0 gets an end by the connection; a destination in HTTP/1.0 gives one by it. */
    @ParameterizedTest
    @EnumSource(
            value = Door.class,
            names = {"TUNNEL", "PLAIN_TUNNEL"})
    void in_http_1_0_the_connections_end_is_the_contents(Door door) {
        String token = door.token(hop);
        door.origin(hop).answer((request, out) -> {
            out.write("HTTP/1.0 200 OK\r\nContent-Encoding: gzip\r\n\r\n".getBytes(ISO_8859_1));
            out.write(echo("gzip"));
            out.flush();
            throw new IOException("ends here");
        });
        try (RawClient agent = door.open(hop, token)) {
            agent.send("GET /v1/x HTTP/1.0\r\nHost: " + door.authority(hop) + "\r\n\r\n");
            assertThat(agent.head()).doesNotContainIgnoringCase("transfer-encoding");
            assertThat(agent.rest()).isEqualTo(CLEAN);
        }
    }

    /** Much that was little on the wire is decoded as it is taken, and arrives whole; what expands beyond measure does not. */
    @ParameterizedTest
    @EnumSource(
            value = Door.class,
            names = {"TUNNEL", "GATEWAY"})
    void a_bomb_goes_off_at_the_agents_pace_or_not_at_all(Door door) throws Exception {
        int size = 48 * 1024 * 1024;
        String token = door.token(hop);
        door.origin(hop)
                .answer(says("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n", Coded.whole("gzip", new byte[size])));
        try (RawClient agent = door.open(hop, token)) {
            agent.send(door.head(hop, token, "GET /v1/big"));
            agent.head();
            long came = 0;
            for (String chunk = agent.chunk(); !chunk.isEmpty(); chunk = agent.chunk()) {
                came += chunk.length();
            }
            assertThat(came).isEqualTo(size);
            door.origin(hop).answer(TestOrigin.ok("next"));
            assertThat(agent.send(door.head(hop, token, "GET /v1/next")).read().text())
                    .isEqualTo("next");
        }
        door.origin(hop)
                .answer(says("HTTP/1.1 200 OK\r\nContent-Encoding: zstd\r\n", Coded.whole("zstd", new byte[size])));
        try (RawClient agent = door.open(hop, token)) {
            agent.send(door.head(hop, token, "GET /v1/bomb"));
            agent.head();
            InputStream in = agent.input();
            long came = 0;
            try {
                for (int more = in.read(new byte[1 << 16]); more > 0; more = in.read(new byte[1 << 16])) {
                    came += more;
                }
            } catch (IOException reset) {
                // A reset is an end.
            }
            assertThat(came).isLessThan(size);
        }
        Awaitility.await()
                .untilAsserted(() ->
                        assertThat(Entries.of(hop, "/v1/bomb").outcome()).contains("\"outcome\":\"upstream-failed\""));
    }

    private static String taken(LinkedBlockingQueue<String> next) throws IOException {
        try {
            String text = next.poll(1, TimeUnit.MINUTES);
            return text == null ? "" : text;
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    /** Each write a chunk of its own, sent at once. */
    private static final class Chunks extends OutputStream {
        private final OutputStream out;

        Chunks(OutputStream out) {
            this.out = out;
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            if (length > 0) {
                ByteArrayOutputStream chunk = new ByteArrayOutputStream();
                chunk.writeBytes((Integer.toHexString(length) + "\r\n").getBytes(ISO_8859_1));
                chunk.write(bytes, from, length);
                chunk.writeBytes("\r\n".getBytes(ISO_8859_1));
                out.write(chunk.toByteArray());
                out.flush();
            }
        }
    }
}

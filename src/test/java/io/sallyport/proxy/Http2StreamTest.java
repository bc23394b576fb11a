package io.sallyport.proxy;

import static io.sallyport.testing.Http2Frame.GOAWAY;
import static io.sallyport.testing.Http2Frame.INITIAL_WINDOW_SIZE;
import static io.sallyport.testing.Http2Frame.RST_STREAM;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.grant.EndReason;
import io.sallyport.grant.Grant;
import io.sallyport.grant.Grants;
import io.sallyport.testing.Http2AgentCase;
import io.sallyport.testing.Http2Frame;
import io.sallyport.testing.RawHttp2Client;
import io.sallyport.testing.TestHop;
import io.sallyport.testing.TestOrigin;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Many requests on one connection: each its own use, with its own pace and its own end. */
class Http2StreamTest extends Http2AgentCase {

    private static final int NO_ERROR = 0;
    private static final int INTERNAL_ERROR = 2;
    private static final int CANCEL = 8;

    private static byte[] random(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
    }

    /** Answers with a head and one piece, and no end. */
    private void endless(TestHop at) {
        at.origin().answer((request, out) -> {
            write(out, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n");
            try {
                while (true) {
                    TimeUnit.MILLISECONDS.sleep(5);
                    write(out, "4\r\nmore\r\n");
                }
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        });
    }

    /** RW-14: a "no" is readable, and costs the connection nothing. */
    @Test
    void a_refusal_is_an_answer_of_its_stream_alone() {
        try (RawHttp2Client agent = hop.http2("api.up.test", hop.token("read"))) {
            RawHttp2Client.Answer path = agent.answer(agent.get(head("GET", "/v2/x")));
            assertThat(path.status()).isEqualTo(403);
            assertThat(path.text()).contains("path_not_allowed");
            assertThat(path.field("content-type")).containsExactly("application/json");
            assertThat(path.field("proxy-status"))
                    .singleElement()
                    .asString()
                    .contains("details=\"path_not_allowed: no scope");
            RawHttp2Client.Answer scope = agent.answer(agent.get(head("POST", "/v1/x")));
            assertThat(scope.status()).isEqualTo(403);
            assertThat(scope.text()).contains("scope_not_granted");
            RawHttp2Client.Answer headOnly = agent.answer(agent.get(head("HEAD", "/v2/x")));
            assertThat(headOnly.status()).isEqualTo(403);
            assertThat(headOnly.content()).isEmpty();
            assertThat(agent.answer(agent.get(head("GET", "/v1/x"))).text()).isEqualTo("hello");
            assertThat(agent.frames()).noneMatch(frame -> frame.type() == GOAWAY || frame.type() == RST_STREAM);
        }
    }

    @Test
    void a_refused_upload_is_read_where_it_is_small_and_stopped_where_it_is_not() {
        try (RawHttp2Client agent = hop.http2("api.up.test", hop.token("read"))) {
            int small = agent.begin(head("POST", "/v1/x", "content-length", "6"));
            assertThat(agent.answer(small).status()).isEqualTo(403);
            agent.data(small, "abcdef", true).ping();
            assertThat(agent.frames()).noneMatch(frame -> frame.type() == RST_STREAM);
            int large = agent.begin(head("POST", "/v1/x", "content-length", "600000"));
            assertThat(agent.answer(large).status()).isEqualTo(403);
            assertThat(agent.await(frame -> frame.type() == RST_STREAM).code()).isEqualTo(NO_ERROR);
            agent.data(large, "late", false).ping();
            assertThat(agent.answer(agent.get(head("GET", "/v1/x"))).status()).isEqualTo(200);
        }
    }

    @Test
    void streams_run_side_by_side_and_each_is_a_use() throws Exception {
        CountDownLatch all = new CountDownLatch(20);
        hop.origin().answer((request, out) -> {
            all.countDown();
            try {
                assertThat(all.await(20, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            TestOrigin.ok(request.requestLine()).to(request, out);
        });
        Grant grant = hop.grant("read");
        try (RawHttp2Client agent = hop.http2("api.up.test", hop.token(grant))) {
            List<Integer> streams = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                streams.add(agent.get(head("GET", "/v1/" + i)));
            }
            for (int i = 0; i < 20; i++) {
                assertThat(agent.answer(streams.get(i)).text()).isEqualTo("GET /v1/" + i + " HTTP/1.1");
            }
        }
        assertThat(hop.entries("used").stream().filter(entry -> entry.contains(grant.id())))
                .hasSize(20);
    }

    @Test
    void at_once_counts_streams() {
        try (TestHop other = TestHop.start(settings -> settings, TestHop.POLICY.replace("at-once: 64", "at-once: 2"));
                RawHttp2Client agent = other.http2("api.up.test", other.token("read"))) {
            endless(other);
            String host = other.host("api.up.test");
            int first = agent.get(lines("GET", "https", host, "/v1/1"));
            int second = agent.get(lines("GET", "https", host, "/v1/2"));
            assertThat(agent.head(first).status()).isEqualTo(200);
            assertThat(agent.head(second).status()).isEqualTo(200);
            RawHttp2Client.Answer third = agent.answer(agent.get(lines("GET", "https", host, "/v1/3")));
            assertThat(third.status()).isEqualTo(429);
            assertThat(third.text()).contains("at_once");
            agent.reset(first, CANCEL).ping();
            Awaitility.await().until(() -> other.flows().running() == 1);
            assertThat(agent.head(agent.get(lines("GET", "https", host, "/v1/4")))
                            .status())
                    .isEqualTo(200);
        }
    }

    /** RW-80, PX-11: nothing of a stream follows its reset, and no further stream is taken. */
    @Test
    void a_revocation_cuts_every_stream_and_says_goodbye() {
        endless(hop);
        Grant grant = hop.grant("read");
        try (RawHttp2Client agent = hop.http2("api.up.test", hop.token(grant), INITIAL_WINDOW_SIZE, 10_000_000)) {
            int first = agent.get(head("GET", "/v1/1"));
            int second = agent.get(head("GET", "/v1/2"));
            agent.head(first);
            agent.head(second);
            long before = System.nanoTime();
            List<Grant> ended = hop.room(Grants.class).endInMemory(List.of(grant), EndReason.REVOKED);
            assertThat(hop.flows().cut(ended)).isEqualTo(2);
            assertThat(agent.answer(first).reset()).isEqualTo(INTERNAL_ERROR);
            assertThat(agent.answer(second).reset()).isEqualTo(INTERNAL_ERROR);
            assertThat(agent.goAway().code()).isEqualTo(NO_ERROR);
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(2));
            List<Http2Frame> frames = agent.rest();
            for (int stream : List.of(first, second)) {
                List<Http2Frame> own = frames.stream()
                        .filter(frame -> frame.stream() == stream)
                        .toList();
                assertThat(own.getLast().type()).isEqualTo(RST_STREAM);
                assertThat(own).noneMatch(frame -> frame.type() == 0 && (frame.flags() & 1) != 0);
            }
        }
        Awaitility.await()
                .untilAsserted(() -> assertThat(hop.entries("outcome").stream()
                                .filter(entry -> entry.contains(grant.id()) && entry.contains("\"cut\"")))
                        .hasSize(2));
        Awaitility.await().until(() -> hop.flows().running() == 0);
    }

    /** The agent's own end of it: nobody waits for the rest, so nobody pays for it. */
    @Test
    void a_stream_that_the_agent_resets_is_cancelled_at_the_destination() {
        CompletableFuture<Void> broken = new CompletableFuture<>();
        hop.origin().answer((request, out) -> {
            write(out, "HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n");
            byte[] piece = new byte[10_000];
            try {
                while (true) {
                    out.write(piece);
                }
            } catch (IOException gone) {
                broken.complete(null);
                throw gone;
            }
        });
        Grant grant = hop.grant("read");
        try (RawHttp2Client agent = hop.http2("api.up.test", hop.token(grant)).keepingWindows()) {
            int stream = agent.get(head("GET", "/v1/x"));
            agent.head(stream);
            // What it did not take may have been all that the connection had room for.
            agent.reset(stream, CANCEL).window(0, 1_000_000).ping();
            assertThat(broken).succeedsWithin(Duration.ofSeconds(10));
            hop.origin().answer(TestOrigin.ok("hello"));
            assertThat(agent.answer(agent.get(head("GET", "/v1/y"))).status()).isEqualTo(200);
        }
        Awaitility.await()
                .untilAsserted(() -> assertThat(hop.entries("outcome"))
                        .anyMatch(entry -> entry.contains("agent-left") && entry.contains(grant.id())));
    }

    @Test
    void an_answer_that_breaks_off_is_reset_and_never_ended() {
        hop.origin().answer((request, out) -> {
            write(out, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
            throw new IOException("the origin dies");
        });
        try (RawHttp2Client agent = hop.http2("api.up.test", hop.token("read"))) {
            RawHttp2Client.Answer answer = agent.answer(agent.get(head("GET", "/v1/x")));
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.ended()).isFalse();
            assertThat(answer.reset()).isEqualTo(INTERNAL_ERROR);
            hop.origin().answer(TestOrigin.ok("hello"));
            assertThat(agent.answer(agent.get(head("GET", "/v1/x"))).status()).isEqualTo(200);
        }
    }

    /** A client that sends nothing before it has heard something must be heard of at the destination. */
    @Test
    void a_stream_that_begins_empty_reaches_the_destination_at_once() {
        try (RawHttp2Client agent = hop.http2("blob.up.test", hop.token("blob"))) {
            long before = hop.entries("used").size();
            int stream = agent.begin(lines("POST", "https", hop.host("blob.up.test"), "/x"));
            agent.ping();
            Awaitility.await().until(() -> hop.entries("used").size() > before);
            assertThat(hop.origin().received()).isEmpty();
            agent.data(stream, "late", true);
            assertThat(agent.answer(stream).status()).isEqualTo(200);
            assertThat(hop.origin().received().getFirst().text()).isEqualTo("late");
        }
    }

    /** A destination that is slow costs a window and what is at the ledger, whatever the agent would like to send. */
    @Test
    void an_upload_waits_in_the_agents_hands() throws InterruptedException {
        byte[] content = random(8 * 1024 * 1024);
        try (TestHop other = TestHop.start();
                RawHttp2Client agent = other.http2("api.up.test", other.token("write", "read"))) {
            CompletableFuture<Void> resolved = new CompletableFuture<>();
            other.names().after("api.up.test", resolved);
            int stream = agent.begin(lines("POST", "https", other.host("api.up.test"), "/v1/x"));
            int sent = 0;
            // Room is given by whoever looks at the content, perhaps a moment after the ping is answered.
            for (int quiet = 0; quiet < 20; quiet++) {
                agent.ping();
                while (agent.room(stream) > 0 && sent < content.length) {
                    int piece = (int) Math.min(agent.room(stream), 16_384);
                    agent.data(stream, Arrays.copyOfRange(content, sent, sent + piece), false);
                    sent += piece;
                    agent.ping();
                    quiet = 0;
                }
                TimeUnit.MILLISECONDS.sleep(20);
            }
            assertThat(sent).isBetween(1024 * 1024, 3 * 1024 * 1024);
            // It stops its own stream alone.
            assertThat(agent.answer(agent.get(lines("GET", "https", other.host("api.up.test"), "/v2/x")))
                            .status())
                    .isEqualTo(403);
            resolved.complete(null);
            agent.dataWhole(stream, Arrays.copyOfRange(content, sent, content.length), true);
            assertThat(agent.answer(stream).status()).isEqualTo(200);
            assertThat(other.origin().received().getFirst().content()).isEqualTo(content);
        }
    }

    @Test
    void a_download_waits_at_the_destination() {
        byte[] content = random(16 * 1024 * 1024);
        AtomicLong written = new AtomicLong();
        hop.origin().answer((request, out) -> {
            write(out, "HTTP/1.1 200 OK\r\nContent-Length: " + content.length + "\r\n\r\n");
            for (int at = 0; at < content.length; at += 16_384) {
                out.write(content, at, 16_384);
                written.addAndGet(16_384);
            }
        });
        try (RawHttp2Client agent = hop.http2("api.up.test", hop.token("read")).keepingWindows()) {
            int stream = agent.get(head("GET", "/v1/x"));
            agent.head(stream);
            Awaitility.await().until(() -> {
                long before = written.get();
                TimeUnit.MILLISECONDS.sleep(200);
                return written.get() == before && before > 0;
            });
            // What lies in sockets between here and there is the system's.
            assertThat(written.get()).isLessThan(12 * 1024 * 1024);
            assertThat(agent.ping().soFar(stream).content()).hasSizeLessThanOrEqualTo(65_535);
            agent.window(0, 100_000_000).window(stream, 100_000_000);
            assertThat(agent.answer(stream).content()).isEqualTo(content);
        }
    }

    @Test
    void answers_keep_their_shape() {
        try (RawHttp2Client agent = hop.http2("api.up.test", hop.token("read"))) {
            hop.origin()
                    .answer(TestOrigin.raw("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
                            + "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-Upper: A\r\nConnection: x-upper-2\r\nX-Upper-2: b\r\n"
                            + "Keep-Alive: 1\r\nAlt-Svc: h3\r\n\r\n3\r\nabc\r\n0\r\nGrpc-Status: 0\r\n\r\n"));
            RawHttp2Client.Answer trailed = agent.answer(agent.get(head("GET", "/v1/x", "te", "trailers")));
            assertThat(trailed.heads())
                    .containsExactly(
                            List.of(":status: 103", "link: </a>"),
                            List.of(":status: 200", "x-upper: A"),
                            List.of("grpc-status: 0"));
            assertThat(trailed.text()).isEqualTo("abc");
            hop.origin().answer(TestOrigin.raw("HTTP/1.1 204 No Content\r\n\r\n"));
            RawHttp2Client.Answer none = agent.answer(agent.get(head("GET", "/v1/x")));
            assertThat(none.heads()).containsExactly(List.of(":status: 204"));
            hop.origin().answer(TestOrigin.raw("HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\nETag: x\r\n\r\n"));
            assertThat(agent.answer(agent.get(head("GET", "/v1/x"))).heads())
                    .containsExactly(List.of(":status: 304", "content-length: 9", "etag: x"));
            hop.origin().answer(TestOrigin.raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"));
            RawHttp2Client.Answer headOnly = agent.answer(agent.get(head("HEAD", "/v1/x")));
            assertThat(headOnly.heads()).containsExactly(List.of(":status: 200", "content-length: 9"));
            assertThat(headOnly.content()).isEmpty();
            hop.origin().answer((request, out) -> {
                write(out, "HTTP/1.0 200 OK\r\n\r\nuntil the end");
                throw new IOException("close");
            });
            assertThat(agent.answer(agent.get(head("GET", "/v1/x"))).text()).isEqualTo("until the end");
            hop.origin().answer(TestOrigin.ok(""));
            assertThat(agent.answer(agent.get(head("GET", "/v1/x"))).ended()).isTrue();
        }
    }

    /** RW-55. */
    @Test
    void an_event_is_seen_when_it_is_sent() throws Exception {
        CountDownLatch seen = new CountDownLatch(1);
        hop.origin().answer((request, out) -> {
            write(out, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
            write(out, "9\r\ndata: 1\n\n\r\n");
            try {
                assertThat(seen.await(10, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            write(out, "9\r\ndata: 2\n\n\r\n0\r\n\r\n");
        });
        try (RawHttp2Client agent = hop.http2("blob.up.test", hop.token("blob"))) {
            int stream = agent.get(lines("GET", "https", hop.host("blob.up.test"), "/events"));
            agent.await(frame -> frame.type() == 0 && frame.stream() == stream);
            assertThat(agent.soFar(stream).text()).isEqualTo("data: 1\n\n");
            seen.countDown();
            assertThat(agent.answer(stream).text()).isEqualTo("data: 1\n\ndata: 2\n\n");
        }
    }

    /** What runs too long is not finished, but each stream that was never looked at may be asked again elsewhere. */
    @Test
    void a_broker_that_stops_says_so_on_every_connection() {
        TestHop other = TestHop.start();
        endless(other);
        try (RawHttp2Client agent =
                other.http2("api.up.test", other.token("read")).keepingWindows()) {
            int stream = agent.get(lines("GET", "https", other.host("api.up.test"), "/v1/x"));
            agent.head(stream);
            other.close();
            List<Http2Frame> frames = agent.rest();
            assertThat(frames).anyMatch(frame -> frame.type() == GOAWAY && frame.code() == NO_ERROR);
            assertThat(agent.soFar(stream).ended()).isFalse();
        }
    }
}

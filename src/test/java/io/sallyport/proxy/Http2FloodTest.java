package io.sallyport.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.Http2Case;
import io.sallyport.testing.Http2Frame;
import io.sallyport.testing.Http2Origin;
import io.sallyport.testing.RawClient;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Destinations that send what costs work and answers nothing: their connection ends, and the hop serves others as before. */
class Http2FloodTest extends Http2Case {

    private static final int MANY = 200_000;

    /** One frame of a flood. */
    @FunctionalInterface
    interface Flood {
        void send(Http2Origin.Exchange request, int number) throws IOException, InterruptedException;
    }

    static Stream<Map.Entry<String, Flood>> floods() {
        return Map.<String, Flood>ofEntries(
                Map.entry("SETTINGS", (to, i) -> to.frame(Http2Frame.SETTINGS, 0, 0, new byte[0])),
                Map.entry("PING", (to, i) -> to.frame(Http2Frame.PING, 0, 0, new byte[8])),
                Map.entry("WINDOW_UPDATE", (to, i) -> to.credit(1)),
                Map.entry(
                        "WINDOW_UPDATE of all",
                        (to, i) -> to.frame(Http2Frame.WINDOW_UPDATE, 0, 0, new byte[] {0, 0, 0, 1})),
                Map.entry(
                        "PRIORITY",
                        (to, i) -> to.frame(Http2Frame.PRIORITY, 0, to.stream(), new byte[] {0, 0, 0, 0, 1})),
                Map.entry("unknown", (to, i) -> to.frame(0xfa, 0, to.stream(), new byte[9])),
                Map.entry("ORIGIN", (to, i) -> to.frame(0xc, 0, 0, new byte[9])),
                Map.entry("empty DATA", (to, i) -> {
                    if (i == 0) {
                        to.head(false, ":status", "200");
                    }
                    to.frame(Http2Frame.DATA, 0, to.stream(), new byte[0]);
                }),
                Map.entry("103", (to, i) -> to.head(false, ":status", "103")),
                Map.entry(
                        "CONTINUATION",
                        (to, i) -> to.frame(
                                i == 0 ? Http2Frame.HEADERS : Http2Frame.CONTINUATION, 0, to.stream(), new byte[] {
                                    0, 1, 'a', 1, 'b'
                                })),
                Map.entry(
                        "large head",
                        (to, i) -> to.frame(
                                i == 0 ? Http2Frame.HEADERS : Http2Frame.CONTINUATION,
                                0,
                                to.stream(),
                                new byte[16_000])),
                Map.entry(
                        "PUSH_PROMISE",
                        (to, i) -> to.frame(
                                Http2Frame.PUSH_PROMISE, 4, to.stream(), new byte[] {0, 0, 0, 2, (byte) 0x88})),
                Map.entry(
                        "RST_STREAM",
                        (to, i) -> to.frame(Http2Frame.RST_STREAM, 0, to.stream(), new byte[] {0, 0, 0, 8})),
                Map.entry("DATA beyond the window", (to, i) -> {
                    if (i == 0) {
                        to.head(false, ":status", "200");
                    }
                    to.frame(Http2Frame.DATA, 0, to.stream(), new byte[16_384]);
                }))
                .entrySet()
                .stream();
    }

    @ParameterizedTest
    @MethodSource("floods")
    void is_ended(Map.Entry<String, Flood> flood) throws Exception {
        origin().answer(request -> {
            for (int i = 0; i < MANY; i++) {
                flood.getValue().send(request, i);
            }
        });
        RawClient agent = agent("bare.up.test");
        agent.send(to("bare.up.test", "GET /", "Connection: close"));

        String all = agent.rest();

        assertThat(all).doesNotContain("\r\n0\r\n");
        Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .until(() -> origin().ended() > 0
                        || !origin().frames(Http2Frame.RST_STREAM).isEmpty());
        origin().answer(Http2Origin.ok("hello"));
        hangUp();
        assertThat(agent("bare.up.test")
                        .send(to("bare.up.test", "GET /"))
                        .read()
                        .text())
                .isEqualTo("hello");
    }

    static Stream<Map.Entry<String, Flood>> lateFloods() {
        return Stream.of(
                Map.entry("WINDOW_UPDATE", (to, i) -> to.credit(1)),
                Map.entry("RST_STREAM", (to, i) -> to.reset(8)),
                Map.entry("GOAWAY", (to, i) -> to.goAway(to.stream(), 0, "")),
                Map.entry(
                        "PRIORITY",
                        (to, i) -> to.frame(Http2Frame.PRIORITY, 0, to.stream(), new byte[] {0, 0, 0, 0, 1})));
    }

    /** Of frames for a stream that is over, a library's listener hears nothing. */
    @ParameterizedTest
    @MethodSource("lateFloods")
    void is_ended_where_the_answer_is_long_over(Map.Entry<String, Flood> flood) {
        CompletableFuture<String> outcome = new CompletableFuture<>();
        origin().answer(request -> {
            request.head(false, ":status", "200");
            request.data(true, "done");
            try {
                for (int i = 0; i < MANY; i++) {
                    flood.getValue().send(request, i);
                }
                outcome.complete("took them all");
            } catch (IOException gone) {
                outcome.complete("ended");
            }
        });
        RawClient agent = agent("bare.up.test");
        assertThat(agent.send(to("bare.up.test", "GET /")).read().text()).isEqualTo("done");
        assertThat(outcome).succeedsWithin(Duration.ofMinutes(1)).isEqualTo("ended");
    }

    /** What our own content makes a destination say is no flood. */
    @Test
    void room_for_much_content_in_small_steps_is_none() {
        byte[] content = new byte[8 * 1024 * 1024];
        origin().credits(false);
        origin().answer(request -> {
            for (byte[] piece = request.next(); piece != null; piece = request.next()) {
                for (int left = piece.length; left > 0; left -= 4_096) {
                    int step = Math.min(left, 4_096);
                    request.credit(step);
                    request.frame(
                            Http2Frame.WINDOW_UPDATE,
                            0,
                            0,
                            ByteBuffer.allocate(4).putInt(step).array());
                }
            }
            request.head(false, ":status", "200");
            request.data(true, "took it");
        });
        RawClient agent = agent("bare.up.test");
        agent.send(to("bare.up.test", "POST /", "Content-Length: " + content.length))
                .send(content);
        assertThat(agent.read().text()).isEqualTo("took it");
    }
}

package io.sallyport.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.Http2Case;
import io.sallyport.testing.Http2Frame;
import io.sallyport.testing.Http2Origin;
import io.sallyport.testing.RawClient;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
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
}

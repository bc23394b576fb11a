package io.sallyport.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sallyport.grant.Grant;
import io.sallyport.testing.Frames;
import io.sallyport.testing.Http2Frame;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.RawHttp2Client;
import io.sallyport.testing.TestHop;
import io.sallyport.testing.TestOrigin;
import java.net.ConnectException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The broker stops: what runs may end within a bounded time, nothing new begins, and every agent is told. */
class GracefulStopTest {

    private static TestHop hop(Duration drain) {
        return TestHop.start(
                settings -> settings.with(ProxySettings.Deadlines.DEFAULT.withDrain(drain)), WebSocketCase.POLICY);
    }

    private static CompletableFuture<Void> stop(TestHop hop) {
        return CompletableFuture.runAsync(() -> hop.room(HopLifecycle.class).stop());
    }

    /** Answers {@code whole} when it is let go. */
    private static CountDownLatch slow(TestHop hop) {
        CountDownLatch go = new CountDownLatch(1);
        hop.origin().answer((request, out) -> {
            await(go);
            TestOrigin.ok("whole").to(request, out);
        });
        return go;
    }

    private static void await(CountDownLatch go) {
        try {
            if (!go.await(1, TimeUnit.MINUTES)) {
                throw new IllegalStateException("nobody let it go");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String get(TestHop hop) {
        return "GET /v1/x HTTP/1.1\r\nHost: " + hop.host("api.up.test") + "\r\n\r\n";
    }

    private static String[] lines(TestHop hop) {
        return new String[] {
            ":method", "GET", ":scheme", "https", ":authority", hop.host("api.up.test"), ":path", "/v1/x"
        };
    }

    @Test
    void a_request_that_runs_is_answered_and_its_answer_says_that_it_is_the_last() {
        try (TestHop hop = hop(Duration.ofMinutes(1))) {
            CountDownLatch go = slow(hop);
            int port = hop.port();
            try (RawClient running = hop.tunnel("api.up.test", hop.token("read"));
                    RawClient idle = hop.tunnel("api.up.test", hop.token("read"));
                    RawClient fresh = hop.connect()) {
                running.send(get(hop));
                Awaitility.await().until(() -> !hop.origin().received().isEmpty());
                CompletableFuture<Void> stopped = stop(hop);
                assertThat(idle.rest()).isEmpty();
                assertThat(fresh.rest()).isEmpty();
                assertThatThrownBy(() -> RawClient.to(port)).hasRootCauseInstanceOf(ConnectException.class);
                assertThat(stopped).isNotDone();
                go.countDown();
                RawClient.Answer answer = running.read();
                assertThat(answer.text()).isEqualTo("whole");
                assertThat(answer.field("Connection")).containsExactly("close");
                assertThat(running.rest()).isEmpty();
                assertThat(stopped).succeedsWithin(20, TimeUnit.SECONDS);
            }
            assertThat(hop.entries("outcome").getLast()).contains("\"outcome\":\"answered\"");
        }
    }

    @Test
    void streams_that_run_are_answered_behind_a_goaway() {
        try (TestHop hop = hop(Duration.ofMinutes(1))) {
            CountDownLatch go = slow(hop);
            try (RawHttp2Client running = hop.http2("api.up.test", hop.token("read"));
                    RawHttp2Client idle = hop.http2("api.up.test", hop.token("read"))) {
                int stream = running.get(lines(hop));
                Awaitility.await().until(() -> !hop.origin().received().isEmpty());
                CompletableFuture<Void> stopped = stop(hop);
                Http2Frame goAway = running.goAway();
                assertThat(goAway.code()).isZero();
                assertThat(goAway.payload()[3]).as("the last stream").isEqualTo((byte) stream);
                assertThat(idle.goAway().code()).isZero();
                go.countDown();
                assertThat(running.answer(stream).text()).isEqualTo("whole");
                assertThat(running.answer(stream).ended()).isTrue();
                assertThat(stopped).succeedsWithin(20, TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void a_tunnel_on_a_stream_in_which_nothing_runs_does_not_hold_it_up() {
        try (TestHop hop = hop(Duration.ofMinutes(1));
                RawHttp2Client agent = RawHttp2Client.over(hop.connect())) {
            int tunnel = agent.begin(
                    ":method",
                    "CONNECT",
                    ":authority",
                    hop.plainHost("plain.up.test"),
                    "proxy-authorization",
                    RawClient.basic(hop.token("plain")));
            agent.head(tunnel);
            CompletableFuture<Void> stopped = stop(hop);
            assertThat(agent.answer(tunnel).ended()).isTrue();
            assertThat(stopped).succeedsWithin(20, TimeUnit.SECONDS);
        }
    }

    @Test
    void what_does_not_end_in_time_is_broken_off_and_recorded_so() {
        try (TestHop hop = hop(Duration.ofMillis(300))) {
            hop.origin().converse((request, in, out) -> {
                out.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhalf\n\r\n".getBytes(ISO_8859_1));
                out.flush();
                in.readAllBytes();
            });
            Grant grant = hop.grant("read");
            try (RawClient agent = hop.tunnel("api.up.test", hop.token(grant))) {
                agent.send(get(hop)).head();
                agent.take();
                assertThat(stop(hop)).succeedsWithin(20, TimeUnit.SECONDS);
                assertThat(agent.rest()).doesNotContain("\r\n0\r\n");
            }
            assertThat(hop.entries("outcome").getLast())
                    .contains("\"outcome\":\"cut\"", "the broker stops", grant.id());
        }
    }

    @Test
    void a_websocket_is_told_that_the_broker_goes_away() {
        try (TestHop hop = hop(Duration.ofMillis(300))) {
            hop.origin().converse((request, in, out) -> {
                WebSocketCase.accept(request, out);
                in.readAllBytes();
            });
            try (RawClient agent = hop.tunnel("api.up.test", hop.token("socket"))) {
                agent.send(WebSocketCase.handshakeAt(hop.host("api.up.test"), "/ws/x"));
                assertThat(agent.head()).startsWith("HTTP/1.1 101");
                CompletableFuture<Void> stopped = stop(hop);
                Frames.Frame close = Frames.read(agent);
                assertThat(close.code()).isEqualTo(1001);
                assertThat(stopped).succeedsWithin(20, TimeUnit.SECONDS);
            }
        }
    }
}

package io.sallyport.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.grant.EndReason;
import io.sallyport.grant.Grant;
import io.sallyport.grant.Grants;
import io.sallyport.testing.Http2Case;
import io.sallyport.testing.Http2Frame;
import io.sallyport.testing.Http2Origin;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestHop;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Flow control in both directions, and what is left of a stream that is cut while its neighbours go on (RW-80, PX-11). */
class Http2StopTest extends Http2Case {

    private static final int CANCEL = 8;

    /** RW-26. */
    @Test
    void a_destination_that_takes_nothing_holds_up_its_own_stream_only() throws Exception {
        origin().settings(4, 1000);
        origin().credits(false);
        CountDownLatch go = new CountDownLatch(1);
        origin().answer(request -> {
            if (request.field(":path").contains("/slow")) {
                go.await();
                while (request.next() != null) {
                    request.credit(1000);
                }
            }
            Http2Origin.ok("done").to(request);
        });
        byte[] content = "x".repeat(20_000).getBytes(ISO_8859_1);
        settle();
        RawClient slow = agent("two.up.test");
        slow.send(to("two.up.test", "POST /slow", "Content-Length: 20000")).send(content);
        Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .until(() -> origin().frames(Http2Frame.DATA).size() == 1);

        assertThat(agent("two.up.test").send(to("two.up.test", "GET /")).read().text())
                .isEqualTo("done");
        go.countDown();

        assertThat(slow.read().text()).isEqualTo("done");
        assertThat(origin().received().getFirst().soFar()).isEqualTo(content);
    }

    @Test
    void what_waits_for_a_window_does_not_leave_after_a_stop_and_the_connection_goes_on() throws Exception {
        origin().settings(4, 1000);
        origin().credits(false);
        CountDownLatch reset = new CountDownLatch(1);
        origin().answer(request -> {
            if (request.field(":path").contains("/slow")) {
                while (request.next() != null) {
                    // Its window stays shut.
                }
                reset.countDown();
                // A window that opens too late.
                request.credit(100_000);
                request.frame(Http2Frame.WINDOW_UPDATE, 0, 0, new byte[] {0, 1, 0, 0});
            } else {
                Http2Origin.ok("done").to(request);
            }
        });
        settle();
        Grant grant = hop.grant("two");
        RawClient agent = hop.tunnelToHttp2("two.up.test", hop.token(grant));
        agent.send(to("two.up.test", "POST /slow", "Content-Length: 20000")).send("x".repeat(20_000));
        Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .until(() -> origin().frames(Http2Frame.DATA).size() == 1);

        List<Grant> ended = hop.room(Grants.class).endInMemory(List.of(grant), EndReason.REVOKED);
        assertThat(hop.flows().cut(ended)).isEqualTo(1);

        reset.await();
        assertThat(origin().received().getFirst().code()).isEqualTo(CANCEL);
        int connections = origin().connections();
        for (int i = 0; i < 4; i++) {
            assertThat(agent("two.up.test")
                            .send(to("two.up.test", "GET /"))
                            .read()
                            .text())
                    .isEqualTo("done");
        }
        assertThat(origin().frames(Http2Frame.DATA)).hasSize(1);
        assertThat(origin().connections()).isLessThanOrEqualTo(connections + 1);
        Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .until(() -> hop.entries("outcome").stream().anyMatch(entry -> entry.contains("\"cut\"")));
    }

    /** Bytes that a stuck socket holds would leave whenever it comes unstuck: the whole connection goes. */
    @Test
    void a_cut_stream_whose_bytes_are_in_a_socket_that_takes_no_more_ends_the_connection() throws Exception {
        origin().settings(4, 64 * 1024 * 1024);
        origin().answer(request -> {
            request.frame(Http2Frame.WINDOW_UPDATE, 0, 0, new byte[] {3, 0, 0, 0});
            // The first window is recorded with the use: the second is asked for when it is on its way as a whole.
            for (int read = 0; read < 1024 * 1024; ) {
                read += Objects.requireNonNull(request.next()).length;
            }
            origin().stall(true);
        });
        Grant grant = hop.grant("two");
        RawClient agent = hop.tunnelToHttp2("two.up.test", hop.token(grant));
        agent.send(to("two.up.test", "POST /stuck", "Content-Length: 64000000"));
        Thread.ofVirtual().start(() -> {
            byte[] piece = new byte[64 * 1024];
            try {
                for (int i = 0; i < 900; i++) {
                    agent.send(piece);
                }
            } catch (RuntimeException cut) {
                // As it should be.
            }
        });
        Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .until(() -> !hop.entries("window").isEmpty());
        AtomicLong windows = new AtomicLong(-1);
        Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .until(() -> windows.getAndSet(hop.entries("window").size())
                                == hop.entries("window").size()
                        && pause());

        hop.flows().cut(hop.room(Grants.class).endInMemory(List.of(grant), EndReason.REVOKED));
        agent.rest();
        int before = origin().frames(Http2Frame.DATA).size();
        origin().stall(false);

        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> origin().ended() > 0);
        // What the socket at this end had taken before is read; the reset drops the rest.
        long read = origin().frames(Http2Frame.DATA).stream()
                .mapToLong(frame -> frame.payload().length)
                .sum();
        assertThat(before).isGreaterThan(0);
        assertThat(read).isLessThan(windows.get() * 1024 * 1024 + 1024 * 1024);
        assertThat(origin().frames(Http2Frame.RST_STREAM)).isEmpty();
    }

    /** What the system has taken leaves, on a connection that goes on: so it is given little, whichever sockets there are. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void what_may_leave_after_a_cut_is_bounded(boolean jdk) throws Exception {
        try (TestHop other = TestHop.start(settings -> jdk ? settings.withJdkTransport() : settings, POLICY)) {
            Http2Origin there = other.http2Origin();
            there.receiveBuffer(32 * 1024);
            there.settings(4, 64 * 1024 * 1024);
            there.answer(request -> {
                request.frame(Http2Frame.WINDOW_UPDATE, 0, 0, new byte[] {3, 0, 0, 0});
                Http2Origin.ok("hello").to(request);
            });
            Grant grant = other.grant("two");
            String authority = "two.up.test:" + there.port();
            try (RawClient agent = other.tunnelToHttp2("two.up.test", other.token(grant))) {
                agent.send(text("GET /first", authority)).read();
                there.stall(true);
                byte[] content = new byte[1024 * 1024];
                agent.send(text("POST /stuck", authority, "Content-Length: " + content.length))
                        .send(content);
                Awaitility.await()
                        .atMost(Duration.ofMinutes(1))
                        .until(() -> other.entries("used").size() == 2 && pause());

                other.flows().cut(other.room(Grants.class).endInMemory(List.of(grant), EndReason.REVOKED));
                agent.rest();
                there.stall(false);

                Awaitility.await()
                        .atMost(Duration.ofMinutes(1))
                        .until(() -> there.ended() > 0
                                || !there.frames(Http2Frame.RST_STREAM).isEmpty());
                long read = there.frames(Http2Frame.DATA).stream()
                        .mapToLong(frame -> frame.payload().length)
                        .sum();
                // 320 KiB at this end (docs/reference/revocation.md), and what the other had taken before.
                assertThat(read).isLessThan(512 * 1024);
            }
        }
    }

    /** Until a destination's settings are there its window is the usual one: both loops get a connection that has them. */
    private void settle() {
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> {
            agent("two.up.test").send(to("two.up.test", "GET /")).read();
            return origin().received().stream()
                            .map(Http2Origin.Exchange::connection)
                            .distinct()
                            .count()
                    == Math.min(2, Runtime.getRuntime().availableProcessors());
        });
        origin().received().clear();
        origin().frames().clear();
    }

    private static boolean pause() {
        LockSupport.parkNanos(300_000_000);
        return true;
    }

    @Test
    void an_agent_that_leaves_cancels_its_stream_alone() {
        CountDownLatch left = new CountDownLatch(1);
        origin().answer(request -> {
            request.head(false, ":status", "200");
            if (request.field(":path").contains("/leave")) {
                request.data(false, "first");
            } else {
                left.await();
                request.data(true, "still here");
            }
        });
        RawClient staying = agent("two.up.test");
        staying.send(to("two.up.test", "GET /stay"));
        RawClient leaving = agent("two.up.test");
        leaving.send(to("two.up.test", "GET /leave"));
        leaving.head();
        leaving.close();

        Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .until(() -> !origin().frames(Http2Frame.RST_STREAM).isEmpty());
        assertThat(origin().frames(Http2Frame.RST_STREAM).getFirst().code()).isEqualTo(CANCEL);
        left.countDown();
        assertThat(staying.read().text()).isEqualTo("still here");
    }

    @Test
    void an_agent_that_takes_nothing_holds_up_its_own_answer_only_and_little_is_held_for_it() throws Exception {
        AtomicLong sent = new AtomicLong();
        origin().answer(request -> {
            request.head(false, ":status", "200");
            if (request.field(":path").contains("/big")) {
                byte[] piece = new byte[16_384];
                for (int i = 0; i < 4_000; i++) {
                    request.data(i == 3_999, piece);
                    sent.addAndGet(piece.length);
                }
            } else {
                request.data(true, "small");
            }
        });
        RawClient idle = agent("bare.up.test");
        idle.send(to("bare.up.test", "GET /big"));
        AtomicLong before = new AtomicLong(-1);
        Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .until(() -> sent.get() > 0 && before.getAndSet(sent.get()) == sent.get() && pause());
        // Sockets at both ends take some megabytes on loopback; of 64 that were on offer.
        assertThat(sent.get()).isLessThan(24L * 1024 * 1024);

        for (int i = 0; i < 4; i++) {
            assertThat(agent("bare.up.test")
                            .send(to("bare.up.test", "GET /"))
                            .read()
                            .text())
                    .isEqualTo("small");
        }
        assertThat(idle.read().content()).hasSize(4_000 * 16_384);
    }
}

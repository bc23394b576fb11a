package io.sallyport.bench.siege;

import io.sallyport.testing.RawClient;
import io.sallyport.testing.RawHttp2Client;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * So many agents, each doing to the hop what only holds on, or what comes as fast as it can. They lay it in the constructor's time and
 * go on until {@link #close}; whoever is closed on comes back.
 */
final class Siege implements AutoCloseable {

    /** Ways to mean ill. */
    enum Kind {
        /** No grant is ever shown: a CONNECT, byte by byte. */
        CONNECT_TRICKLES(500),
        /** Behind a CONNECT three bytes of a ClientHello. */
        HELLO_TRICKLES(500),
        /** Within TLS, a head byte by byte. */
        HEAD_TRICKLES(500),
        /** A body of 1,000 bytes, byte by byte. */
        BODY_TRICKLES(500),
        /** Heads of 300 kB and of 5,000 lines, one after the other. */
        HUGE_HEADS(32),
        /** Without a grant, as fast as the refusals come. */
        STRANGERS_FLOOD(32),
        /** With a grant, as fast as the answers come. */
        REQUESTS_FLOOD(32),
        /** Refused by the policy, as fast as the refusals come. */
        REFUSALS_FLOOD(32),
        /** HTTP/2 streams that are reset as soon as they are asked (CVE-2023-44487). */
        STREAMS_RESET(32);

        private final int agents;

        Kind(int agents) {
            this.agents = agents;
        }

        /** How many of these make a siege: of some a few are plenty. */
        int agents() {
            return agents;
        }
    }

    private final SiegeGround ground;
    private final Kind kind;
    private final String token;
    private final AtomicBoolean over = new AtomicBoolean();
    private final CountDownLatch laid;
    private final List<RawClient> open = new CopyOnWriteArrayList<>();

    Siege(SiegeGround ground, Kind kind, int agents) throws InterruptedException {
        this.ground = ground;
        this.kind = kind;
        this.token = ground.token();
        this.laid = new CountDownLatch(agents);
        for (int i = 0; i < agents; i++) {
            Thread.ofVirtual().start(this::again);
        }
        laid.await();
    }

    private void again() {
        AtomicBoolean counted = new AtomicBoolean();
        Runnable settled = () -> {
            if (counted.compareAndSet(false, true)) {
                laid.countDown();
            }
        };
        while (!over.get()) {
            try {
                once(settled);
            } catch (UncheckedIOException | IllegalStateException closedOn) {
                // Which was to be expected.
            }
            settled.run();
            pause(100);
        }
    }

    private void once(Runnable settled) {
        if (kind == Kind.STREAMS_RESET) {
            resets(settled);
            return;
        }
        try (RawClient agent = opened()) {
            open.add(agent);
            switch (kind) {
                case CONNECT_TRICKLES -> trickle(agent, "CONNECT api.up.test:443 HTTP/1.1\r\nX: ", settled);
                case HELLO_TRICKLES -> trickle(agent, "\u0016\u0003\u0001", settled);
                case HEAD_TRICKLES -> trickle(agent, "GET /v1/x HTTP/1.1\r\nX: ", settled);
                case BODY_TRICKLES -> {
                    agent.send(ground.head("POST /v1/slow", "Content-Length: 1000"));
                    trickle(agent, "x", settled);
                }
                case HUGE_HEADS -> {
                    agent.send("GET /v1/x HTTP/1.1\r\n" + "X: y\r\n".repeat(5000) + "Y: " + "z".repeat(300_000));
                    agent.rest();
                }
                case STRANGERS_FLOOD -> flood(agent, "GET http://api.up.test/ HTTP/1.1\r\nHost: x\r\n\r\n", settled);
                case REQUESTS_FLOOD -> flood(agent, ground.head("GET /v1/x"), settled);
                case REFUSALS_FLOOD -> flood(agent, ground.head("DELETE /v1/x"), settled);
                case STREAMS_RESET -> throw new IllegalStateException("not on a connection of HTTP/1");
            }
        }
    }

    private RawClient opened() {
        return switch (kind) {
            case CONNECT_TRICKLES, STRANGERS_FLOOD ->
                RawClient.to(ground.broker().hopPort());
            case HELLO_TRICKLES -> ground.connected(token);
            case HEAD_TRICKLES, BODY_TRICKLES, HUGE_HEADS, REQUESTS_FLOOD, REFUSALS_FLOOD, STREAMS_RESET ->
                ground.tunnel(token);
        };
    }

    /** A first piece, then one byte every five seconds. */
    private void trickle(RawClient agent, String piece, Runnable settled) {
        agent.send(piece);
        settled.run();
        for (int i = 1; !over.get(); i++) {
            pause(100);
            if (i % 50 == 0) {
                agent.send("x");
            }
        }
    }

    private void flood(RawClient agent, String request, Runnable settled) {
        settled.run();
        while (!over.get()) {
            agent.send(request).read();
        }
    }

    private void resets(Runnable settled) {
        try (RawHttp2Client agent = ground.http2(token)) {
            settled.run();
            while (!over.get()) {
                int stream = agent.get(
                        ":method", "GET", ":scheme", "https", ":authority", ground.authority(), ":path", "/v1/x");
                agent.reset(stream, 8);
            }
        }
    }

    private static void pause(int millis) {
        LockSupport.parkNanos(millis * 1_000_000L);
    }

    @Override
    public void close() {
        over.set(true);
        open.forEach(RawClient::close);
    }
}

package io.sallyport.proxy.wire;

import io.netty.channel.ChannelHandlerContext;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Time on one HTTP/2 connection. A frame, or a head with all its continuations, has so long to arrive as a head has in HTTP/1; a stream on
 * which nothing moves, and a connection without streams, end after the same idle time, and an answer that is over has to be taken sooner. A
 * PING every few seconds is no sign of life.
 */
final class ConnectionWatch {

    private final Hop hop;
    private final Http2AgentHandler connection;
    private final long frameLimit;
    private final long idleLimit;
    private final long stallLimit;
    private @Nullable ChannelHandlerContext context;
    private boolean waiting;
    private boolean armed;
    private long frameSince;
    private long lastStream;

    ConnectionWatch(Hop hop, Http2AgentHandler connection) {
        this.hop = hop;
        this.connection = connection;
        this.frameLimit = hop.settings().deadlines().requestHead().toNanos();
        this.idleLimit = hop.settings().deadlines().idle().toNanos();
        this.stallLimit = hop.settings().deadlines().stall().toNanos();
    }

    /** The preface and the first SETTINGS are waited for like a head. */
    void begin(ChannelHandlerContext ctx) {
        context = ctx;
        lastStream = hop.nanos();
        frameBegan();
        look();
    }

    /**
     * What could be read just now has been read.
     *
     * @param seen whether a frame became whole
     * @param partial whether bytes are left that belong to the next one
     */
    void read(boolean seen, boolean partial) {
        // Bytes that made no frame whole are a part of one, also where the library has them already.
        boolean within = partial || !seen;
        if (within && (seen || !waiting)) {
            frameBegan();
        }
        waiting = within;
    }

    void streamClosed() {
        lastStream = hop.nanos();
    }

    private void frameBegan() {
        waiting = true;
        frameSince = hop.nanos();
        if (!armed && context != null) {
            armed = true;
            schedule(this::lookAtFrame, frameLimit);
        }
    }

    private void lookAtFrame() {
        armed = false;
        long left = frameLimit - (hop.nanos() - frameSince);
        if (waiting && left <= 0 && context != null) {
            context.close();
        } else if (waiting) {
            armed = true;
            schedule(this::lookAtFrame, left);
        }
    }

    private void look() {
        schedule(
                () -> {
                    long before = hop.nanos() - idleLimit;
                    if (connection.stallOlderThan(before, hop.nanos() - stallLimit) == 0 && lastStream - before <= 0) {
                        connection.retire();
                    } else {
                        look();
                    }
                },
                Math.max(Math.min(idleLimit, stallLimit) / 4, TimeUnit.SECONDS.toNanos(1) / 4));
    }

    private void schedule(Runnable task, long nanos) {
        ChannelHandlerContext ctx = context;
        if (ctx != null) {
            ctx.executor()
                    .schedule(
                            () -> {
                                if (ctx.channel().isActive()) {
                                    task.run();
                                }
                            },
                            nanos,
                            TimeUnit.NANOSECONDS);
        }
    }
}

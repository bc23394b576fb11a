package io.sallyport.proxy.wire;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How many frames without payload an agent may send on one WebSocket. What they say, they say by their number and their types: that is in no
 * hash and is charged to nobody, so it must not be much.
 */
final class EmptyFrames {

    /** A ping, or the pong to one, every tenth of a second. */
    static final int MOST = 600;

    private static final Duration TIME = Duration.ofMinutes(1);

    private final LongSupplier nanos;
    private long since;
    private int came;

    /** @param nanos monotonic */
    EmptyFrames(LongSupplier nanos) {
        this.nanos = nanos;
        this.since = nanos.getAsLong();
    }

    /** One more came. @return false where it is more than may come in this time */
    boolean another() {
        came++;
        if (came > MOST) {
            long now = nanos.getAsLong();
            if (now - since > TIME.toNanos()) {
                since = now;
                came = 1;
            }
        }
        return came <= MOST;
    }
}

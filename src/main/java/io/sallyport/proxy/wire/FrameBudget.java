package io.sallyport.proxy.wire;

import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * What one HTTP/2 connection may cost in frames that carry no request and no content: each makes us work, and some make us answer, for nine
 * bytes of the peer's (CVE-2019-9512 and its kin). Content that goes out pays for the frames that acknowledge it.
 */
final class FrameBudget {

    /** WINDOW_UPDATE for stream and connection, and a PING that measures the path, for each piece of this size. */
    private static final int PIECE = 4 * 1024;

    private static final int FRAMES_A_PIECE = 3;

    private final int frames;
    private final Duration time;
    private final LongSupplier nanos;
    private long since;
    private long spent;
    private long earned;

    /** @param frames at least 1, in each stretch of this time @param nanos monotonic */
    FrameBudget(int frames, Duration time, LongSupplier nanos) {
        this.frames = frames;
        this.time = time;
        this.nanos = nanos;
        this.since = nanos.getAsLong();
    }

    void earn(int bytes) {
        earned += FRAMES_A_PIECE * (1L + bytes / PIECE);
    }

    /** @throws Http2Exception which ends the connection, when this is more than it may */
    void spend(int more) throws Http2Exception {
        spent += more;
        if (spent <= frames) {
            return;
        }
        long now = nanos.getAsLong();
        if (now - since > time.toNanos()) {
            since = now;
            spent = more;
            earned = 0;
        } else if (spent > frames + earned) {
            throw Http2Exception.connectionError(
                    Http2Error.ENHANCE_YOUR_CALM, "more than %d such frames in %d s", frames, time.toSeconds());
        }
    }
}

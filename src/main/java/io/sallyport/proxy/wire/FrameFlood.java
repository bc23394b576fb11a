package io.sallyport.proxy.wire;

import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;

/**
 * Counts the frames of one connection that cost us work and carry no answer: SETTINGS, PING, RST_STREAM, PRIORITY and whatever is unknown.
 * A destination that sends many of them is broken or hostile either way.
 */
final class FrameFlood {

    /** Frames between two sweeps of the pool, which are 5 s apart. Some servers ping with every answer, to measure the path. */
    static final int LIMIT = 2_000;

    private int count;

    /** @throws Http2Exception for one too many, which ends the connection */
    void another() throws Http2Exception {
        if (++count > LIMIT) {
            throw Http2Exception.connectionError(
                    Http2Error.ENHANCE_YOUR_CALM, "more than %d control frames in 5 s", LIMIT);
        }
    }

    void sweep() {
        count = 0;
    }
}

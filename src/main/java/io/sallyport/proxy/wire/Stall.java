package io.sallyport.proxy.wire;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A peer that leaves no room for more of what is meant for it. It costs a fixed buffer, and not for ever. */
final class Stall {

    private final EventLoop loop;
    private final Duration most;
    private final Runnable tooLong;
    private @Nullable ScheduledFuture<?> alarm;

    Stall(EventLoop loop, Duration most, Runnable tooLong) {
        this.loop = loop;
        this.most = most;
        this.tooLong = tooLong;
    }

    /** There is no room. Said again, it does not begin anew. */
    void begins() {
        if (alarm == null) {
            alarm = loop.schedule(tooLong, most.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    void ends() {
        if (alarm != null) {
            alarm.cancel(false);
            alarm = null;
        }
    }
}

package io.sallyport.proxy.wire;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How fast a content of known length comes in: a peer that has said how much it will send and then hardly sends anything holds a place
 * that others could have. Only the time counts in which the hop waits for the peer, not the time in which it waits for the ledger or the
 * destination. Content without a length may be a stream that is silent for its own good reasons, and is not watched.
 */
final class BodyPace {

    /**
     * @param idle without a byte, at most; and the time after which the rate counts
     * @param rate bytes a second, on average over all the time of waiting
     */
    record Rule(Duration idle, long rate) {}

    private final EventLoop loop;
    private final LongSupplier clock;
    private final Rule rule;
    private final Runnable tooSlow;
    private @Nullable ScheduledFuture<?> alarm;
    private boolean waiting;
    private long waitingSince;
    private long waited;
    private long bytes;

    BodyPace(EventLoop loop, LongSupplier clock, Rule rule, Runnable tooSlow) {
        this.loop = loop;
        this.clock = clock;
        this.rule = rule;
        this.tooSlow = tooSlow;
    }

    void arrived(int length) {
        bytes += length;
        stopWaiting();
    }

    /** All that was here was taken, and there is room for more. */
    void waits() {
        if (!waiting) {
            waiting = true;
            waitingSince = clock.getAsLong();
            if (alarm == null) {
                arm();
            }
        }
    }

    /** No room for more: what the peer does meanwhile is not its fault. */
    void stopWaiting() {
        if (waiting) {
            waiting = false;
            waited += clock.getAsLong() - waitingSince;
        }
    }

    void end() {
        waiting = false;
        if (alarm != null) {
            alarm.cancel(false);
            alarm = null;
        }
    }

    private void arm() {
        alarm = loop.schedule(this::look, Math.max(1, rule.idle().toMillis() / 2), TimeUnit.MILLISECONDS);
    }

    private void look() {
        alarm = null;
        long silent = waiting ? clock.getAsLong() - waitingSince : 0;
        double seconds = (waited + silent) / 1e9;
        boolean slow = seconds > rule.idle().toNanos() / 1e9 && bytes < rule.rate() * seconds;
        if (silent > rule.idle().toNanos() || slow) {
            tooSlow.run();
        } else {
            arm();
        }
    }
}

package io.sallyport.exchange;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A rate with a burst, in one number (the generic cell rate algorithm): the time at which everything admitted so far would have been spread
 * out evenly.
 */
final class Spread {

    private final AtomicLong spreadUntil;
    private final long interval;
    private final long tolerance;

    /** @param burst how many pass at once; @param perSecond how many afterwards; @param now monotonic nanoseconds */
    Spread(int burst, int perSecond, long now) {
        this.interval = Duration.ofSeconds(1).toNanos() / perSecond;
        this.tolerance = interval * burst;
        this.spreadUntil = new AtomicLong(now);
    }

    /** @return zero when this one passes, else how long until one would */
    Duration take(long now) {
        while (true) {
            long until = spreadUntil.get();
            long next = (until - now > 0 ? until : now) + interval;
            long over = next - now - tolerance;
            if (over > 0) {
                return Duration.ofNanos(over);
            }
            if (spreadUntil.compareAndSet(until, next)) {
                return Duration.ZERO;
            }
        }
    }
}

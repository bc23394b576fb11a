package io.sallyport.grant;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Wall clock and monotonic clock, of which the earlier counts: a wall clock that is set back must not lengthen a grant, and a machine that
 * slept (where the monotonic clock may stand still) must not either. The same goes for the life of a secret.
 */
public record TwoClocks(Clock clock, LongSupplier nanos) {

    private static final Duration LONGEST = Duration.ofDays(36_525);

    /** @param wallMillis since 1970; @param nanos on the monotonic clock */
    public record Deadline(long wallMillis, long nanos) {}

    public Deadline deadline(Instant at) {
        long wall = at.toEpochMilli();
        long left = Math.max(0, wall - clock.millis());
        // Beyond a hundred years the sum would overflow, and then the deadline would lie in the past.
        return new Deadline(
                wall, nanos.getAsLong() + TimeUnit.MILLISECONDS.toNanos(Math.min(left, 3_155_760_000_000L)));
    }

    public boolean passed(Deadline deadline) {
        return clock.millis() >= deadline.wallMillis() || nanos.getAsLong() - deadline.nanos() >= 0;
    }

    /** Some time from now; at most a hundred years. */
    public Deadline after(Duration time) {
        return deadline(clock.instant().plus(time.compareTo(LONGEST) < 0 ? time : LONGEST));
    }
}

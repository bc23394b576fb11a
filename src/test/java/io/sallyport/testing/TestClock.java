package io.sallyport.testing;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;

/** The real clock, which a test can put forward: for what also has to agree with certificates made by the real one. */
public final class TestClock extends Clock {

    private final Clock real = Clock.systemUTC();
    private volatile Duration ahead = Duration.ZERO;

    public void pass(Duration time) {
        ahead = ahead.plus(time);
    }

    /** The monotonic clock that goes with it. */
    public long nanos() {
        return System.nanoTime() + ahead.toNanos();
    }

    @Override
    public Instant instant() {
        return real.instant().plus(ahead);
    }

    @Override
    public ZoneId getZone() {
        return real.getZone();
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}

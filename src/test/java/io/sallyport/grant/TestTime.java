package io.sallyport.grant;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** Both clocks, moved by hand, together or apart. */
public final class TestTime extends Clock {

    public static final Instant START = Instant.parse("2026-11-30T12:00:00Z");

    private volatile Instant now = START;
    private volatile long nanos = 5_000_000_000L;

    public void pass(Duration time) {
        passOnWallOnly(time);
        passOnMonotonicOnly(time);
    }

    public void passOnWallOnly(Duration time) {
        now = now.plus(time);
    }

    public void passOnMonotonicOnly(Duration time) {
        nanos += time.toNanos();
    }

    public long nanos() {
        return nanos;
    }

    @Override
    public Instant instant() {
        return now;
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}

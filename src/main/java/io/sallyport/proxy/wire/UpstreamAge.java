package io.sallyport.proxy.wire;

import java.time.Duration;
import java.util.function.LongSupplier;

/** How long one HTTP/2 connection to a destination has stood, been silent, and served nobody: looked at with each sweep of the pool. */
final class UpstreamAge implements LongSupplier {

    /** After this it takes no more requests, so that a destination that moves is found where it is. */
    private static final Duration LIFETIME = Duration.ofHours(1);

    /** Silence while somebody waits, after which the destination is asked for a sign of life. gRPC servers cut whoever asks more often. */
    private static final Duration SILENCE = Duration.ofMinutes(6);

    /** How long it may take to give one. */
    private static final Duration SIGN_OF_LIFE = Duration.ofSeconds(20);

    /** What is due. */
    enum Due {
        NOTHING,
        SIGN_OF_LIFE,
        END_OF_PATIENCE,
        RETIREMENT
    }

    private boolean heard;
    private long now;
    private long bornAt;
    private long heardAt;
    private long idleAt;
    private long askedAt;

    /** Something came. */
    void heard() {
        heard = true;
    }

    /** Monotonic nanoseconds of the last sweep; 0 before the first. */
    @Override
    public long getAsLong() {
        return now;
    }

    /**
     * @param at monotonic nanoseconds
     * @param used whether a request runs on it
     * @param idle how long it is kept for none
     */
    Due swept(long at, boolean used, Duration idle) {
        now = at;
        if (bornAt == 0 || heard) {
            bornAt = bornAt == 0 ? now : bornAt;
            heardAt = now;
            askedAt = 0;
            heard = false;
        }
        idleAt = used ? 0 : idleAt == 0 ? now : idleAt;
        if (used && askedAt != 0 && now - askedAt > SIGN_OF_LIFE.toNanos()) {
            return Due.END_OF_PATIENCE;
        }
        if (now - bornAt > LIFETIME.toNanos() || (idleAt != 0 && now - idleAt > idle.toNanos())) {
            return Due.RETIREMENT;
        }
        if (used && askedAt == 0 && now - heardAt > SILENCE.toNanos()) {
            askedAt = now;
            return Due.SIGN_OF_LIFE;
        }
        return Due.NOTHING;
    }
}

package io.sallyport.admin;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * Five wrong tokens from one address, and that address waits a minute. The token can't be guessed in any case; this keeps the attempt from
 * costing anything, and makes it show. Addresses are kept for a while only, and only so many of them.
 */
final class SignInThrottle {

    static final int TRIES = 5;
    static final Duration WAIT = Duration.ofMinutes(1);

    private record Tries(int wrong, Instant last) {}

    private final Clock clock;
    private final Cache<String, Tries> byAddress =
            Caffeine.newBuilder().maximumSize(10_000).build();

    SignInThrottle(Clock clock) {
        this.clock = clock;
    }

    boolean mayTry(String address) {
        Tries tries = byAddress.getIfPresent(address);
        return tries == null || tries.wrong() < TRIES || isOver(tries);
    }

    void wrong(String address) {
        byAddress
                .asMap()
                .merge(
                        address,
                        new Tries(1, clock.instant()),
                        (old, one) -> isOver(old) ? one : new Tries(old.wrong() + 1, one.last()));
    }

    void right(String address) {
        byAddress.invalidate(address);
    }

    private boolean isOver(Tries tries) {
        return clock.instant().isAfter(tries.last().plus(WAIT));
    }
}

package io.sallyport.proxy;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.net.InetAddress;
import java.util.function.LongSupplier;

/**
 * Counts requests without a live grant by source address, so that guessing is slow and cheap for us. A live token is never held up by
 * it: clients behind one address do not pay for a neighbour, and a client that asks before it is challenged is not locked out.
 */
final class FailedTries {

    /** A burst this large is let through: some clients repeat a CONNECT several times before they answer a challenge. */
    private static final double BURST = 200;

    private static final double PER_SECOND = 50;

    private final LongSupplier nanos;
    private final Cache<InetAddress, Bucket> sources =
            Caffeine.newBuilder().maximumSize(10_000).build();

    FailedTries(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** @return false when this source fails faster than it may */
    boolean another(InetAddress source) {
        return sources.get(source, address -> new Bucket(BURST, nanos.getAsLong()))
                .take(nanos.getAsLong());
    }

    private static final class Bucket {
        private double left;
        private long at;

        Bucket(double left, long at) {
            this.left = left;
            this.at = at;
        }

        synchronized boolean take(long now) {
            left = Math.min(BURST, left + (now - at) / 1e9 * PER_SECOND);
            at = now;
            if (left < 1) {
                return false;
            }
            left -= 1;
            return true;
        }
    }
}

package io.sallyport.proxy;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.net.InetAddress;
import java.util.function.LongSupplier;

/** How often somebody may do what costs us and leads nowhere: a burst, and then an even rate. Only so many are remembered. */
final class Allowance<K> {

    private static final int MOST_REMEMBERED = 10_000;

    private final double burst;
    private final double perSecond;
    private final LongSupplier nanos;
    private final Cache<K, Bucket> buckets =
            Caffeine.newBuilder().maximumSize(MOST_REMEMBERED).build();

    private Allowance(double burst, double perSecond, LongSupplier nanos) {
        this.burst = burst;
        this.perSecond = perSecond;
        this.nanos = nanos;
    }

    /**
     * Requests without a live grant by source address, so that guessing is slow and cheap for us. A burst of 200 is let through: some
     * clients repeat a CONNECT several times before they answer a challenge. A live token is never held up by it: clients behind one
     * address do not pay for a neighbour, and a client that asks before it is challenged is not locked out.
     */
    static Allowance<InetAddress> ofStrangers(LongSupplier nanos) {
        return new Allowance<>(200, 50, nanos);
    }

    /** Entries of refusals by task: no budget counts them, and a disk that is full of them would stop everybody. */
    static Allowance<String> ofRefusals(LongSupplier nanos) {
        return new Allowance<>(500, 20, nanos);
    }

    /**
     * Connections of one task that end because they flood: somebody whose third one did waits a minute for each further one. Without it the
     * budget of a connection would be a task's for the price of another handshake.
     */
    static Allowance<String> ofFloods(LongSupplier nanos) {
        return new Allowance<>(3, 1 / 60.0, nanos);
    }

    /** Whether one more would be let through now. */
    boolean has(K who) {
        Bucket known = buckets.getIfPresent(who);
        return known == null || known.has(nanos.getAsLong());
    }

    /** @return false when this one comes faster than it may */
    boolean take(K who) {
        return buckets.get(who, key -> new Bucket(nanos.getAsLong())).take(nanos.getAsLong());
    }

    private final class Bucket {
        private double left = burst;
        private long at;

        Bucket(long at) {
            this.at = at;
        }

        synchronized boolean has(long now) {
            left = Math.min(burst, left + (now - at) / 1e9 * perSecond);
            at = now;
            return left >= 1;
        }

        synchronized boolean take(long now) {
            boolean has = has(now);
            left -= has ? 1 : 0;
            return has;
        }
    }
}

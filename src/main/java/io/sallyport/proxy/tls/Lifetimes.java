package io.sallyport.proxy.tls;

import java.time.Duration;

/**
 * How long certificates live.
 *
 * @param authority of the root, from the moment when it is made
 * @param leaf of a leaf, from the moment when it is minted; with {@link #BACKDATED} below the 398 days that strict clients accept
 */
public record Lifetimes(Duration authority, Duration leaf) {

    /** How far back a leaf begins: a sandbox whose clock lags a day still accepts it. */
    static final Duration BACKDATED = Duration.ofHours(24);

    private static final Duration LONGEST_LEAF = Duration.ofDays(397);

    /** Ten years and thirty days. */
    public static final Lifetimes USUAL = new Lifetimes(Duration.ofDays(3652), Duration.ofDays(30));

    public Lifetimes {
        if (!authority.isPositive() || !leaf.isPositive()) {
            throw new IllegalArgumentException("a certificate's life is positive: " + authority + ", " + leaf);
        }
        if (leaf.plus(BACKDATED).compareTo(LONGEST_LEAF) > 0) {
            throw new IllegalArgumentException(
                    "a leaf lives at most 396 days, because clients refuse 398 and more: " + leaf);
        }
    }
}

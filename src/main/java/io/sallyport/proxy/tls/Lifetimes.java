package io.sallyport.proxy.tls;

import java.time.Duration;

/**
 * How long certificates live, each from the moment when it is made. All begin earlier, for sandboxes whose clock lags.
 *
 * @param authority of a root
 * @param intermediate of what a root signs; with {@link #INTERMEDIATE_BACKDATED} at most seven days
 * @param leaf of a leaf, where its issuer lives longer; with {@link #BACKDATED} below the 398 days that strict clients accept
 */
public record Lifetimes(Duration authority, Duration intermediate, Duration leaf) {

    /** How far back a leaf begins: a sandbox whose clock lags a day still accepts it. */
    static final Duration BACKDATED = Duration.ofHours(24);

    /** An hour more than a leaf's: whoever accepts a leaf is to accept what signed it. */
    static final Duration INTERMEDIATE_BACKDATED = Duration.ofHours(25);

    /** A root begins before all that it can sign. */
    static final Duration AUTHORITY_BACKDATED = Duration.ofHours(48);

    private static final Duration LONGEST_INTERMEDIATE = Duration.ofDays(7);
    private static final Duration LONGEST_LEAF = Duration.ofDays(397);

    /** Ten years, seven days with the hours back, and thirty days. */
    public static final Lifetimes USUAL = new Lifetimes(
            Duration.ofDays(3652), LONGEST_INTERMEDIATE.minus(INTERMEDIATE_BACKDATED), Duration.ofDays(30));

    public Lifetimes {
        if (!authority.isPositive() || !intermediate.isPositive() || !leaf.isPositive()) {
            throw new IllegalArgumentException(
                    "a certificate's life is positive: " + authority + ", " + intermediate + ", " + leaf);
        }
        if (intermediate.plus(INTERMEDIATE_BACKDATED).compareTo(LONGEST_INTERMEDIATE) > 0) {
            throw new IllegalArgumentException(
                    "an intermediate lives at most 7 days, of which 25 hours are back: " + intermediate);
        }
        if (leaf.plus(BACKDATED).compareTo(LONGEST_LEAF) > 0) {
            throw new IllegalArgumentException(
                    "a leaf lives at most 396 days, because clients refuse 398 and more: " + leaf);
        }
    }
}

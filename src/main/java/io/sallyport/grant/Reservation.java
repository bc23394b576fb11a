package io.sallyport.grant;

import java.time.Duration;

/** The answer to a {@link Charge}. */
public sealed interface Reservation {

    /**
     * Reserved; what is given back is exactly this.
     *
     * @param day the UTC day it was charged to, in days since 1970-01-01
     */
    record Reserved(Charge charge, long day) implements Reservation {}

    /** A limit that time restores: 429. @param limit as in {@code rate} */
    record TooSoon(String limit, Duration retryAfter) implements Reservation {}

    /**
     * A limit that is spent: 403.
     *
     * @param limit as in {@code uses}, {@code bytes-out}, {@code day.uses}, {@code day.bytes-out}
     * @param left what a smaller charge could still take of it; never negative
     */
    record Spent(String limit, long left) implements Reservation {}

    /** The grant ended while the request was on its way. */
    record Ended(String cause) implements Reservation {}
}

package io.sallyport.grant;

import java.time.Duration;

/** The answer to a {@link Charge}. */
public sealed interface Reservation {

    record Reserved() implements Reservation {}

    /** A limit that time restores: 429. */
    record TooSoon(String limit, Duration retryAfter) implements Reservation {}

    /** A limit that is spent: 403. @param limit as in {@code uses}, {@code bytes-out}, {@code day.uses} */
    record Spent(String limit) implements Reservation {}

    /** The grant ended while the request was on its way. */
    record Ended(String cause) implements Reservation {}
}

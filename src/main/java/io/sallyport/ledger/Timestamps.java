package io.sallyport.ledger;

import java.time.LocalDateTime;
import java.time.ZoneOffset;

/** RFC 3339 times with six digits and {@code Z}. Keeps the second that it wrote last, since most entries share theirs. For one thread. */
final class Timestamps {

    private static final long MICROS = 1_000_000L;

    private long second = Long.MIN_VALUE;
    private String text = "";

    String text(long micros) {
        long at = Math.floorDiv(micros, MICROS);
        if (at != second) {
            // LocalDateTime leaves out seconds that are zero; the nanosecond keeps them, and is cut off again.
            text = LocalDateTime.ofEpochSecond(at, 1, ZoneOffset.UTC).toString().substring(0, 20);
            second = at;
        }
        String fraction = Long.toString(Math.floorMod(micros, MICROS) + MICROS);
        return text + fraction.substring(1) + "Z";
    }
}

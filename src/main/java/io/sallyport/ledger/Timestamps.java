package io.sallyport.ledger;

import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/** RFC 3339 times with six digits and {@code Z}. Keeps the second that it wrote last, since most entries share theirs. For one thread. */
final class Timestamps {

    private static final long MICROS = 1_000_000L;

    private long second = Long.MIN_VALUE;

    /** The text that was written last: up to the dot it is that of its second. */
    private byte[] text = {};

    String text(long micros) {
        long at = Math.floorDiv(micros, MICROS);
        if (at != second) {
            // LocalDateTime leaves out seconds that are zero; the nanosecond keeps them, and is cut off again.
            text = LocalDateTime.ofEpochSecond(at, 1, ZoneOffset.UTC)
                    .toString()
                    .substring(0, 20)
                    .concat("000000Z")
                    .getBytes(StandardCharsets.ISO_8859_1);
            second = at;
        }
        int fraction = (int) Math.floorMod(micros, MICROS);
        int last = text.length - 2;
        for (int digit = last; digit > last - 6; digit--) {
            text[digit] = (byte) ('0' + fraction % 10);
            fraction /= 10;
        }
        return new String(text, StandardCharsets.ISO_8859_1);
    }
}

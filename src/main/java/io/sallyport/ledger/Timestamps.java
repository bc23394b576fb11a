package io.sallyport.ledger;

import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;

/** RFC 3339 times with six digits and {@code Z}. Keeps the second that it wrote last, since most entries share theirs. For one thread. */
final class Timestamps {

    private static final long MICROS = 1_000_000L;

    private long second = Long.MIN_VALUE;
    private byte[] prefix = {};

    String text(long micros) {
        long at = Math.floorDiv(micros, MICROS);
        if (at != second) {
            // LocalDateTime leaves out seconds that are zero; the nanosecond keeps them, and is cut off again.
            String text = LocalDateTime.ofEpochSecond(at, 1, ZoneOffset.UTC)
                    .toString()
                    .substring(0, 20);
            prefix = text.getBytes(StandardCharsets.ISO_8859_1);
            second = at;
        }
        int fraction = (int) Math.floorMod(micros, MICROS);
        byte[] all = Arrays.copyOf(prefix, prefix.length + 7);
        for (int digit = all.length - 2; digit >= prefix.length; digit--) {
            all[digit] = (byte) ('0' + fraction % 10);
            fraction /= 10;
        }
        all[all.length - 1] = 'Z';
        return new String(all, StandardCharsets.ISO_8859_1);
    }
}

package io.sallyport.document;

import java.time.Duration;

/**
 * So many in so long, as in {@code 10/min}.
 *
 * @param count at least 1
 * @param per a second, a minute or an hour
 */
public record Rate(int count, Duration per) {

    public Rate {
        if (count < 1 || per.isNegative() || per.isZero()) {
            throw new IllegalArgumentException("a rate is at least 1 in a positive time: " + count + "/" + per);
        }
    }
}

package io.sallyport.document;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers with units, as documents and {@code authorization_details} write them: {@code 15min}, {@code 20MiB}, {@code 10/min}. */
public final class Quantities {

    /** Nine digits: any unit of them still fits a long and an {@code Instant}. */
    private static final Pattern QUANTITY = Pattern.compile("(0|[1-9][0-9]{0,8})(/?[A-Za-z]+)");

    private static final Map<String, Duration> TIMES = Map.of(
            "ms", Duration.ofMillis(1),
            "s", Duration.ofSeconds(1),
            "min", Duration.ofMinutes(1),
            "h", Duration.ofHours(1),
            "d", Duration.ofDays(1));
    private static final Map<String, Long> SIZES = Map.of("KiB", 1L << 10, "MiB", 1L << 20, "GiB", 1L << 30);
    private static final Map<String, Duration> RATES =
            Map.of("/s", Duration.ofSeconds(1), "/min", Duration.ofMinutes(1), "/h", Duration.ofHours(1));

    private Quantities() {}

    public static Optional<Duration> duration(String text) {
        return read(text, TIMES).map(read -> read.unit().multipliedBy(read.count()));
    }

    /** @return bytes */
    public static Optional<Long> size(String text) {
        return read(text, SIZES).map(read -> read.unit() * read.count());
    }

    public static Optional<Rate> rate(String text) {
        return read(text, RATES).filter(read -> read.count() > 0).map(read -> new Rate(read.count(), read.unit()));
    }

    /** The shortest spelling in whole units, which {@link #duration} reads back; what is finer than a millisecond is cut. */
    public static String print(Duration time) {
        long millis = time.toMillis();
        if (millis % 1000 != 0) {
            return millis + "ms";
        }
        long seconds = millis / 1000;
        if (seconds % 60 != 0 || seconds == 0) {
            return seconds + "s";
        }
        long minutes = seconds / 60;
        if (minutes % 60 != 0) {
            return minutes + "min";
        }
        return minutes % 1440 == 0 ? minutes / 1440 + "d" : minutes / 60 + "h";
    }

    /** The shortest spelling in whole units; bytes that fill no KiB are printed as {@code 100 bytes}, which documents can't say. */
    public static String printSize(long bytes) {
        if (bytes % 1024 != 0 || bytes == 0) {
            return bytes + " bytes";
        }
        long kibi = bytes >> 10;
        if (kibi % 1024 != 0) {
            return kibi + "KiB";
        }
        long mebi = kibi >> 10;
        return mebi % 1024 == 0 ? (mebi >> 10) + "GiB" : mebi + "MiB";
    }

    public static String print(Rate rate) {
        return rate.count() + "/" + print(rate.per()).substring(1);
    }

    private static <U> Optional<Counted<U>> read(String text, Map<String, U> units) {
        Matcher matcher = QUANTITY.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        return Optional.ofNullable(units.get(matcher.group(2)))
                .map(unit -> new Counted<>(Integer.parseInt(matcher.group(1)), unit));
    }

    private record Counted<U>(int count, U unit) {}
}

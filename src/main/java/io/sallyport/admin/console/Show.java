package io.sallyport.admin.console;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** How values look on a page. */
public final class Show {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};
    private static final int SHORT = 12;

    public String time(Instant time) {
        return TIME.format(time);
    }

    public String count(long n) {
        return String.format(Locale.ROOT, "%,d", n).replace(',', '\u202f');
    }

    public String bytes(long n) {
        double value = n;
        int unit = 0;
        while (value >= 1024 && unit < UNITS.length - 1) {
            value /= 1024;
            unit++;
        }
        return (value == Math.rint(value) ? "%.0f %s" : "%.1f %s").formatted(value, UNITS[unit]);
    }

    public String seconds(long n) {
        return n % 3600 == 0 ? n / 3600 + " h" : n % 60 == 0 ? n / 60 + " min" : n + " s";
    }

    public String shortId(String id) {
        return id.length() <= SHORT + 1 ? id : id.substring(0, SHORT) + "…";
    }
}

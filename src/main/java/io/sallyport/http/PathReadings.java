package io.sallyport.http;

import java.util.ArrayList;
import java.util.List;

/**
 * Every way in which an origin might read one path: as sent, with escapes decoded (an escaped slash then divides), and with path
 * parameters ({@code ;…}) cut, before or after decoding. Runs of slashes are collapsed in all of them, because no pattern can ask for
 * an empty segment. Made once a request and shown to every {@code never}.
 */
public final class PathReadings {

    /** @param decoded true where patterns must be decoded too */
    record Reading(String path, boolean decoded) {}

    private final List<Reading> readings;

    private PathReadings(List<Reading> readings) {
        this.readings = readings;
    }

    public static PathReadings of(Target target) {
        String path = target.path();
        boolean escapes = path.indexOf('%') >= 0;
        boolean parameters = path.indexOf(';') >= 0;
        if (!escapes && !parameters) {
            // The decoded pattern alone is asked: one that still needs its escape can't match a path that has none.
            return new PathReadings(List.of(new Reading(collapsed(path), true)));
        }
        List<Reading> all = new ArrayList<>(6);
        for (String raw : parameters ? List.of(path, cut(path)) : List.of(path)) {
            String plain = decoded(raw);
            all.add(new Reading(collapsed(raw), false));
            all.add(new Reading(collapsed(plain), true));
            if (plain.indexOf(';') >= 0) {
                all.add(new Reading(collapsed(cut(plain)), true));
            }
        }
        return new PathReadings(all);
    }

    List<Reading> all() {
        return readings;
    }

    /** All printable escapes, of any depth, as what they stand for; a backslash as the slash it is to some. */
    static String decoded(String path) {
        if (path.indexOf('%') < 0) {
            return path;
        }
        StringBuilder text = new StringBuilder(path.length());
        PathReader reader = new PathReader(path);
        while (!reader.atEnd()) {
            int c = reader.next();
            if (c == '\\') {
                text.append('/');
            } else if (c > ' ' && c < 127) {
                text.append((char) c);
            } else {
                text.append('%').append(Integer.toHexString(0x100 | c & 0xff), 1, 3);
            }
        }
        return text.toString();
    }

    private static String cut(String path) {
        StringBuilder text = new StringBuilder(path.length());
        boolean cutting = false;
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            cutting = c != '/' && (cutting || c == ';');
            if (!cutting) {
                text.append(c);
            }
        }
        return text.toString();
    }

    private static String collapsed(String path) {
        if (!path.contains("//")) {
            return path;
        }
        StringBuilder text = new StringBuilder(path.length());
        for (int i = 0; i < path.length(); i++) {
            if (path.charAt(i) != '/' || i == 0 || path.charAt(i - 1) != '/') {
                text.append(path.charAt(i));
            }
        }
        return text.toString();
    }
}

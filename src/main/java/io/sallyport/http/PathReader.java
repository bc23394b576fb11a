package io.sallyport.http;

import org.jspecify.annotations.Nullable;

/**
 * Reads a canonical path as some origin might: an escape, or an escape of an escape, may be the character it stands for. All loops
 * are linear: what a look-ahead passes over has no percent sign in it, so that it is never looked at again.
 */
final class PathReader {

    private final String path;
    private int at;
    private int depth;

    PathReader(String path) {
        this.path = path;
    }

    boolean atEnd() {
        return at >= path.length();
    }

    /** How many escapes deep the last character was: 0 raw, 1 escaped, 2 and more escaped again. */
    int depth() {
        return depth;
    }

    /** The next character with every layer of escapes taken off; a percent sign that begins no escape stands for itself. */
    int next() {
        char c = path.charAt(at++);
        depth = 0;
        if (c != '%') {
            return c;
        }
        int octet = Ascii.octet(path, at);
        int ahead = at + 2;
        int layers = 1;
        while (octet == '%' && Ascii.octet(path, ahead) >= 0) {
            octet = Ascii.octet(path, ahead);
            ahead += 2;
            layers++;
        }
        depth = layers;
        at = ahead;
        return octet;
    }

    /** Null where no origin could read a segment as a step upwards or on the spot: {@code .}, {@code ..}, {@code ..;x}, in any spelling. */
    static @Nullable String dotSegment(String path) {
        PathReader reader = new PathReader(path);
        int dots = 0;
        boolean onlyDots = true;
        boolean cut = false;
        while (true) {
            int c = reader.atEnd() ? '/' : reader.next();
            boolean end = c == '/' || c == '\\';
            if ((end || c == ';') && !cut && onlyDots && (dots == 1 || dots == 2)) {
                return "the path has a dot segment; write the path that is meant";
            }
            if (end && reader.atEnd()) {
                return null;
            }
            if (end) {
                dots = 0;
                onlyDots = true;
                cut = false;
            } else {
                cut |= c == ';';
                onlyDots &= c == '.';
                dots++;
            }
        }
    }

    /** Why {@code paths: strict} refuses the path; null where it does not. */
    static @Nullable String strictProblem(String path) {
        if (path.contains("//")) {
            return "the path has an empty segment, and the scope has paths: strict";
        }
        for (int i = path.indexOf('%'); i >= 0; i = path.indexOf('%', i + 1)) {
            int octet = Ascii.octet(path, i + 1);
            if (octet == '/' || octet == '\\') {
                return "the path has an escaped slash or backslash, and the scope has paths: strict";
            }
            if (octet == '%' && Ascii.octet(path, i + 3) >= 0) {
                return "the path has an escaped escape, and the scope has paths: strict";
            }
        }
        return null;
    }
}

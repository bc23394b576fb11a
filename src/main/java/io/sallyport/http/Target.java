package io.sallyport.http;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request target in its one canonical form, judged and sent: unreserved characters decoded, escapes in upper case, all else byte
 * for byte. Only {@link #parse} makes one from what a peer sent.
 *
 * @param path begins with a slash
 * @param query without its question mark; null where there is none
 * @param strictProblem why {@code paths: strict} refuses this path (an escaped slash or backslash, a double escape, an empty
 *     segment); null where it does not
 * @param sensitive true where a credential stands in it: never printed, never recorded, never indexed
 */
public record Target(
        String path, @Nullable String query, @Nullable String strictProblem, boolean sensitive) {

    private static final String HEX = "0123456789ABCDEF";

    public Target(String path, @Nullable String query, @Nullable String strictProblem) {
        this(path, query, strictProblem, false);
    }

    /** Origin-form (RFC 9112 section 3.2.1). Malformed is a 400: see the rules' section on targets. */
    public static Parsed<Target> parse(String raw) {
        if (raw.isEmpty() || raw.charAt(0) != '/') {
            return Parsed.malformed("the target must begin with '/'");
        }
        return canonical(raw).then(text -> {
            int mark = text.indexOf('?');
            String path = mark < 0 ? text : text.substring(0, mark);
            String dots = PathReader.dotSegment(path);
            return dots != null
                    ? Parsed.malformed(dots)
                    : Parsed.valid(new Target(
                            path, mark < 0 ? null : text.substring(mark + 1), PathReader.strictProblem(path)));
        });
    }

    /** The canonical spelling of a path or target; the very string given where it has it already, as most have. */
    static Parsed<String> canonical(String raw) {
        StringBuilder rewritten = null;
        int copied = 0;
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c <= ' ' || c >= 127 || c == '\\' || c == '#') {
                return Parsed.malformed(
                        "the target has a control character, white space, '\\', '#' or a non-ASCII character; escape it");
            }
            if (c != '%') {
                continue;
            }
            int octet = Ascii.octet(raw, i + 1);
            if (octet <= 0) {
                return Parsed.malformed("the target has an escape that is not %XX, or that stands for NUL");
            }
            if (Ascii.unreserved(octet) || lowerHex(raw, i)) {
                rewritten = rewritten == null ? new StringBuilder(raw.length()) : rewritten;
                rewritten.append(raw, copied, i);
                appendCanonical(rewritten, octet);
                copied = i + 3;
            }
            i += 2;
        }
        return Parsed.valid(
                rewritten == null
                        ? raw
                        : rewritten.append(raw, copied, raw.length()).toString());
    }

    private static boolean lowerHex(String raw, int percent) {
        return raw.charAt(percent + 1) >= 'a' || raw.charAt(percent + 2) >= 'a';
    }

    private static void appendCanonical(StringBuilder text, int octet) {
        if (Ascii.unreserved(octet)) {
            text.append((char) octet);
        } else {
            text.append('%').append(HEX.charAt(octet >> 4)).append(HEX.charAt(octet & 15));
        }
    }

    /** The segments after the leading slash, still escaped; a trailing slash makes an empty last one. */
    public List<String> segments() {
        return List.of(path.substring(1).split("/", -1));
    }

    public Optional<String> strictRefusal() {
        return Optional.ofNullable(strictProblem);
    }

    public String text() {
        return query == null ? path : path + "?" + query;
    }

    /** With a path of the broker's own making, in which a credential stands. */
    public Target withSecretPath(String other) {
        return new Target(other, query, strictProblem, true);
    }

    /** With a query of the broker's own making, in which a credential stands. */
    public Target withSecretQuery(String other) {
        return new Target(path, other, strictProblem, true);
    }

    @Override
    public String toString() {
        return sensitive ? "***" : text();
    }
}

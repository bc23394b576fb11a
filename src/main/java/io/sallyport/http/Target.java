package io.sallyport.http;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request target in its one canonical form, judged and sent: unreserved characters decoded, escapes in upper case, all else byte
 * for byte.
 *
 * @param path begins with a slash
 * @param query without its question mark; null where there is none
 * @param strictProblem why {@code paths: strict} refuses this path (an escaped slash or backslash, a double escape, an empty
 *     segment); null where it does not
 */
public record Target(
        String path, @Nullable String query, @Nullable String strictProblem) {

    /** Origin-form (RFC 9112 section 3.2.1). Malformed is a 400: see the rules' section on targets. */
    public static Parsed<Target> parse(String raw) {
        throw new IllegalStateException("to be written: " + raw);
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
}

package io.sallyport.http;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Takes off what belongs to one connection only (RFC 9110 section 7.6.1). It runs before a credential is injected, so that
 * {@code Connection: authorization} can name away nothing but what the agent itself brought.
 */
public final class HopByHop {

    private static final List<String> ALWAYS =
            List.of("connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "http2-settings");

    /** What the message means hangs on these: a peer that names them in Connection asks for a different message. */
    private static final Set<String> NEVER_NAMED = Set.of("host", "content-length");

    private HopByHop() {}

    /**
     * Without Connection and the fields it names (Host and Content-Length excepted), and without Keep-Alive, TE, Trailer (trailers would
     * pass after the checks), Transfer-Encoding (the framing is written anew), Upgrade and every {@code Proxy-…}.
     */
    public static Fields strip(Fields fields) {
        Set<String> named = named(fields);
        return fields.without(line ->
                always(line) || (!named.isEmpty() && named.contains(line.name().toLowerCase(Locale.ROOT))));
    }

    private static boolean always(Field line) {
        for (String name : ALWAYS) {
            if (line.is(name)) {
                return true;
            }
        }
        return line.name().regionMatches(true, 0, "proxy-", 0, 6);
    }

    private static Set<String> named(Fields fields) {
        Set<String> named = Set.of();
        for (Field line : fields) {
            if (line.is("Connection")) {
                named = named.isEmpty() ? new HashSet<>() : named;
                for (String token : line.value().split(",")) {
                    named.add(token.strip().toLowerCase(Locale.ROOT));
                }
            }
        }
        if (!named.isEmpty()) {
            named.removeAll(NEVER_NAMED);
        }
        return named;
    }
}

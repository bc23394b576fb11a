package io.sallyport.proxy;

import io.sallyport.http.Field;
import io.sallyport.http.Fields;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/** Which fields cross the hop (RFC 9110 section 7.6), in either direction. */
public final class Forwarding {

    private static final Set<String> HOP_BY_HOP = Set.of(
            "connection",
            "proxy-connection",
            "keep-alive",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "http2-settings",
            "proxy-authorization",
            "proxy-authenticate",
            "proxy-authentication-info");

    /** What a peer may not have dropped by naming it in Connection: the message would mean something else without. */
    private static final Set<String> KEPT = Set.of("host", "content-length", "content-type", "expect");

    private Forwarding() {}

    /**
     * What of a request's fields goes on. It runs before anything is injected, so that a Connection field can't name our credential
     * away.
     */
    static Fields request(Fields fields, boolean credentialed) {
        Fields forwarded = withoutHopByHop(fields);
        // A coding would hide an echoed secret from the scrubber.
        return credentialed ? forwarded.with(new Field("Accept-Encoding", "identity")) : forwarded;
    }

    /** What of an answer's fields goes on. Alt-Svc would lead the agent around the hop. */
    public static Fields answer(Fields fields) {
        return withoutHopByHop(fields).without("alt-svc");
    }

    /** Whether the content has a coding that the scrubber can't look into. */
    public static boolean coded(Fields fields) {
        return fields.all("content-encoding").stream()
                .flatMap(value -> java.util.Arrays.stream(value.split(",")))
                .map(String::strip)
                .anyMatch(coding -> !coding.isEmpty() && !coding.equalsIgnoreCase("identity"));
    }

    private static Fields withoutHopByHop(Fields fields) {
        Set<String> named = new HashSet<>(HOP_BY_HOP);
        for (String value : fields.all("connection")) {
            for (String option : value.split(",")) {
                String name = option.strip().toLowerCase(Locale.ROOT);
                if (!KEPT.contains(name)) {
                    named.add(name);
                }
            }
        }
        return fields.without(line -> named.contains(line.name().toLowerCase(Locale.ROOT)));
    }
}

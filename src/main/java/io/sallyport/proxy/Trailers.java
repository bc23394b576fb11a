package io.sallyport.proxy;

import io.sallyport.http.CredentialSlots;
import io.sallyport.http.Field;
import io.sallyport.http.FieldSyntax;
import io.sallyport.http.Fields;
import io.sallyport.http.Framing;
import io.sallyport.http.Overrides;
import io.sallyport.http.RequestHead;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Fields that come after a message's content (RFC 9110 section 6.5), in either direction. The head was judged, and the credential is in
 * it, before they were here: what would have changed either has no place in them.
 */
public final class Trailers {

    /** Framing, routing, how content is read, request modifiers: RFC 9110 section 6.5.1 allows none of them. */
    private static final Set<String> OF_THE_HEAD = Set.of(
            "transfer-encoding",
            "content-length",
            "host",
            "trailer",
            "te",
            "connection",
            "keep-alive",
            "proxy-connection",
            "upgrade",
            "http2-settings",
            "content-encoding",
            "content-type",
            "content-range",
            "cache-control",
            "expect",
            "max-forwards",
            "pragma",
            "range",
            "if-match",
            "if-none-match",
            "if-modified-since",
            "if-unmodified-since",
            "if-range",
            "alt-svc",
            "set-cookie");

    private Trailers() {}

    /**
     * Why a request's trailers can't be sent; empty where they can, as they are. They are refused rather than cut: whoever sends a
     * checksum or a credential there counts on it.
     *
     * @param asked as the agent sent it
     */
    public static Optional<Refusal> problem(Fields trailers, RequestHead asked, Admission admission) {
        if (trailers.size() == 0) {
            return Optional.empty();
        }
        // HTTP/1.1 has trailers in chunked content alone, and which version the destination speaks shows too late.
        if (!(asked.framing() instanceof Framing.Chunked)) {
            return malformed("trailers follow content without a Content-Length only");
        }
        Optional<String> syntax = FieldSyntax.problem(trailers);
        if (syntax.isPresent()) {
            return malformed(syntax.get());
        }
        for (Field line : trailers) {
            if (belongsToTheHead(line.name())) {
                return malformed("the field " + line.name().toLowerCase(Locale.ROOT) + " can't be a trailer");
            }
        }
        Set<String> keep = new HashSet<>(admission.scope().keep());
        Set<String> ours = new HashSet<>();
        admission.outgoing().fields().forEach(line -> {
            if (line.sensitive()) {
                ours.add(line.name().toLowerCase(Locale.ROOT));
            }
        });
        var cleaned = CredentialSlots.takeOff(admission.clean().target(), trailers, keep, ours);
        if (cleaned.fields().size() < trailers.size()) {
            return malformed("a credential can't be a trailer: " + String.join(", ", cleaned.removed()));
        }
        return Overrides.in(trailers, admission.clean().target())
                .map(reason -> Refusal.of(RefusalError.METHOD_OVERRIDE, reason).closing());
    }

    /** What of an answer's trailers goes on: what would be read as part of its head does not. */
    public static Fields answer(Fields trailers) {
        return Forwarding.answer(trailers).without(line -> belongsToTheHead(line.name()));
    }

    private static boolean belongsToTheHead(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return OF_THE_HEAD.contains(lower) || lower.startsWith("proxy-");
    }

    private static Optional<Refusal> malformed(String reason) {
        return Optional.of(Refusal.of(RefusalError.MALFORMED, reason).closing());
    }
}

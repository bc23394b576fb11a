package io.sallyport.proxy.wire;

import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import io.sallyport.http.CredentialSlots;
import io.sallyport.http.Field;
import io.sallyport.http.FieldSyntax;
import io.sallyport.http.Fields;
import io.sallyport.http.Framing;
import io.sallyport.http.Parsed;
import io.sallyport.http.RequestHead;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Heads and trailers towards a destination in HTTP/2, and back (RFC 9113 section 8). */
final class Http2Heads {

    /** RFC 9113 section 8.2.2: a message that has one of these is malformed. */
    private static final Set<String> OF_A_CONNECTION =
            Set.of("connection", "proxy-connection", "keep-alive", "transfer-encoding", "upgrade");

    /** A final or interim answer's head before its framing is known. */
    record RawAnswer(int status, Fields fields) {}

    private Http2Heads() {}

    /**
     * @param trailers whether the agent said that it takes trailers: gRPC servers insist on hearing it. The field is one connection's, so
     *     it is written here and is not among those that are forwarded
     */
    static Http2Headers request(RequestHead head, boolean trailers) {
        Http2Headers out = new DefaultHttp2Headers(false, head.fields().size() + 8)
                .method(head.method())
                .scheme(head.origin().scheme())
                .authority(head.origin().authority())
                .path(
                        head.target().sensitive()
                                ? new NeverIndexed(head.target().text())
                                : head.target().text());
        for (Field line : head.fields()) {
            // The authority is what Host said; the length is written from the framing.
            if (!line.is("Host") && !line.is("Content-Length")) {
                add(out, line);
            }
        }
        if (head.framing() instanceof Framing.Length(long length)) {
            out.addLong("content-length", length);
        }
        if (trailers) {
            out.add("te", "trailers");
        }
        return out;
    }

    /** RFC 9110 section 10.1.4. */
    static boolean takesTrailers(Fields fields) {
        return fields.lists("te", "trailers");
    }

    static Http2Headers trailers(Fields fields) {
        Http2Headers out = new DefaultHttp2Headers(false, fields.size() + 2);
        fields.forEach(line -> add(out, line));
        return out;
    }

    private static void add(Http2Headers out, Field line) {
        String name = line.name().toLowerCase(Locale.ROOT);
        // The agent's own in a slot that it may fill itself is as much a secret as ours.
        boolean secret = line.sensitive() || CredentialSlots.isField(name);
        out.add(name, secret ? new NeverIndexed(line.value()) : line.value());
    }

    static Parsed<RawAnswer> answer(Http2Headers headers) {
        int status = -1;
        List<Field> lines = new ArrayList<>(headers.size());
        for (Map.Entry<CharSequence, CharSequence> line : headers) {
            String name = line.getKey().toString();
            if (!name.startsWith(":")) {
                lines.add(new Field(name, line.getValue().toString()));
            } else if (!name.equals(":status") || status >= 0) {
                return Parsed.malformed("the answer's head has a pseudo-header field other than one :status");
            } else {
                status = status(line.getValue().toString());
            }
        }
        if (status < 0) {
            return Parsed.malformed("the answer's :status is not 100 to 599");
        }
        // RFC 9113 section 8.6.
        if (status == 101) {
            return Parsed.malformed("there is no 101 in HTTP/2");
        }
        int valid = status;
        return fields(lines).then(fields -> Parsed.valid(new RawAnswer(valid, fields)));
    }

    static Parsed<Fields> trailers(Http2Headers headers) {
        List<Field> lines = new ArrayList<>(headers.size());
        for (Map.Entry<CharSequence, CharSequence> line : headers) {
            String name = line.getKey().toString();
            if (name.startsWith(":")) {
                return Parsed.malformed("trailers have no pseudo-header fields");
            }
            lines.add(new Field(name, line.getValue().toString()));
        }
        return fields(lines);
    }

    private static Parsed<Fields> fields(List<Field> lines) {
        for (Field line : lines) {
            if (!line.name().equals(line.name().toLowerCase(Locale.ROOT))) {
                return Parsed.malformed("a field name is not in lower case");
            }
            if (OF_A_CONNECTION.contains(line.name())) {
                return Parsed.malformed("the field " + line.name() + " has no place in HTTP/2");
            }
            if (!line.value().equals(trimmed(line.value()))) {
                return Parsed.malformed("the value of " + line.name() + " begins or ends with white space");
            }
        }
        Fields fields = Fields.of(lines);
        Optional<String> problem = FieldSyntax.problem(fields);
        return problem.<Parsed<Fields>>map(Parsed::malformed).orElseGet(() -> Parsed.valid(fields));
    }

    /** RFC 9113 section 8.2.1 counts these two as white space. */
    private static String trimmed(String value) {
        int start = 0;
        int end = value.length();
        while (start < end && (value.charAt(start) == ' ' || value.charAt(start) == '\t')) {
            start++;
        }
        while (end > start && (value.charAt(end - 1) == ' ' || value.charAt(end - 1) == '\t')) {
            end--;
        }
        return value.substring(start, end);
    }

    private static int status(String digits) {
        boolean plain = digits.length() == 3 && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        int status = plain ? Integer.parseInt(digits) : -1;
        return status >= 100 && status <= 599 ? status : -1;
    }
}

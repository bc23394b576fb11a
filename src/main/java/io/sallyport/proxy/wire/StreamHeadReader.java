package io.sallyport.proxy.wire;

import io.sallyport.http.Field;
import io.sallyport.http.FieldSyntax;
import io.sallyport.http.Fields;
import io.sallyport.http.Framing;
import io.sallyport.http.Parsed;
import io.sallyport.http.WebSocketHandshake;
import io.sallyport.proxy.StreamHead;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads a request's header block (RFC 9113 sections 8.2 and 8.3), strictly: what would mean two things behind us means none. */
final class StreamHeadReader {

    /** RFC 9113 section 8.2.2: in HTTP/1 each of these can make another message of it. */
    private static final Set<String> OF_A_CONNECTION =
            Set.of("connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade", "http2-settings");

    private static final SecureRandom RANDOM = new SecureRandom();

    private @Nullable String method;
    private @Nullable String scheme;
    private @Nullable String authority;
    private @Nullable String path;
    private @Nullable String protocol;
    private @Nullable StringBuilder cookies;
    private final List<Field> fields;

    private StreamHeadReader(int lines) {
        this.fields = new ArrayList<>(lines);
    }

    /** @param ended whether the stream ended with this block, so that there is no content */
    static Parsed<StreamHead> request(List<Field> lines, boolean ended) {
        StreamHeadReader reader = new StreamHeadReader(lines.size());
        for (Field line : lines) {
            String problem = line.name().startsWith(":") ? reader.pseudo(line) : reader.regular(line);
            if (problem != null) {
                return Parsed.malformed(problem);
            }
        }
        return reader.head(ended);
    }

    static Parsed<Fields> trailers(List<Field> lines) {
        StreamHeadReader reader = new StreamHeadReader(lines.size());
        for (Field line : lines) {
            String problem =
                    line.name().startsWith(":") ? "trailers have no pseudo-header fields" : reader.regular(line);
            if (problem != null) {
                return Parsed.malformed(problem);
            }
        }
        return reader.joined();
    }

    private @Nullable String pseudo(Field line) {
        if (!fields.isEmpty() || cookies != null) {
            return "a pseudo-header field stands behind a field";
        }
        String value = line.value();
        boolean again = false;
        switch (line.name()) {
            case ":method" -> {
                again = method != null;
                method = value;
            }
            case ":scheme" -> {
                again = scheme != null;
                scheme = value;
            }
            case ":authority" -> {
                again = authority != null;
                authority = value;
            }
            case ":path" -> {
                again = path != null;
                path = value;
            }
            case ":protocol" -> {
                again = protocol != null;
                protocol = value;
            }
            // :status is an answer's.
            default -> {
                return "there is a pseudo-header field other than :method, :scheme, :authority, :path and :protocol";
            }
        }
        return again ? "a pseudo-header field is there twice" : null;
    }

    private @Nullable String regular(Field line) {
        String name = line.name();
        for (int i = 0; i < name.length(); i++) {
            if (name.charAt(i) >= 'A' && name.charAt(i) <= 'Z') {
                return "a field name is not in lower case";
            }
        }
        Optional<String> problem = FieldSyntax.problem(line);
        if (problem.isPresent()) {
            return problem.get();
        }
        if (OF_A_CONNECTION.contains(name)) {
            return "the field " + name + " has no place in HTTP/2";
        }
        String value = line.value();
        if (!value.isEmpty() && (space(value.charAt(0)) || space(value.charAt(value.length() - 1)))) {
            return "the value of " + name + " begins or ends with white space";
        }
        if (name.equals("te") && !value.equalsIgnoreCase("trailers")) {
            return "the field te can only say 'trailers' in HTTP/2";
        }
        if (name.equals("cookie")) {
            // RFC 9113 section 8.2.3: crumbs are one field for whoever reads them one line at a time.
            cookies = cookies == null
                    ? new StringBuilder(value)
                    : cookies.append("; ").append(value);
        } else {
            fields.add(line);
        }
        return null;
    }

    private Parsed<StreamHead> head(boolean ended) {
        String asked = method;
        if (asked == null || !FieldSyntax.isToken(asked)) {
            return Parsed.malformed("the :method is missing or is not a token");
        }
        if (protocol != null) {
            return handshake(asked, protocol, ended);
        }
        boolean connect = asked.equals("CONNECT");
        if (connect && (scheme != null || path != null || authority == null)) {
            return Parsed.malformed("a CONNECT has :authority, and neither :scheme nor :path");
        }
        if (!connect && (scheme == null || !(scheme.equals("https") || scheme.equals("http")))) {
            return Parsed.malformed("the :scheme must be https or http");
        }
        if (!connect && (path == null || path.isEmpty())) {
            return Parsed.malformed("the :path is missing or empty");
        }
        return joined().then(all -> framing(all, ended)
                .then(framing -> Parsed.valid(new StreamHead(asked, scheme, authority, path, all, framing))));
    }

    /** RFC 8441 section 4: a CONNECT to a path, which stands for the GET that asks HTTP/1.1 for the same. */
    private Parsed<StreamHead> handshake(String asked, String wanted, boolean ended) {
        if (!asked.equals("CONNECT") || scheme == null || path == null || path.isEmpty() || authority == null) {
            return Parsed.malformed("a request with :protocol is a CONNECT with :scheme, :path and :authority");
        }
        if (!wanted.equals("websocket")) {
            return Parsed.malformed("the :protocol can only be websocket");
        }
        if (ended || !(scheme.equals("https") || scheme.equals("http"))) {
            return Parsed.malformed("a WebSocket begins on a stream that is open, with the :scheme https or http");
        }
        byte[] key = new byte[16];
        RANDOM.nextBytes(key);
        return joined().then(all -> all.has("content-length")
                ? Parsed.malformed("a WebSocket handshake has no content")
                : Parsed.valid(new StreamHead(
                        "GET", scheme, authority, path, WebSocketHandshake.extended(all, key), new Framing.None())));
    }

    private Parsed<Fields> joined() {
        if (cookies != null) {
            fields.add(new Field("cookie", cookies.toString()));
        }
        Fields all = Fields.of(fields);
        return all.size() > FieldSyntax.MAX_LINES
                ? Parsed.malformed("there are more than " + FieldSyntax.MAX_LINES + " field lines")
                : Parsed.valid(all);
    }

    /** RFC 9113 section 8.1.1: a length that is said must be the length that comes. */
    private static Parsed<Framing> framing(Fields fields, boolean ended) {
        return Framing.ofRequest(fields, false).then(framing -> switch (framing) {
            case Framing.Length(long length)
            when ended && length > 0 ->
                Parsed.malformed("the request ends without the content that its content-length promises");
            case Framing.Length length -> Parsed.valid(length);
            case Framing.None none -> Parsed.valid(ended ? none : new Framing.Chunked());
            case Framing.Chunked chunked -> Parsed.valid(chunked);
            case Framing.UntilClose until -> Parsed.valid(until);
        });
    }

    private static boolean space(char c) {
        return c == ' ' || c == '\t';
    }
}

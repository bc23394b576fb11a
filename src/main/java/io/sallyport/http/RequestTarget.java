package io.sallyport.http;

/** What a request line may ask for: the four forms of RFC 9112 section 3.2, each only with the methods it belongs to. */
public sealed interface RequestTarget {

    record OriginForm(Target target) implements RequestTarget {}

    /** To a forward proxy; the origin outranks a Host field, which must agree with it. */
    record AbsoluteForm(Origin origin, Target target) implements RequestTarget {}

    /** CONNECT. */
    record AuthorityForm(Authority authority) implements RequestTarget {}

    /** {@code OPTIONS *}. */
    record Asterisk() implements RequestTarget {}

    static Parsed<RequestTarget> parse(String method, String raw) {
        // On the wire a name is its A-label (RFC 3986 section 3.2.2): bytes beyond ASCII are read in as many ways as
        // there are
        // character sets. Only documents may write the letters.
        if (!Ascii.printable(raw)) {
            return Parsed.malformed("the target has a character that is not printable ASCII");
        }
        if (method.equals("CONNECT")) {
            return Authority.parseConnect(raw).then(authority -> Parsed.valid(new AuthorityForm(authority)));
        }
        if (raw.startsWith("/")) {
            return Target.parse(raw).then(target -> Parsed.valid(new OriginForm(target)));
        }
        if (raw.equals("*")) {
            return method.equals("OPTIONS")
                    ? Parsed.valid(new Asterisk())
                    : Parsed.malformed("the target '*' is for OPTIONS alone");
        }
        return absolute(raw);
    }

    private static Parsed<RequestTarget> absolute(String raw) {
        int slashes = raw.indexOf("://");
        if (slashes < 0) {
            return Parsed.malformed("the target must begin with '/', http:// or https://");
        }
        int end = slashes + 3;
        while (end < raw.length() && raw.charAt(end) != '/' && raw.charAt(end) != '?') {
            end++;
        }
        // RFC 9110 section 4.2.3: an empty path is '/'.
        String rest = end < raw.length() && raw.charAt(end) == '/' ? raw.substring(end) : "/" + raw.substring(end);
        return Origin.parse(raw.substring(0, end))
                .then(origin -> Target.parse(rest).then(target -> Parsed.valid(new AbsoluteForm(origin, target))));
    }
}

package io.sallyport.http;

/**
 * Host and port as a CONNECT target or a Host field has them (RFC 9110 section 7.2).
 *
 * @param host canonical
 * @param port 1 to 65535, or 0 where none was written
 */
public record Authority(String host, int port) {

    /** {@code host}, {@code host:port}, {@code [v6]} or {@code [v6]:port}; no userinfo, no empty port. */
    public static Parsed<Authority> parse(String raw) {
        int bracket = raw.startsWith("[") ? raw.indexOf(']') : -1;
        int colon = raw.indexOf(':', bracket + 1);
        if (colon >= 0 && raw.indexOf(':', colon + 1) >= 0) {
            return Parsed.malformed("an IPv6 address stands in brackets, and one port may follow the host");
        }
        int port = colon < 0 ? 0 : Ascii.number(raw, colon + 1, raw.length(), 65535);
        if (colon >= 0 && port <= 0) {
            return Parsed.malformed("the port must be 1 to 65535, in decimal digits");
        }
        return HostName.canonical(colon < 0 ? raw : raw.substring(0, colon))
                .then(host -> Parsed.valid(new Authority(host, port)));
    }

    /** The target of a CONNECT (RFC 9112 section 3.2.3): the port must be there. */
    public static Parsed<Authority> parseConnect(String raw) {
        return parse(raw)
                .then(authority -> authority.port == 0
                        ? Parsed.malformed("the target of CONNECT must be host:port")
                        : Parsed.valid(authority));
    }

    /**
     * What the Host field says (RFC 9112 section 3.2): exactly one, also where two agree, because the parsers behind us do not agree
     * on which of two counts.
     *
     * @param http10 true where the peer speaks HTTP/1.0: then it may be absent, and {@code whenAbsent} is the answer
     */
    public static Parsed<Authority> ofHostField(Fields fields, boolean http10, Authority whenAbsent) {
        String found = null;
        for (Field line : fields) {
            if (line.is("Host")) {
                if (found != null) {
                    return Parsed.malformed("there is more than one Host field");
                }
                found = line.value();
            }
        }
        if (found == null) {
            return http10 ? Parsed.valid(whenAbsent) : Parsed.malformed("there is no Host field");
        }
        return parse(found);
    }

    /** Whether both name one place, when a port that was not written is the default of the scheme. */
    public boolean agreesWith(Origin origin) {
        return host.equals(origin.host()) && (port == 0 ? origin.defaultPort() : port) == origin.port();
    }
}

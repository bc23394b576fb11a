package io.sallyport.http;

/**
 * Where a request goes (RFC 6454): scheme, host and port in canonical form.
 *
 * @param scheme {@code http} or {@code https}
 * @param host canonical as {@link HostName} makes it: A-labels, lower case, no trailing dot; an IPv6 literal without brackets
 * @param port 1 to 65535, the scheme's default filled in
 */
public record Origin(String scheme, String host, int port) {

    /** An origin as documents write it: {@code https://api.example.com}, {@code http://10.0.0.1:8080}; no path, no userinfo. */
    public static Parsed<Origin> parse(String text) {
        throw new IllegalStateException("to be written: " + text);
    }

    public boolean secure() {
        return scheme.equals("https");
    }

    /** {@code host} or {@code host:port}, the default port folded away: what stands in a Host field. */
    public String authority() {
        String literal = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
        return port == (secure() ? 443 : 80) ? literal : literal + ":" + port;
    }

    @Override
    public String toString() {
        return scheme + "://" + authority();
    }
}

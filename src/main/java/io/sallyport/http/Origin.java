package io.sallyport.http;

import java.util.Locale;

/**
 * Where a request goes (RFC 6454): scheme, host and port in canonical form.
 *
 * @param scheme {@code http} or {@code https}
 * @param host canonical as {@link HostName} makes it: A-labels, lower case, no trailing dot; an IPv6 literal without brackets
 * @param port 1 to 65535, the scheme's default filled in
 */
public record Origin(String scheme, String host, int port) {

    public Origin {
        if (!scheme.equals("https") && !scheme.equals("http")) {
            throw new IllegalArgumentException("the scheme must be https or http");
        }
        if (host.isEmpty() || port < 1 || port > 65535) {
            throw new IllegalArgumentException("an origin has a host, and a port from 1 to 65535");
        }
    }

    /** An origin as documents write it: {@code https://api.example.com}, {@code http://10.0.0.1:8080}; no path, no userinfo. */
    public static Parsed<Origin> parse(String text) {
        int end = text.indexOf("://");
        String scheme = end < 0 ? "" : text.substring(0, end).toLowerCase(Locale.ROOT);
        if (!scheme.equals("https") && !scheme.equals("http")) {
            return Parsed.malformed("an origin begins with https:// or http://");
        }
        String authority = text.substring(end + 3);
        for (int i = 0; i < authority.length(); i++) {
            char c = authority.charAt(i);
            if (c == '/' || c == '?' || c == '#' || c == '\\') {
                return Parsed.malformed("an origin ends after its host and port; no path, not even '/', is allowed");
            }
            if (c == '@') {
                return Parsed.malformed("an origin has no user name or password");
            }
        }
        return Authority.parse(authority).then(parsed -> Parsed.valid(of(scheme, parsed)));
    }

    /** @param scheme {@code http} or {@code https}; its default port is filled in where the authority has none */
    public static Origin of(String scheme, Authority authority) {
        return new Origin(scheme, authority.host(), authority.port() == 0 ? defaultPort(scheme) : authority.port());
    }

    public boolean secure() {
        return scheme.equals("https");
    }

    /** 443 or 80. */
    public int defaultPort() {
        return defaultPort(scheme);
    }

    private static int defaultPort(String scheme) {
        return scheme.equals("https") ? 443 : 80;
    }

    /** {@code host} or {@code host:port}, the default port folded away: what stands in a Host field. */
    public String authority() {
        String literal = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
        return port == defaultPort() ? literal : literal + ":" + port;
    }

    @Override
    public String toString() {
        return scheme + "://" + authority();
    }
}

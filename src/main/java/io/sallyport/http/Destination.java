package io.sallyport.http;

import java.util.List;

/**
 * Where a scope may go.
 *
 * @param origin its host is without the {@code *.} of a wildcard
 * @param wildcard true for {@code https://*.example.com}: exactly one whole label more, never the apex
 * @param addresses reserved ranges that the document names, in CIDR notation; empty for none
 */
public record Destination(Origin origin, boolean wildcard, List<String> addresses) {

    public boolean matches(Origin other) {
        return origin.scheme().equals(other.scheme()) && origin.port() == other.port() && matchesHost(other.host());
    }

    public boolean matchesHost(String host) {
        if (!wildcard) {
            return origin.host().equals(host);
        }
        int dot = host.indexOf('.');
        return dot > 0 && host.substring(dot + 1).equals(origin.host());
    }

    @Override
    public String toString() {
        return wildcard ? origin.scheme() + "://*." + origin.authority() : origin.toString();
    }
}

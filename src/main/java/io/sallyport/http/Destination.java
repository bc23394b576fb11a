package io.sallyport.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a scope may go.
 *
 * @param origin its host is without the {@code *.} of a wildcard
 * @param wildcard true for {@code https://*.example.com}: exactly one whole label more, never the apex
 * @param addresses reserved ranges that the document names, in CIDR notation; empty for none
 */
public record Destination(Origin origin, boolean wildcard, List<String> addresses) {

    private static final String STAR = "://*.";

    public Destination {
        addresses = List.copyOf(addresses);
    }

    /**
     * As documents write it: {@code https://api.github.com}, {@code https://*.example.com}.
     *
     * @param addresses the ranges written beside it; an IP literal needs them
     */
    public static Parsed<Destination> parse(String text, List<String> addresses) {
        int star = text.indexOf(STAR);
        boolean wildcard = star >= 0;
        String plain = wildcard ? text.substring(0, star) + "://" + text.substring(star + STAR.length()) : text;
        if (plain.indexOf('*') >= 0) {
            return Parsed.malformed("a wildcard stands once, for the whole first label, as in https://*.example.com");
        }
        return Origin.parse(plain).then(origin -> checked(new Destination(origin, wildcard, addresses)));
    }

    private static Parsed<Destination> checked(Destination destination) {
        String host = destination.origin.host();
        boolean literal = IpLiteral.parse(host) instanceof Parsed.Valid<IpLiteral>;
        if (destination.wildcard && literal) {
            return Parsed.malformed("a wildcard needs a name, not an address");
        }
        if (destination.wildcard && PublicSuffixes.contains(host)) {
            return Parsed.malformed(
                    "'*." + host + "' stands directly below a public suffix, where anybody can have a name");
        }
        if (literal && destination.addresses.isEmpty()) {
            return Parsed.malformed("an IP address as host is written as {url: …, addresses: [" + host + "]}");
        }
        for (String range : destination.addresses) {
            if (rangeProblem(range) instanceof String problem) {
                return Parsed.malformed(problem);
            }
        }
        return Parsed.valid(destination);
    }

    /** Null for none. Wider than the widest reserved range, a document names nothing: it switches the guard off. */
    private static @Nullable String rangeProblem(String text) {
        return switch (IpRange.parse(text)) {
            case Parsed.Malformed<IpRange>(String reason) -> reason;
            case Parsed.Valid<IpRange>(IpRange range) ->
                range.prefixLength() < (range.network().bits() == 32 ? 4 : 7)
                        ? "'" + text + "' is wider than any reserved range; at least /4 (IPv4) or /7 (IPv6) is allowed"
                        : null;
        };
    }

    public boolean matches(Origin other) {
        return origin.scheme().equals(other.scheme()) && origin.port() == other.port() && matchesHost(other.host());
    }

    public boolean matchesHost(String host) {
        String own = origin.host();
        if (!wildcard) {
            return own.equals(host);
        }
        int dot = host.indexOf('.');
        return dot > 0 && host.length() - dot - 1 == own.length() && host.endsWith(own);
    }

    @Override
    public String toString() {
        return wildcard ? origin.scheme() + STAR + origin.authority() : origin.toString();
    }
}

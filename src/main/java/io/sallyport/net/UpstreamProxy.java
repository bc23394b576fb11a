package io.sallyport.net;

import io.sallyport.http.HostName;
import io.sallyport.http.IpLiteral;
import io.sallyport.http.Origin;
import io.sallyport.http.Parsed;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The proxy that an organisation has at its way out (RFC 9110 section 9.3.6). It is asked for tunnels alone, for {@code http} and
 * {@code https} destinations alike: so it never sees a request or a credential for a destination that speaks TLS, and the destination's
 * certificate is verified as ever.
 *
 * @param place where it listens; {@code https} where it is spoken to in TLS itself
 * @param target what a tunnel is asked for by
 * @param around destinations that are dialled without it
 * @param credential null for none
 */
public record UpstreamProxy(
        Origin place,
        Target target,
        List<Around> around,
        @Nullable ProxyCredential credential) {

    public enum Target {
        /** The address that was judged is the address that is reached. */
        ADDRESS,
        /** The proxy resolves, for {@code https}; for proxies that judge by name, and networks that resolve no others. */
        NAME
    }

    /** One line of {@code no-proxy}. */
    public sealed interface Around {
        /** @param below true for all names below it, and not itself */
        record Host(String name, boolean below) implements Around {}

        record Range(Cidr range) implements Around {}
    }

    private static final String KEY = "sallyport.proxy.upstream-proxy";

    public UpstreamProxy {
        around = List.copyOf(around);
    }

    /**
     * As settings have it.
     *
     * @param url {@code http://host:port} or {@code https://host:port}
     * @param target {@code address} or {@code name}
     * @param noProxy hosts, {@code *.suffixes}, addresses and ranges
     * @param credential {@code file:PATH} or {@code env:NAME}; null for none
     * @throws IllegalArgumentException saying which key, and what is allowed
     */
    public static UpstreamProxy parse(String url, String target, List<String> noProxy, @Nullable String credential) {
        if (url.indexOf('@') >= 0) {
            // Not even quoted: it is in the settings already, and must not get into a log.
            throw new IllegalArgumentException(KEY + " has a user name or password in it; write USER:PASSWORD to a file"
                    + " or a variable, and name that in " + KEY + "-credential");
        }
        Origin place = switch (Origin.parse(url)) {
            case Parsed.Valid<Origin>(Origin origin) -> origin;
            case Parsed.Malformed<Origin>(String reason) ->
                throw new IllegalArgumentException(KEY + ": \"" + url + "\": " + reason);
        };
        if (!target.equals("address") && !target.equals("name")) {
            throw new IllegalArgumentException(KEY + "-target is address or name: " + target);
        }
        return new UpstreamProxy(
                place,
                target.equals("name") ? Target.NAME : Target.ADDRESS,
                noProxy.stream().map(UpstreamProxy::around).toList(),
                credential == null ? null : ProxyCredential.from(credential));
    }

    private static Around around(String text) {
        if (Cidr.parse(text) instanceof Parsed.Valid<Cidr>(Cidr range)) {
            return new Around.Range(range);
        }
        boolean below = text.startsWith("*.") || text.startsWith(".");
        String host = below ? text.substring(text.indexOf('.') + 1) : text;
        if (host.indexOf('/') < 0 && HostName.canonical(host) instanceof Parsed.Valid<String>(String name)) {
            return new Around.Host(name, below);
        }
        throw new IllegalArgumentException(
                "sallyport.proxy.no-proxy: \"" + text
                        + "\": a host (example.com), all below one (*.example.com), an address or a range (10.0.0.0/8) is allowed");
    }

    public int port() {
        return place.port();
    }

    /** Whether a destination of that name is dialled without it, whatever its addresses. */
    boolean passedBy(String host) {
        for (Around each : around) {
            if (each instanceof Around.Host(String name, boolean below)
                    && (below ? host.endsWith("." + name) : host.equals(name))) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether that address of a destination is dialled without it. Loopback and link-local addresses always are: over there they would be
     * another machine's.
     */
    boolean passedBy(String host, InetAddress address) {
        if (address.isLoopbackAddress()
                || address.isLinkLocalAddress()
                || address.isAnyLocalAddress()
                || passedBy(host)) {
            return true;
        }
        for (Around each : around) {
            if (each instanceof Around.Range(Cidr range) && range.contains(address)) {
                return true;
            }
        }
        return false;
    }

    /** The request for a tunnel to a destination, the way that was planned. */
    public byte[] request(Origin destination, Way way) {
        String host = way.address() == null ? destination.host() : literal(way.address());
        String authority = (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + destination.port();
        List<String> lines = new ArrayList<>(List.of("CONNECT " + authority + " HTTP/1.1", "Host: " + authority));
        if (credential != null) {
            lines.add("Proxy-Authorization: " + credential.basic());
        }
        lines.add("User-Agent: sallyport");
        return (String.join("\r\n", lines) + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
    }

    private static String literal(InetAddress address) {
        // Without the zone that the JDK may have put at its end.
        String text = address.getHostAddress();
        int zone = text.indexOf('%');
        return IpLiteral.parse(zone < 0 ? text : text.substring(0, zone))
                .orElseThrow()
                .toString();
    }
}

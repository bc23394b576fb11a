package io.sallyport.proxy;

import io.sallyport.http.Authority;
import io.sallyport.http.Field;
import io.sallyport.http.Fields;
import io.sallyport.http.Framing;
import io.sallyport.http.Origin;
import io.sallyport.http.Parsed;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The head of one request of HTTP/2 (RFC 9113 section 8.3.1): well-formed, of which nothing is judged yet.
 *
 * @param scheme {@code http} or {@code https}; null for CONNECT
 * @param authority as sent; null where there is none, and Host has to say it
 * @param path as sent; null for CONNECT
 * @param fields without the pseudo-header fields; names in lower case, cookies in one line
 * @param framing {@link Framing.Chunked} means: ends with its stream
 */
public record StreamHead(
        String method,
        @Nullable String scheme,
        @Nullable String authority,
        @Nullable String path,
        Fields fields,
        Framing framing) {

    boolean speaks(String other) {
        return scheme == null || scheme.equals(other);
    }

    /**
     * What an HTTP/1.1 client would have sent for it at this entrance. At the hop's own port that is a gateway's path, a CONNECT, or the
     * absolute-form: scheme, authority and path are what a forward proxy is asked with (RFC 9113 section 8.3.1).
     */
    Parsed<RawHead> inHttp1(Entrance entrance) {
        return host().then(host -> target(host, entrance)
                .then(target -> Parsed.valid(new RawHead(
                        method,
                        target,
                        false,
                        hosted(host),
                        Parsed.valid(path == null ? new Framing.None() : framing)))));
    }

    /** One name: the authority, which a Host field may repeat but not contradict. */
    private Parsed<String> host() {
        List<String> hosts = fields.all("host");
        if (hosts.size() > 1) {
            return Parsed.malformed("there is more than one Host field");
        }
        if (authority == null) {
            return hosts.isEmpty()
                    ? Parsed.malformed("there is neither :authority nor a Host field")
                    : origin(hosts.getFirst()).then(same -> Parsed.valid(hosts.getFirst()));
        }
        return origin(authority)
                .then(named -> hosts.isEmpty()
                        ? Parsed.valid(authority)
                        : origin(hosts.getFirst())
                                .then(host -> host.equals(named)
                                        ? Parsed.valid(authority)
                                        : Parsed.malformed(":authority and Host name different hosts")));
    }

    private Parsed<Origin> origin(String text) {
        return Authority.parse(text).then(parsed -> Parsed.valid(Origin.of(scheme == null ? "https" : scheme, parsed)));
    }

    private Parsed<String> target(String host, Entrance entrance) {
        if (path == null) {
            return Parsed.valid(host);
        }
        if (!path.startsWith("/")) {
            return Parsed.malformed("the :path must begin with '/'");
        }
        boolean own = entrance instanceof Entrance.Tunnel
                || entrance instanceof Entrance.Transparent
                || path.startsWith(Reception.GATEWAY);
        return Parsed.valid(own ? path : scheme + "://" + host + path);
    }

    private Fields hosted(String host) {
        List<Field> lines = new ArrayList<>(fields.size() + 1);
        lines.add(new Field("Host", host));
        fields.without("host").forEach(lines::add);
        return Fields.of(lines);
    }
}

package io.sallyport.net;

import io.sallyport.http.IpLiteral;
import io.sallyport.http.Origin;
import io.sallyport.http.Parsed;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The one way out, for the hop and for the broker's own calls: what may be dialled once a name is resolved, and whether by itself or
 * through the proxy that an organisation has there. Without I/O: whoever dials resolves.
 */
public final class Egress {

    /** What comes of a resolution. */
    public sealed interface Plan {
        /** @param ways in the order to try them; never empty */
        record Ways(List<Way> ways) implements Plan {}

        /** @param reason for the ledger and the agent alike: names the range, never another host */
        record Forbidden(String reason) implements Plan {}

        /** @param reason as the resolver gave it */
        record Unresolved(String reason) implements Plan {}
    }

    private static final List<Cidr> ANYWHERE = List.of(Cidr.of("0.0.0.0/0"), Cidr.of("::/0"));
    private static final Way BY_NAME = new Way(null, true);

    private final AddressGuard guard;
    private final @Nullable UpstreamProxy proxy;

    /** @param proxy null where there is none */
    public Egress(AddressGuard guard, @Nullable UpstreamProxy proxy) {
        this.guard = guard;
        this.proxy = proxy;
    }

    /** Null where there is none. */
    public @Nullable UpstreamProxy proxy() {
        return proxy;
    }

    /** @param permitted the reserved ranges that the document names */
    public Plan plan(Origin origin, Resolver.Resolution resolution, List<Cidr> permitted) {
        return switch (resolution) {
            case Resolver.Resolution.Resolved(List<InetAddress> found) ->
                switch (guard.judge(found, origin.port(), permitted)) {
                    case AddressGuard.Judgement.Allowed(List<InetAddress> allowed) ->
                        new Plan.Ways(ways(origin, allowed));
                    case AddressGuard.Judgement.Forbidden(String reason) -> new Plan.Forbidden(reason);
                };
            case Resolver.Resolution.Failed(String reason) ->
                byName(origin) ? new Plan.Ways(List.of(BY_NAME)) : new Plan.Unresolved(reason);
        };
    }

    /** The same for the proxy itself, which may stand anywhere but at one of the broker's own doors. */
    public Plan toProxy(UpstreamProxy itself, Resolver.Resolution resolution) {
        return switch (resolution) {
            case Resolver.Resolution.Resolved(List<InetAddress> found) ->
                switch (guard.judge(found, itself.port(), ANYWHERE)) {
                    case AddressGuard.Judgement.Allowed(List<InetAddress> allowed) ->
                        new Plan.Ways(allowed.stream()
                                .map(address -> new Way(address, false))
                                .toList());
                    case AddressGuard.Judgement.Forbidden(String reason) -> new Plan.Forbidden(reason);
                };
            case Resolver.Resolution.Failed(String reason) -> new Plan.Unresolved(reason);
        };
    }

    private List<Way> ways(Origin origin, List<InetAddress> allowed) {
        boolean named = byName(origin);
        List<Way> ways = new ArrayList<>(allowed.size());
        for (InetAddress address : allowed) {
            boolean proxied = proxy != null && !proxy.passedBy(origin.host(), address);
            Way way = proxied && named ? BY_NAME : new Way(address, proxied);
            if (way != BY_NAME || !ways.contains(BY_NAME)) {
                ways.add(way);
            }
        }
        return ways;
    }

    /** Only what proves its name may be left to the proxy's resolver: plain HTTP goes to the address that was judged, or nowhere. */
    private boolean byName(Origin origin) {
        return proxy != null
                && proxy.target() == UpstreamProxy.Target.NAME
                && origin.secure()
                && !proxy.passedBy(origin.host())
                && !(IpLiteral.parse(origin.host()) instanceof Parsed.Valid<IpLiteral>);
    }
}

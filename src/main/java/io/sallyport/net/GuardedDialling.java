package io.sallyport.net;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hc.client5.http.DnsResolver;

/**
 * Resolves for one call, once: what the guard allowed is handed to the connector, which never asks again. So the address checked is the
 * address dialled, whatever the name answers a moment later.
 *
 * @param secure false where the call is plain HTTP, which only loopback may carry
 */
record GuardedDialling(Resolver resolver, AddressGuard guard, List<Cidr> permitted, boolean secure)
        implements DnsResolver {

    @Override
    public List<InetSocketAddress> resolve(String host, int port) throws UnknownHostException {
        List<InetAddress> addresses = switch (guard.judge(addresses(host), port, permitted)) {
            case AddressGuard.Judgement.Allowed(var allowed) -> allowed;
            case AddressGuard.Judgement.Forbidden(String reason) -> throw new UnknownHostException(reason);
        };
        if (!secure && !addresses.stream().allMatch(InetAddress::isLoopbackAddress)) {
            throw new UnknownHostException("http is allowed to loopback alone; https is allowed");
        }
        return addresses.stream()
                .map(address -> new InetSocketAddress(address, port))
                .toList();
    }

    private List<InetAddress> addresses(String host) throws UnknownHostException {
        try {
            var resolution = resolver.resolve(host)
                    .toCompletableFuture()
                    .get(CachingResolver.DEADLINE.toSeconds() + 1, TimeUnit.SECONDS);
            return switch (resolution) {
                case Resolver.Resolution.Resolved(var addresses) -> addresses;
                case Resolver.Resolution.Failed(String reason) -> throw new UnknownHostException(reason);
            };
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnknownHostException("interrupted");
        } catch (ExecutionException | TimeoutException e) {
            throw new UnknownHostException("the name could not be resolved");
        }
    }

    /** Without a port there is nothing to judge. */
    @Override
    public InetAddress[] resolve(String host) throws UnknownHostException {
        throw new UnknownHostException("addresses are judged together with their port");
    }

    @Override
    public String resolveCanonicalHostname(String host) {
        return host;
    }
}

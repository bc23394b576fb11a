package io.sallyport.net;

import io.sallyport.http.Authority;
import io.sallyport.http.IpLiteral;
import io.sallyport.http.Parsed;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.xbill.DNS.DClass;
import org.xbill.DNS.ExtendedResolver;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;

/** Name servers of a setting, asked over UDP (TCP where an answer is cut) for IPv4 and IPv6 addresses at once; no hosts file, no search list. */
final class NameServers implements NameSource {

    private static final Duration ONE_TRY = Duration.ofSeconds(2);
    private static final int DNS_PORT = 53;

    private final ExtendedResolver servers;

    /** @param servers {@code ip}, {@code ip:port} or {@code [ip6]:port}; at least one, asked in order */
    NameServers(List<String> servers) {
        List<org.xbill.DNS.Resolver> each = new ArrayList<>();
        for (String server : servers) {
            SimpleResolver one = new SimpleResolver(address(server));
            one.setTimeout(ONE_TRY);
            each.add(one);
        }
        this.servers = new ExtendedResolver(each);
        this.servers.setTimeout(CachingResolver.DEADLINE.minusMillis(500));
        this.servers.setRetries(2);
    }

    private static InetSocketAddress address(String server) {
        Parsed<InetSocketAddress> parsed = Authority.parse(server)
                .then(authority -> IpLiteral.parse(authority.host())
                        .then(ip -> Parsed.valid(new InetSocketAddress(
                                Cidr.address(ip.bytes()), authority.port() == 0 ? DNS_PORT : authority.port()))));
        return switch (parsed) {
            case Parsed.Valid<InetSocketAddress>(InetSocketAddress address) -> address;
            case Parsed.Malformed<InetSocketAddress> _ ->
                throw new IllegalArgumentException(
                        "name server '" + server + "': an IP address with an optional port is allowed");
        };
    }

    @Override
    public CompletableFuture<Answer> ask(String name) {
        Name absolute;
        try {
            absolute = Name.fromString(name, Name.root);
        } catch (TextParseException e) {
            return CompletableFuture.completedFuture(new Answer.NotFound("no such name"));
        }
        CompletableFuture<NameAnswer> v4 = ask(absolute, Type.A);
        CompletableFuture<NameAnswer> v6 = ask(absolute, Type.AAAA);
        return v4.thenCombine(v6, NameServers::together);
    }

    private CompletableFuture<NameAnswer> ask(Name name, int type) {
        Message question = Message.newQuery(org.xbill.DNS.Record.newRecord(name, type, DClass.IN));
        return servers.sendAsync(question)
                .toCompletableFuture()
                .thenApply(answer -> NameAnswer.read(name, type, answer))
                .exceptionally(_ -> NameAnswer.none("the name servers do not answer"));
    }

    /** One family that fails does not take the other with it: what was not answered is not dialled. */
    private static Answer together(NameAnswer v4, NameAnswer v6) {
        List<InetAddress> addresses = new ArrayList<>(v4.addresses());
        addresses.addAll(v6.addresses());
        if (addresses.isEmpty()) {
            return new Answer.NotFound(v4.problem());
        }
        long seconds = Math.min(
                v4.addresses().isEmpty() ? Long.MAX_VALUE : v4.seconds(),
                v6.addresses().isEmpty() ? Long.MAX_VALUE : v6.seconds());
        return new Answer.Found(List.copyOf(addresses), Duration.ofSeconds(seconds));
    }
}

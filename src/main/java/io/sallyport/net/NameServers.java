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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;

/**
 * Name servers of a setting, asked over UDP (TCP where an answer is cut) for IPv4 and IPv6 addresses at once; no hosts file, no search list.
 * The next one is asked where one is silent, talks nonsense, or can't answer.
 */
final class NameServers implements NameSource, AutoCloseable {

    /** So that three fit into the deadline of an answer. */
    private static final Duration ONE_TRY = Duration.ofMillis(1500);

    /**
     * How long one family waits for the other (RFC 8305 section 3 has the idea): servers that drop questions for AAAA are common. What was
     * not answered is not dialled, so nothing unjudged comes of it.
     */
    private static final Duration OTHER_FAMILY = Duration.ofMillis(250);

    private static final int DNS_PORT = 53;

    private final List<SimpleResolver> servers = new ArrayList<>();
    private final ExecutorService threads = NameThreads.of(1);

    /** @param servers {@code ip}, {@code ip:port} or {@code [ip6]:port}; at least one, asked in order */
    NameServers(List<String> servers) {
        for (String server : servers) {
            SimpleResolver one = new SimpleResolver(address(server));
            one.setTimeout(ONE_TRY);
            this.servers.add(one);
        }
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
        try {
            // Even to begin a question opens a socket: not on the thread of whoever asks.
            return CompletableFuture.supplyAsync(() -> both(name), threads).thenCompose(Function.identity());
        } catch (RejectedExecutionException e) {
            return CompletableFuture.completedFuture(TOO_MANY);
        }
    }

    private CompletableFuture<Answer> both(String name) {
        Name absolute;
        try {
            absolute = Name.fromString(name, Name.root);
        } catch (TextParseException e) {
            return CompletableFuture.completedFuture(new Answer.NotFound("no such name"));
        }
        CompletableFuture<NameAnswer> v4 = ask(absolute, Type.A, 0);
        CompletableFuture<NameAnswer> v6 = ask(absolute, Type.AAAA, 0);
        v4.thenAccept(answer -> hurry(v6, answer));
        v6.thenAccept(answer -> hurry(v4, answer));
        return v4.thenCombine(v6, NameServers::together);
    }

    private static void hurry(CompletableFuture<NameAnswer> other, NameAnswer known) {
        if (!known.addresses().isEmpty()) {
            other.completeOnTimeout(NameAnswer.unsettled("late"), OTHER_FAMILY.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** @param turn how many were asked before; each is asked at least once, and one that is alone twice */
    private CompletableFuture<NameAnswer> ask(Name name, int type, int turn) {
        Message question = Message.newQuery(org.xbill.DNS.Record.newRecord(name, type, DClass.IN));
        return servers.get(turn % servers.size())
                .sendAsync(question)
                .handle((answer, fault) -> answer == null
                        ? NameAnswer.unsettled("the name servers do not answer")
                        : NameAnswer.read(name, type, answer))
                .thenCompose(answer -> answer.settled() || turn + 1 >= Math.max(2, servers.size())
                        ? CompletableFuture.completedFuture(answer)
                        : ask(name, type, turn + 1))
                .toCompletableFuture();
    }

    /** One family that fails does not take the other with it: what was not answered is not dialled. */
    private static Answer together(NameAnswer v4, NameAnswer v6) {
        List<InetAddress> addresses = new ArrayList<>(v4.addresses());
        addresses.addAll(v6.addresses());
        if (addresses.isEmpty()) {
            return new Answer.NotFound(v4.settled() && !v6.settled() ? v6.problem() : v4.problem());
        }
        long seconds = Math.min(
                v4.addresses().isEmpty() ? Long.MAX_VALUE : v4.seconds(),
                v6.addresses().isEmpty() ? Long.MAX_VALUE : v6.seconds());
        return new Answer.Found(List.copyOf(addresses), Duration.ofSeconds(seconds));
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}

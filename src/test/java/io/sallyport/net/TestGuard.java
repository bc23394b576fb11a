package io.sallyport.net;

import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The broker's guarded client for tests of other rooms: the real one, with names that all lead to loopback. */
public final class TestGuard {

    private TestGuard() {}

    public static GuardedExchange exchange() {
        return client(name -> "127.0.0.1");
    }

    /** The real one with the system's names, for a real server. */
    public static GuardedExchange withSystemNames() {
        return client(name -> name);
    }

    private static GuardedHttpClient client(java.util.function.UnaryOperator<String> names) {
        return new GuardedHttpClient(
                host -> {
                    try {
                        return CompletableFuture.completedFuture(
                                new Resolver.Resolution.Resolved(List.of(InetAddress.getByName(names.apply(host)))));
                    } catch (IOException e) {
                        return CompletableFuture.completedFuture(new Resolver.Resolution.Failed("unknown"));
                    }
                },
                new Egress(new ReservedAddressGuard(port -> false), null),
                null);
    }
}

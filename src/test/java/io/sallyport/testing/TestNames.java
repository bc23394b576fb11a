package io.sallyport.testing;

import io.sallyport.net.Resolver;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A resolver that answers what a test says; every name ending in {@code .test} is on loopback until it says otherwise. */
public final class TestNames implements Resolver {

    private final Map<String, Resolution> answers = new ConcurrentHashMap<>();
    private final Set<String> faults = ConcurrentHashMap.newKeySet();
    private final Map<String, CompletableFuture<Void>> waits = new ConcurrentHashMap<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();

    /** From now on the name has these addresses. */
    public void answer(String host, String... addresses) {
        answers.put(
                host,
                new Resolution.Resolved(
                        Arrays.stream(addresses).map(TestNames::address).toList()));
    }

    public void fail(String host, String reason) {
        answers.put(host, new Resolution.Failed(reason));
    }

    /** From now on asking for the name throws: a fault of the broker's own. */
    public void fault(String host) {
        faults.add(host);
    }

    /** The name's next answers wait for this. */
    public void after(String host, CompletableFuture<Void> signal) {
        waits.put(host, signal);
    }

    /** Each question so far, in order. */
    public List<String> asked() {
        return asked;
    }

    @Override
    public CompletionStage<Resolution> resolve(String host) {
        asked.add(host);
        if (faults.contains(host)) {
            throw new IllegalStateException("a fault that a test asked for");
        }
        Resolution unknown = host.endsWith(".test")
                ? new Resolution.Resolved(List.of(address("127.0.0.1")))
                : new Resolution.Failed("no such name");
        Resolution answer = answers.getOrDefault(host, unknown);
        return waits.getOrDefault(host, CompletableFuture.completedFuture(null)).thenApply(ignored -> answer);
    }

    private static InetAddress address(String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }
}

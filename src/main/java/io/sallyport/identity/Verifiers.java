package io.sallyport.identity;

import io.sallyport.net.GuardedClient;
import java.time.Clock;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * Makes the {@link Identities} of each rule book. The fetched keys of an identity that a new book leaves as it was stay: a reload is no
 * reason to ask every issuer anew, or to lose the keys that an outage is being sat out on.
 */
public final class Verifiers {

    private final GuardedClient client;
    private final Clock clock;
    private final LongSupplier nanos;
    private final Executor executor =
            task -> Thread.ofVirtual().name("issuer-keys").start(task);
    private Map<Identity, KeySource> last = Map.of();

    /** @param nanos monotonic; ages of keys are not moved by a clock that is set */
    public Verifiers(GuardedClient client, Clock clock, LongSupplier nanos) {
        this.client = client;
        this.clock = clock;
        this.nanos = nanos;
    }

    /** Asks nobody anything until a token comes. */
    public synchronized Identities over(Collection<Identity> identities) {
        Map<Identity, KeySource> next = new HashMap<>();
        for (Identity identity : identities) {
            KeySource kept = last.get(identity);
            next.put(identity, kept == null ? source(identity) : kept);
        }
        last = Map.copyOf(next);
        return new CompiledIdentities(next, clock);
    }

    private KeySource source(Identity identity) {
        return identity.keys() instanceof KeyOrigin.Fixed fixed
                ? new FixedKeys(fixed)
                : new FetchedKeys(new IssuerKeys(identity, client), nanos, executor);
    }
}

package io.sallyport.credential;

import io.sallyport.credential.source.SourceFault;
import io.sallyport.grant.Grant;
import io.sallyport.grant.GrantEnded;
import io.sallyport.grant.Grants;
import io.sallyport.http.Origin;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** Leases on warm secrets, by grant. */
final class CredentialLeases implements Leases, HeldSecrets {

    private static final int SHORTEST = 8;

    private final WarmSecrets warm;
    private final Grants grants;
    private final Clock clock;
    private final RecentSecrets recent = new RecentSecrets();
    private final ConcurrentHashMap<String, Set<HeldLease>> byGrant = new ConcurrentHashMap<>();

    /** @param clock the wall's: what is put on requests may be dated */
    CredentialLeases(WarmSecrets warm, Grants grants, Clock clock) {
        this.warm = warm;
        this.grants = grants;
        this.clock = clock;
        grants.onEnded(this::drop);
    }

    @Override
    public CompletionStage<Leasing> lease(Credential credential, Origin origin, Grant grant) {
        CompiledCredential compiled = compiled(credential);
        if (!compiled.mayGoTo(origin)) {
            return CompletableFuture.completedFuture(unavailable(compiled, origin + " is not among its destinations"));
        }
        return look(compiled, grant);
    }

    private CompletionStage<Leasing> look(CompiledCredential credential, Grant grant) {
        WarmSecrets.Found found = warm.secret(credential, grant);
        return found.state().isDone()
                ? leased(credential, found.home(), found.state().join(), grant)
                : found.state().thenCompose(state -> leased(credential, found.home(), state, grant));
    }

    private CompletionStage<Leasing> leased(
            CompiledCredential credential, WarmSecret home, SecretState state, Grant grant) {
        return switch (state) {
            case SecretState.Missing(SourceFault fault, var until) ->
                CompletableFuture.completedFuture(unavailable(credential, fault.cause()));
            case SecretState.Ready ready
            when ready.secret().hold() ->
                CompletableFuture.completedFuture(leased(credential, home, ready.secret(), grant));
            // Replaced between the look and the hold, or let go with its grant.
            case SecretState.Ready ready ->
                grants.stands(grant) ? look(credential, grant) : CompletableFuture.completedFuture(ended(credential));
        };
    }

    @Override
    public CompletionStage<Trial> test(Credential credential) {
        return warm.test(compiled(credential));
    }

    @Override
    public List<PendingRevocation> pendingRevocations() {
        return warm.revocations().pending().stream()
                .map(one -> new PendingRevocation(one.credential(), one.since(), one.attempts(), one.cause()))
                .toList();
    }

    @Override
    public long abandonedRevocations() {
        return warm.revocations().abandoned();
    }

    @Override
    public void inForce(Collection<Credential> credentials) {
        warm.inForce(credentials.stream().map(CredentialLeases::compiled).toList());
    }

    @Override
    public CompletionStage<Optional<String>> whyUnavailable(Credential credential) {
        CompiledCredential compiled = compiled(credential);
        return warm.lack(compiled)
                .thenApply(
                        lack -> lack.map(cause -> unavailable(compiled, cause).cause()));
    }

    @Override
    public Scrubber scrubber(List<Lease> leases) {
        List<HeldLease> held = new ArrayList<>();
        for (Lease lease : leases) {
            // A client's key is never sent, so there is nothing of it to look for.
            if (lease instanceof HeldLease one && one.secret().certificate() == null) {
                held.add(one);
            }
        }
        List<Shape> ofThisRequest = ofThisRequest(leases);
        if (held.size() == 1 && ofThisRequest.isEmpty()) {
            HeldLease lease = held.getFirst();
            return recent.set(lease.home(), lease.secret())
                    .<Scrubber>map(MaskingScrubber::new)
                    .orElseGet(PassingScrubber::new);
        }
        List<Shape> all = new ArrayList<>(ofThisRequest);
        held.forEach(lease -> all.addAll(recent.shapes(lease.home(), lease.secret())));
        return all.isEmpty() ? new PassingScrubber() : new MaskingScrubber(new ShapeSet(all));
    }

    /** What is as good as the secret on this one request. Shorter ones turn up by chance in good data. */
    private static List<Shape> ofThisRequest(List<Lease> leases) {
        List<Shape> shapes = new ArrayList<>();
        for (Lease lease : leases) {
            for (byte[] text : lease.scrubbed()) {
                if (text.length >= SHORTEST) {
                    shapes.addAll(SecretShapes.of(text));
                }
            }
        }
        return shapes;
    }

    /** Credentials come from {@link CredentialCompiler} alone. */
    static CompiledCredential compiled(Credential credential) {
        if (credential instanceof CompiledCredential compiled) {
            return compiled;
        }
        throw new IllegalArgumentException("credential '" + credential.name() + "' was not compiled from a document");
    }

    /** Entered first and looked at last: an ending between the two finds the lease here, and one before is seen by the look. */
    private Leasing leased(CompiledCredential credential, WarmSecret home, HeldSecret secret, Grant grant) {
        recent.leased(home, secret);
        HeldLease lease = new HeldLease(credential.name(), secret, home, clock, closed -> forget(grant, closed));
        byGrant.compute(grant.id(), (id, leases) -> {
            Set<HeldLease> all = leases == null ? ConcurrentHashMap.newKeySet() : leases;
            all.add(lease);
            return all;
        });
        if (!grants.stands(grant)) {
            lease.close();
            return ended(credential);
        }
        return new Leasing.Leased(lease);
    }

    private void forget(Grant grant, HeldLease lease) {
        byGrant.computeIfPresent(grant.id(), (id, leases) -> {
            leases.remove(lease);
            return leases.isEmpty() ? null : leases;
        });
    }

    /** To be called about once a second. */
    void tick() {
        warm.tick(grants::stands);
    }

    private void drop(GrantEnded ended) {
        Set<HeldLease> leases = byGrant.remove(ended.grant().id());
        if (leases != null) {
            leases.forEach(HeldLease::close);
        }
        warm.ended(ended.grant());
    }

    /** For tests: how many leases are open. */
    int open() {
        return byGrant.values().stream().mapToInt(Set::size).sum();
    }

    private static Leasing.Unavailable ended(Credential credential) {
        return new Leasing.Unavailable("the grant for credential '" + credential.name() + "' has ended");
    }

    private static Leasing.Unavailable unavailable(Credential credential, String cause) {
        return new Leasing.Unavailable("credential '" + credential.name() + "': " + cause);
    }
}

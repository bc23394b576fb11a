package io.sallyport.credential;

import io.sallyport.grant.Grant;
import io.sallyport.grant.GrantEnded;
import io.sallyport.grant.Grants;
import io.sallyport.http.Origin;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** Leases on warm secrets, by grant. */
final class CredentialLeases implements Leases {

    private final WarmSecrets warm;
    private final Grants grants;
    private final ConcurrentHashMap<String, Set<HeldLease>> byGrant = new ConcurrentHashMap<>();

    CredentialLeases(WarmSecrets warm, Grants grants) {
        this.warm = warm;
        this.grants = grants;
        grants.onEnded(this::drop);
    }

    @Override
    public CompletionStage<Leasing> lease(Credential credential, Origin origin, Grant grant) {
        CompiledCredential compiled = compiled(credential);
        if (!compiled.mayGoTo(origin)) {
            return CompletableFuture.completedFuture(unavailable(compiled, origin + " is not among its destinations"));
        }
        CompletableFuture<WarmSecrets.State> secret = warm.secret(compiled);
        return secret.isDone()
                ? leased(compiled, secret.join(), origin, grant)
                : secret.thenCompose(state -> leased(compiled, state, origin, grant));
    }

    private CompletionStage<Leasing> leased(
            CompiledCredential credential, WarmSecrets.State state, Origin origin, Grant grant) {
        return switch (state) {
            case WarmSecrets.State.Missing(var version, String cause, var at) ->
                CompletableFuture.completedFuture(unavailable(credential, cause));
            case WarmSecrets.State.Ready ready ->
                ready.secret().hold()
                        ? CompletableFuture.completedFuture(leased(credential, ready.secret(), grant))
                        // Replaced between the look and the hold: look again.
                        : lease(credential, origin, grant);
        };
    }

    @Override
    public CompletionStage<Optional<String>> whyUnavailable(Credential credential) {
        CompiledCredential compiled = compiled(credential);
        return warm.secret(compiled).thenApply(state -> switch (state) {
            case WarmSecrets.State.Ready ready -> Optional.<String>empty();
            case WarmSecrets.State.Missing(var version, String cause, var at) ->
                Optional.of(unavailable(compiled, cause).cause());
        });
    }

    @Override
    public Scrubber scrubber(List<Lease> leases) {
        List<HeldSecret> held = new ArrayList<>();
        for (Lease lease : leases) {
            HeldSecret secret = ((HeldLease) lease).scrubbed();
            // A client's key is never sent, so there is nothing of it to look for.
            if (secret.certificate() == null) {
                held.add(secret);
            }
        }
        return switch (held.size()) {
            case 0 -> new PassingScrubber();
            case 1 -> new MaskingScrubber(held.getFirst().set());
            default ->
                new MaskingScrubber(new ShapeSet(held.stream()
                        .flatMap(secret -> secret.shapes().stream())
                        .toList()));
        };
    }

    /** Credentials come from {@link CredentialCompiler} alone. */
    static CompiledCredential compiled(Credential credential) {
        if (credential instanceof CompiledCredential compiled) {
            return compiled;
        }
        throw new IllegalArgumentException("credential '" + credential.name() + "' was not compiled from a document");
    }

    /** Entered first and looked at last: an ending between the two finds the lease here, and one before is seen by the look. */
    private Leasing leased(CompiledCredential credential, HeldSecret secret, Grant grant) {
        HeldLease lease = new HeldLease(credential.name(), secret, closed -> forget(grant, closed));
        byGrant.compute(grant.id(), (id, leases) -> {
            Set<HeldLease> all = leases == null ? ConcurrentHashMap.newKeySet() : leases;
            all.add(lease);
            return all;
        });
        if (!grants.stands(grant)) {
            lease.close();
            return new Leasing.Unavailable("the grant for credential '" + lease.credential() + "' has ended");
        }
        return new Leasing.Leased(lease);
    }

    private void forget(Grant grant, HeldLease lease) {
        byGrant.computeIfPresent(grant.id(), (id, leases) -> {
            leases.remove(lease);
            return leases.isEmpty() ? null : leases;
        });
    }

    private void drop(GrantEnded ended) {
        Set<HeldLease> leases = byGrant.remove(ended.grant().id());
        if (leases != null) {
            leases.forEach(HeldLease::close);
        }
    }

    /** For tests: how many leases are open. */
    int open() {
        return byGrant.values().stream().mapToInt(Set::size).sum();
    }

    private static Leasing.Unavailable unavailable(Credential credential, String cause) {
        return new Leasing.Unavailable("credential '" + credential.name() + "': " + cause);
    }
}

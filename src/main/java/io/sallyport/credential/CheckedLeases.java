package io.sallyport.credential;

import io.sallyport.grant.Grant;
import io.sallyport.http.Origin;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Leases of credentials that may go where their documents send them now: the places are asked before a secret is. */
final class CheckedLeases implements Leases {

    private final Leases leases;
    private final JdbcPlaces places;

    CheckedLeases(Leases leases, JdbcPlaces places) {
        this.leases = leases;
        this.places = places;
    }

    @Override
    public CompletionStage<Leasing> lease(Credential credential, Origin origin, Grant grant) {
        Optional<String> problem = problem(credential);
        if (problem.isPresent()) {
            return CompletableFuture.completedFuture(new Leasing.Unavailable(problem.get()));
        }
        CompletableFuture<Integer> met =
                places.met(CredentialLeases.compiled(credential)).toCompletableFuture();
        if (met.isDone() && !met.isCompletedExceptionally()) {
            return leases.lease(credential, origin, grant);
        }
        // Another document with this source may have been met first: look again.
        return met.thenCompose(_ -> lease(credential, origin, grant));
    }

    @Override
    public CompletionStage<Optional<String>> whyUnavailable(Credential credential) {
        Optional<String> problem = problem(credential);
        return problem.isPresent() ? CompletableFuture.completedFuture(problem) : leases.whyUnavailable(credential);
    }

    @Override
    public Scrubber scrubber(List<Lease> held) {
        return leases.scrubber(held);
    }

    private Optional<String> problem(Credential credential) {
        List<String> unconfirmed = places.unconfirmed(credential);
        return unconfirmed.isEmpty()
                ? Optional.empty()
                : Optional.of("credential '" + credential.name()
                        + "': its destinations or injection have changed since it was confirmed ("
                        + unconfirmed.getFirst()
                        + "); an operator confirms it with: sallyport credential confirm " + credential.name());
    }
}

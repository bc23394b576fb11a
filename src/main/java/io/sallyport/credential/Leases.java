package io.sallyport.credential;

import io.sallyport.grant.Grant;
import io.sallyport.http.Origin;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Hands out leases. Drops them when their grant ends. */
public interface Leases {

    sealed interface Leasing {
        record Leased(Lease lease) implements Leasing {}

        /** @param cause for the ledger and the log, naming the credential and never its value; the agent gets a generic 503 */
        record Unavailable(String cause) implements Leasing {}
    }

    /** Already complete when the secret is warm. An origin that is not among the credential's destinations is unavailable, always. */
    CompletionStage<Leasing> lease(Credential credential, Origin origin, Grant grant);

    /**
     * Empty when the credential's secret can be had at this moment, as far as is known; else the cause, for health and for whoever lists
     * credentials. Asks only sources on this machine: another one is not to be asked, nor a secret of it kept alive, by whoever looks.
     */
    CompletionStage<Optional<String>> whyUnavailable(Credential credential);

    /** One scrubber for an answer to a request that carries all these leases; with none it passes everything. */
    Scrubber scrubber(List<Lease> leases);
}

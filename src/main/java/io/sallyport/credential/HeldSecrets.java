package io.sallyport.credential;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** What operators may know of the secrets that are held, and do about them. Says nothing of any value. */
public interface HeldSecrets {

    /** What an operator's test of a credential found. */
    sealed interface Trial {

        /**
         * @param parts names of what the source gave, never values
         * @param lives how long it is good for, counted from now
         */
        record Works(Set<String> parts, Duration lives) implements Trial {}

        /**
         * @param kind {@code missing}, {@code denied}, {@code down} or {@code bad}
         * @param cause as the ledger tells it
         */
        record Fails(String kind, String cause) implements Trial {}
    }

    /** Asks the source, whatever is held and believed; the way a lease takes. What is had for one grant alone is given back at once. */
    CompletionStage<Trial> test(Credential credential);

    /** A secret that its source has not taken back yet. @param cause of the last attempt that failed, empty before one has */
    record PendingRevocation(String credential, Instant since, int attempts, String cause) {}

    /** Oldest first. */
    List<PendingRevocation> pendingRevocations();

    /** How many were given up since the start; the source's own time to live ends those. */
    long abandonedRevocations();

    /** What is held for documents that are not among these any more is given back. */
    void inForce(Collection<Credential> credentials);
}

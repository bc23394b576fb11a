package io.sallyport.grant;

import java.util.Optional;

/** What keeps a revoked kind of grant from being opened again. Answers from memory. */
@FunctionalInterface
public interface Locks {

    /** @return the id of a standing lock that matches the candidate; empty when none does */
    Optional<String> lockedBy(Grant candidate);
}

package io.sallyport.revocation;

import java.util.List;
import java.util.Optional;

/** Ends what matches, at once, and keeps it ended. */
public interface Revocations {

    /**
     * Ends every standing grant that matches, with its descendants: in memory first (flows are cut), on disk next. A selector wider than a
     * task or a grant also locks. Repeating an order ends nothing twice and locks nothing twice.
     *
     * @param reason why, for the ledger; not blank
     * @param by who ordered it, for the ledger
     * @return {@code durable} false when the store could not take the record yet: it is cut all the same, and the record is retried
     * @throws IllegalArgumentException for a blank reason
     */
    Receipt order(Selector selector, String reason, String by);

    /** A receipt as it is by now: {@code durable} may have become true. */
    Optional<Receipt> find(String id);

    /** The locks that stand, oldest first. */
    List<Lock> locks();

    /**
     * Lifts a lock, durably before it returns. Grants that it ended stay ended.
     *
     * @param reason why, for the ledger; not blank
     * @return false when no such lock stands
     * @throws IllegalArgumentException for a blank reason
     * @throws io.sallyport.store.StoreFault when the store can't record it, or the lock itself is not on disk yet: it stays
     */
    boolean lift(String lock, String reason, String by);
}

package io.sallyport.ledger;

import io.sallyport.store.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The record. Appending is part of the caller's transaction; what is not appended did not happen. */
public interface Ledger {

    /** Appends with the time of the clock and the digest of the rule book in force. */
    Appended append(Tx tx, Fact fact) throws SQLException;

    /** Oldest first. A query by {@code sha256} finds the entry that closes that content (or request), at any size. */
    Page find(Query query);

    Optional<Entry> entry(long seq);

    /** Recomputes every hash from the stored bytes. */
    Check verify();

    /**
     * All that are not null must hold.
     *
     * @param sha256 of content, a prefix at a window's end, or a request
     * @param after only entries with a greater sequence number; -1 for all
     * @param limit 1 to 1,000
     */
    record Query(
            @Nullable String sha256,
            @Nullable String task,
            @Nullable String grant,
            @Nullable String kind,
            @Nullable Instant from,
            @Nullable Instant to,
            long after,
            int limit) {}

    /** @param more whether further entries match behind the last one here */
    record Page(List<Entry> entries, boolean more) {}

    /**
     * An entry as stored.
     *
     * @param canonical the exact bytes that the leaf hash covers: one JSON object (RFC 8785)
     */
    record Entry(long seq, Instant time, String kind, String canonical, String leafHash, String chainHash) {}

    /** @param firstBad the first sequence number that does not hold; null when all do */
    record Check(
            long entries,
            String chainHash,
            @Nullable Long firstBad,
            @Nullable String why) {}
}

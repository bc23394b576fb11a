package io.sallyport.ledger;

import io.sallyport.store.SqliteStore;
import io.sallyport.store.Tx;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The record. Appending is part of the caller's transaction; what is not appended did not happen. */
public interface Ledger extends LedgerView {

    /**
     * The ledger in the store. Uses that were left without an outcome are closed, and the start is recorded, before this returns.
     *
     * @throws io.sallyport.store.StoreFault when that can't be recorded
     */
    static Ledger start(SqliteStore store, Clock clock, BookDigest book, LedgerSettings settings) {
        Ledger ledger = new JdbcLedger(store.readers(), clock, book);
        store.writer().write(new Start(ledger, settings.version(), settings.node()));
        return ledger;
    }

    /** Appends with the time of the clock and the digest of the rule book in force. */
    Appended append(Tx tx, Fact fact) throws SQLException;

    /**
     * All that are not null must hold.
     *
     * @param sha256 of content, a prefix at a window's end, or a request: lower-case hexadecimal
     * @param kind as in {@code used}
     * @param from entries of this time or later
     * @param to entries before this time
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
            int limit) {

        public Query {
            if (sha256 != null) {
                Sha256.parse(sha256);
            }
            if (limit < 1 || limit > 1_000) {
                throw new IllegalArgumentException("limit must be 1 to 1000: " + limit);
            }
        }

        /** All entries, to be narrowed. */
        public static Query all(int limit) {
            return new Query(null, null, null, null, null, null, -1, limit);
        }

        public static Query ofSha256(String sha256, int limit) {
            return new Query(sha256, null, null, null, null, null, -1, limit);
        }

        public static Query ofTask(String task, int limit) {
            return new Query(null, task, null, null, null, null, -1, limit);
        }
    }

    /** @param more whether further entries match behind the last one here */
    record Page(List<Entry> entries, boolean more) {}

    /**
     * An entry as stored.
     *
     * @param canonical the exact bytes that the leaf hash covers: one JSON object (RFC 8785)
     */
    record Entry(long seq, Instant time, String kind, String canonical, String leafHash, String chainHash) {}

    /**
     * What verification found.
     *
     * @param entries that hold, from the first on
     * @param chainHash of the last of them
     * @param firstBad the first sequence number that does not hold; null when all do
     * @param why what is wrong there, in words
     */
    record Check(
            long entries,
            String chainHash,
            @Nullable Long firstBad,
            @Nullable String why) {

        public boolean good() {
            return firstBad == null;
        }
    }
}

package io.sallyport.ledger;

import io.sallyport.store.Tx;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * The look-up by hash, in sorted runs. SHA-256 is random, so an ordinary index would change one page for each hash, and each page is written
 * twice (log and database) though it gained 40 bytes; measured, two such indexes tripled the cost of an append. A run of entries is sorted
 * and put in at once instead, at the end of the table. A look-up asks each run, and looks through the entries after the last.
 */
final class HashRuns {

    /** Small enough that sorting one is not felt by whoever waits, and that looking through an unfinished one takes milliseconds. */
    static final int ENTRIES = 4_096;

    private static final String PUT_IN = """
            insert into entry_hash (run, hash, seq)
            select ?1, hash, seq from (
                select substr(prefix_sha256, 1, 8) as hash, seq from entry
                where seq >= ?2 and seq < ?3 and prefix_sha256 is not null
                union
                select substr(request_sha256, 1, 8), seq from entry
                where seq >= ?2 and seq < ?3 and request_sha256 is not null)
            order by hash, seq""";

    /** For a row of {@code entry}: whether the runs lead to it; also true of one that no run covers yet. */
    static final String LEADS_TO_ROW = """
            (seq / 4096 > (select coalesce(max(run), -1) from entry_hash)
            or ((prefix_sha256 is null or exists (select 1 from entry_hash h
                    where h.run = entry.seq / 4096 and h.hash = substr(entry.prefix_sha256, 1, 8) and h.seq = entry.seq))
                and (request_sha256 is null or exists (select 1 from entry_hash h
                    where h.run = entry.seq / 4096 and h.hash = substr(entry.request_sha256, 1, 8) and h.seq = entry.seq))))""";

    /** A condition on {@code entry} with one parameter, the hash. */
    static final String HAS_HASH = """
            seq in (
                with recursive
                    last (run) as (select coalesce(max(run), -1) from entry_hash),
                    runs (run) as (select 0 from last where last.run >= 0
                        union all select runs.run + 1 from runs, last where runs.run < last.run)
                select h.seq from runs cross join entry_hash h on h.run = runs.run and h.hash = substr(?1, 1, 8)
                union all
                select seq from entry
                where seq >= (select (run + 1) * 4096 from last) and (prefix_sha256 = ?1 or request_sha256 = ?1))
            and (prefix_sha256 = ?1 or request_sha256 = ?1)""";

    private HashRuns() {}

    /** Called when entries from one number to before another have become rows; puts in the runs that they fill. */
    static void appended(Tx tx, long from, long to) throws SQLException {
        for (long run = from / ENTRIES; run < to / ENTRIES; run++) {
            PreparedStatement putIn = tx.prepare(PUT_IN);
            putIn.setLong(1, run);
            putIn.setLong(2, run * ENTRIES);
            putIn.setLong(3, (run + 1) * ENTRIES);
            putIn.executeUpdate();
        }
    }
}

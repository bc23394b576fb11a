package io.sallyport.ledger;

import io.sallyport.ledger.Ledger.Query;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Where entries that a query asks for can be, in order: stretches of full runs that have its key and its time, then all that comes after
 * the last run. They are found as they are asked for, so that a page costs what it shows and not what there is.
 */
final class Places implements AutoCloseable {

    private final PreparedStatement select;
    private final ResultSet runs;
    private final long afterRuns;
    private long from;
    private long to;

    /** Bits of parts of the current run that have not been handed out. */
    private long parts;

    private long run = -1;
    private boolean atEnd;

    private Places(PreparedStatement select, ResultSet runs, long afterRuns) {
        this.select = select;
        this.runs = runs;
        this.afterRuns = afterRuns;
    }

    static Places of(Connection connection, Query query) throws SQLException {
        long afterRuns = afterRuns(connection);
        Object key = key(query);
        Entries.Conditions where = new Entries.Conditions();
        where.add("r.run >= ?", Runs.runOf(Math.max(0, query.after() + 1)));
        where.add("r.to_time >= ?", query.from() == null ? null : LedgerView.micros(query.from()));
        where.add("r.from_time < ?", query.to() == null ? null : LedgerView.micros(query.to()));
        // A cross join keeps its order: by run, whatever the planner thinks of the numbers.
        PreparedStatement select = connection.prepareStatement((key == null
                        ? "select r.run, -1 from entry_run r where true"
                        : "select r.run, k.parts from entry_run r cross join entry_key k"
                                + " where k.run = r.run and k.key = ?")
                + where.sql + " order by r.run");
        try {
            if (key != null) {
                select.setObject(1, key);
            }
            where.bind(select, key == null ? 1 : 2);
            return new Places(select, select.executeQuery(), afterRuns);
        } catch (SQLException e) {
            select.close();
            throw e;
        }
    }

    /** The one that is likely to be the rarest. */
    private static @Nullable Object key(Query query) {
        if (query.sha256() != null) {
            return HashParts.bytes(HashParts.key(Sha256.parse(query.sha256())));
        }
        if (query.grant() != null) {
            return Runs.grant(query.grant());
        }
        if (query.task() != null) {
            return Runs.task(query.task());
        }
        return query.kind() == null ? null : Runs.kind(query.kind());
    }

    static long afterRuns(Connection connection) throws SQLException {
        try (PreparedStatement last = connection.prepareStatement("select coalesce(max(run) + 1, 0) from entry_run");
                ResultSet row = last.executeQuery()) {
            return row.next() ? row.getLong(1) * Runs.ENTRIES : 0;
        }
    }

    /** @return false when there is no further place */
    boolean next() throws SQLException {
        if (parts == 0 && !atEnd) {
            atEnd = !runs.next();
            run = atEnd ? -1 : runs.getLong(1);
            parts = atEnd ? 0 : runs.getLong(2);
        }
        if (parts != 0) {
            stretch();
            return true;
        }
        boolean rest = from < afterRuns || to < Long.MAX_VALUE;
        from = afterRuns;
        to = Long.MAX_VALUE;
        return rest;
    }

    /** The first parts that lie side by side. */
    private void stretch() {
        int first = Long.numberOfTrailingZeros(parts);
        int count = Long.numberOfTrailingZeros(~(parts >>> first));
        parts = first + count == Runs.PARTS ? 0 : parts & -1L << first + count;
        from = run * Runs.ENTRIES + (long) first * Runs.ENTRIES_OF_PART;
        to = from + (long) count * Runs.ENTRIES_OF_PART;
    }

    long from() {
        return from;
    }

    /** Exclusive. */
    long to() {
        return to;
    }

    @Override
    public void close() throws SQLException {
        runs.close();
        select.close();
    }
}

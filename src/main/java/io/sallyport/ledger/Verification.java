package io.sallyport.ledger;

import io.sallyport.ledger.Ledger.Check;
import io.sallyport.ledger.LedgerView.Head;
import io.sallyport.store.Readers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** One walk over the record, from the stored bytes alone, up to the first entry that does not hold. */
final class Verification {

    /** So many at a time: one read over the whole record would keep the write-ahead log from being folded back for as long. */
    private static final int AT_A_TIME = 5_000;

    private static final String ROWS =
            "select seq, time, kind, task, grant_id, use, prefix_sha256, request_sha256, canonical, leaf_hash, chain_hash"
                    + " from entry where seq >= ? and seq < ? order by seq limit ?";

    private final Readers readers;
    private final @Nullable Head earlier;
    private final Chain chain = new Chain();
    private final RowCheck rowCheck = new RowCheck();
    private final RunCheck runCheck = new RunCheck();
    private long next;
    private byte[] before = Chain.start();
    private @Nullable Long firstBad;
    private @Nullable String why;

    Verification(Readers readers, @Nullable Head earlier) {
        this.readers = readers;
        this.earlier = earlier;
    }

    /** Where the record ended when the walk began; what is appended meanwhile is left to the next time. */
    private record End(long entries, byte[] chainHash, long greatest) {}

    Check run() {
        End end = readers.read(Verification::end);
        matchesEarlier();
        while (firstBad == null && next < end.entries) {
            readers.read(connection -> walk(connection, end));
        }
        if (firstBad == null) {
            compareWith(end);
        }
        return new Check(next, Sha256.hex(before), firstBad, why);
    }

    private static End end(Connection connection) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(Entries.HEAD);
                ResultSet row = select.executeQuery()) {
            boolean empty = !row.next();
            long entries = empty ? 0 : row.getLong(1);
            byte[] chainHash = empty ? Chain.start() : row.getBytes(2);
            long greatest = empty ? -1 : row.getLong(3);
            return new End(entries, chainHash, !empty && row.wasNull() ? -1 : greatest);
        }
    }

    /** @return how far the walk has come */
    private long walk(Connection connection, End end) throws SQLException {
        long from = next;
        try (PreparedStatement select = connection.prepareStatement(ROWS)) {
            select.setLong(1, from == 0 ? Long.MIN_VALUE : from);
            select.setLong(2, end.entries);
            select.setInt(3, AT_A_TIME);
            try (ResultSet rows = select.executeQuery()) {
                while (firstBad == null && rows.next()) {
                    take(connection, rows);
                }
            }
        }
        if (firstBad == null && next == from) {
            bad(next, "the entry is missing: the record ends with " + (end.entries - 1));
        }
        return next;
    }

    private void take(Connection connection, ResultSet row) throws SQLException {
        long seq = row.getLong(1);
        if (seq != next) {
            bad(next, "the entry is missing: the next one there is " + seq);
            return;
        }
        byte[] leaf = chain.leaf(row.getBytes(9));
        byte[] chained = chain.next(before, leaf);
        if (!Arrays.equals(leaf, row.getBytes(10))) {
            bad(seq, "its bytes do not have the leaf hash that is stored with them");
        } else if (!Arrays.equals(chained, row.getBytes(11))) {
            bad(seq, "its chain hash does not follow from the entry before it");
        } else {
            String differs = rowCheck.difference(row);
            differs = differs == null ? notFound(connection, row) : differs;
            if (differs != null) {
                bad(seq, differs);
            } else {
                before = chained;
                next++;
                matchesEarlier();
            }
        }
    }

    private @Nullable String notFound(Connection connection, ResultSet row) throws SQLException {
        Runs.Keys keys =
                new Runs.Keys(row.getString(3), row.getString(4), row.getString(5), row.getBytes(7), row.getBytes(8));
        return runCheck.missing(connection, row.getLong(1), row.getLong(2), keys);
    }

    private void matchesEarlier() {
        if (earlier != null && earlier.entries() == next && !earlier.chainHash().equals(Sha256.hex(before))) {
            bad(Math.max(next - 1, 0), "the record up to here is another than the one whose head was kept");
        }
    }

    private void compareWith(End end) {
        if (end.greatest >= end.entries) {
            bad(end.entries, "the entry lies beyond the head of the record");
        } else if (!Arrays.equals(before, end.chainHash)) {
            bad(Math.max(next - 1, 0), "the head of the record names another chain hash");
        } else if (earlier != null && earlier.entries() > next) {
            bad(next, "the entry is missing: the record once ended with " + (earlier.entries() - 1));
        }
    }

    private void bad(long seq, String reason) {
        firstBad = seq;
        why = reason;
    }
}

package io.sallyport.ledger;

import io.sallyport.store.Tx;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Entries that were appended and are not yet rows: put in many to a statement, since the call costs more than the row. */
final class NewEntries {

    private static final String COLUMNS =
            "seq, time, kind, task, grant_id, use, prefix_sha256, request_sha256, canonical, leaf_hash, chain_hash";
    private static final int COLUMN_COUNT = 11;

    /** Rows to a statement, the largest that fits first: each size is prepared once, and no group needs more than a few of each. */
    private static final int[] SIZES = {64, 16, 4, 1};

    private static final String[] INSERTS = new String[SIZES.length];

    static {
        for (int i = 0; i < SIZES.length; i++) {
            String row = ", (" + "?, ".repeat(COLUMN_COUNT - 1) + "?)";
            INSERTS[i] = "insert into entry (" + COLUMNS + ") values "
                    + row.repeat(SIZES[i]).substring(2);
        }
    }

    /**
     * The columns beside the canonical bytes are copies of members, so that verification can compare them.
     *
     * @param time in microseconds since 1970
     */
    record Row(
            long seq, long time, Runs.Keys keys, @Nullable Long use, byte[] canonical, byte[] leaf, byte[] chained) {}

    private final List<Row> rows = new ArrayList<>(128);

    void add(Row row) {
        rows.add(row);
    }

    void clear() {
        rows.clear();
    }

    List<Row> rows() {
        return rows;
    }

    void insert(Tx tx) throws SQLException {
        int from = 0;
        for (int i = 0; i < SIZES.length; i++) {
            while (rows.size() - from >= SIZES[i]) {
                PreparedStatement insert = tx.prepare(INSERTS[i]);
                for (int row = 0; row < SIZES[i]; row++) {
                    bind(insert, row * COLUMN_COUNT, rows.get(from + row));
                }
                insert.executeUpdate();
                from += SIZES[i];
            }
        }
    }

    private static void bind(PreparedStatement insert, int before, Row row) throws SQLException {
        insert.setLong(before + 1, row.seq);
        insert.setLong(before + 2, row.time);
        insert.setString(before + 3, row.keys.kind());
        insert.setString(before + 4, row.keys.task());
        insert.setString(before + 5, row.keys.grant());
        if (row.use == null) {
            insert.setNull(before + 6, Types.INTEGER);
        } else {
            insert.setLong(before + 6, row.use);
        }
        bytes(insert, before + 7, row.keys.prefix());
        bytes(insert, before + 8, row.keys.request());
        insert.setBytes(before + 9, row.canonical);
        insert.setBytes(before + 10, row.leaf);
        insert.setBytes(before + 11, row.chained);
    }

    private static void bytes(PreparedStatement insert, int at, byte @Nullable [] value) throws SQLException {
        if (value == null) {
            insert.setNull(at, Types.BLOB);
        } else {
            insert.setBytes(at, value);
        }
    }
}

package io.sallyport.grant;

import io.sallyport.store.Gathering;
import io.sallyport.store.Tx;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rows of one or two numbers, as the writer's open transaction is about to leave them. A row that many uses change in one group is read
 * once and written once. On the writer's thread alone, so that there is no moment between a look and a change; after any rollback nothing
 * of it is believed.
 */
final class Counters<K> implements Gathering {

    /** What is kept from group to group; beyond it, all is read anew. */
    private static final int MOST_KEPT = 10_000;

    /** How the rows are read and written. */
    interface Table<K> {

        /** @return null where there is no such row */
        @Nullable
        Counter<K> read(Tx tx, K key) throws SQLException;

        void write(Tx tx, Counter<K> row) throws SQLException;
    }

    /** One row. Whoever changes it says so with {@link Counters#changed}. */
    static final class Counter<K> {
        final K key;
        long first;
        long second;
        private boolean changed;

        Counter(K key, long first, long second) {
            this.key = key;
            this.first = first;
            this.second = second;
        }
    }

    private final Table<K> table;
    private final Map<K, Counter<K>> known = new HashMap<>();
    private final List<Counter<K>> changed = new ArrayList<>();

    Counters(Table<K> table) {
        this.table = table;
    }

    /** @return null where there is no such row */
    @Nullable
    Counter<K> find(Tx tx, K key) throws SQLException {
        Counter<K> row = known.get(key);
        if (row == null) {
            row = table.read(tx, key);
            if (row != null) {
                known.put(key, row);
            }
        }
        return row;
    }

    /** The row, or a new one of zeros that becomes a row once it is changed. */
    Counter<K> findOrZero(Tx tx, K key) throws SQLException {
        Counter<K> row = find(tx, key);
        return row == null ? new Counter<>(key, 0, 0) : row;
    }

    void changed(Tx tx, Counter<K> row) {
        tx.gather(this);
        if (!row.changed) {
            row.changed = true;
            known.put(row.key, row);
            changed.add(row);
        }
    }

    @Override
    public void write(Tx tx) throws SQLException {
        for (Counter<K> row : changed) {
            table.write(tx, row);
        }
        changed.forEach(row -> row.changed = false);
        changed.clear();
        if (known.size() > MOST_KEPT) {
            known.clear();
        }
    }

    @Override
    public void forget() {
        changed.clear();
        known.clear();
    }
}

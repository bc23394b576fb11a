package io.sallyport.ledger;

import io.sallyport.store.Tx;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The keys of the run that is not full yet. Kept while entries are appended, because reading them again costs more than appending them did;
 * what was appended before this process began, or before a rollback, is read from the rows when the run is full.
 */
final class RunInTheMaking {

    private static final String ROWS =
            "select seq, time, kind, task, grant_id, prefix_sha256, request_sha256 from entry"
                    + " where seq >= ? and seq < ?";
    private static final String PUT_RUN = "insert into entry_run (run, from_time, to_time) values (?, ?, ?)";
    private static final String PUT_KEY = "insert into entry_key (run, key, parts) values (?, ?, ?)";
    private static final int KEYS_AT_ONCE = 64;
    private static final String PUT_KEYS = PUT_KEY + ", (?, ?, ?)".repeat(KEYS_AT_ONCE - 1);

    private final Map<String, Parts> kinds = new HashMap<>();
    private final Map<String, Parts> tasks = new HashMap<>();
    private final Map<String, Parts> grants = new HashMap<>();
    private final HashParts hashes = new HashParts(2 * Runs.ENTRIES);
    private long fromTime = Long.MAX_VALUE;
    private long toTime = Long.MIN_VALUE;

    /** The first entry whose keys are here; -1 for none. */
    private long first = -1;

    private static final class Parts {
        long bits;
    }

    void add(long seq, long time, Runs.Keys keys) {
        if (first < 0) {
            first = seq;
        }
        put(seq, time, keys);
    }

    private void put(long seq, long time, Runs.Keys keys) {
        long part = Runs.partOf(seq);
        put(kinds, keys.kind(), part);
        put(tasks, keys.task(), part);
        put(grants, keys.grant(), part);
        put(keys.prefix(), part);
        put(keys.request(), part);
        fromTime = Math.min(fromTime, time);
        toTime = Math.max(toTime, time);
    }

    private static void put(Map<String, Parts> names, @Nullable String name, long part) {
        if (name != null) {
            names.computeIfAbsent(name, _ -> new Parts()).bits |= part;
        }
    }

    private void put(byte @Nullable [] hash, long part) {
        if (hash != null) {
            hashes.put(HashParts.key(hash), part);
        }
    }

    void forget() {
        kinds.clear();
        tasks.clear();
        grants.clear();
        hashes.clear();
        fromTime = Long.MAX_VALUE;
        toTime = Long.MIN_VALUE;
        first = -1;
    }

    /** Puts the run in: its entries are rows already. */
    void finish(Tx tx, long run) throws SQLException {
        long begin = run * Runs.ENTRIES;
        read(tx, begin, first < 0 ? begin + Runs.ENTRIES : first);
        PreparedStatement put = tx.prepare(PUT_RUN);
        put.setLong(1, run);
        put.setLong(2, fromTime);
        put.setLong(3, toTime);
        put.executeUpdate();
        putKeys(tx, run, sorted());
        forget();
    }

    private void read(Tx tx, long from, long to) throws SQLException {
        if (from >= to) {
            return;
        }
        PreparedStatement select = tx.prepare(ROWS);
        select.setLong(1, from);
        select.setLong(2, to);
        try (ResultSet row = select.executeQuery()) {
            while (row.next()) {
                put(
                        row.getLong(1),
                        row.getLong(2),
                        new Runs.Keys(
                                row.getString(3),
                                row.getString(4),
                                row.getString(5),
                                row.getBytes(6),
                                row.getBytes(7)));
            }
        }
    }

    private record Key(Object key, long parts) {}

    /** In the order of the table, so that it grows at its end: names before hashes, each by their bytes. */
    private Key[] sorted() {
        Map<String, Long> names = new HashMap<>();
        kinds.forEach((kind, parts) -> names.put(Runs.kind(kind), parts.bits));
        tasks.forEach((task, parts) -> names.put(Runs.task(task), parts.bits));
        grants.forEach((grant, parts) -> names.put(Runs.grant(grant), parts.bits));
        Key[] keys = new Key[names.size() + hashes.size()];
        int at = 0;
        for (Map.Entry<String, Long> name : names.entrySet()) {
            keys[at++] = new Key(name.getKey(), name.getValue());
        }
        Arrays.sort(keys, 0, at, (a, b) -> ((String) a.key).compareTo((String) b.key));
        for (long hash : hashes.sorted()) {
            keys[at++] = new Key(HashParts.bytes(hash), hashes.parts(hash));
        }
        return keys;
    }

    private static void putKeys(Tx tx, long run, Key[] keys) throws SQLException {
        for (int from = 0; from < keys.length; ) {
            boolean many = keys.length - from >= KEYS_AT_ONCE;
            int count = many ? KEYS_AT_ONCE : 1;
            PreparedStatement put = tx.prepare(many ? PUT_KEYS : PUT_KEY);
            for (int i = 0; i < count; i++) {
                Key key = keys[from + i];
                put.setLong(3 * i + 1, run);
                if (key.key instanceof byte[] hash) {
                    put.setBytes(3 * i + 2, hash);
                } else {
                    put.setString(3 * i + 2, (String) key.key);
                }
                put.setLong(3 * i + 3, key.parts);
            }
            put.executeUpdate();
            from += count;
        }
    }
}

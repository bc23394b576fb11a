package io.sallyport.ledger;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Whether the runs lead to each entry: one that can't be found is as good as gone. Holds one run at a time. */
final class RunCheck {

    private final HashParts hashes = new HashParts(2 * Runs.ENTRIES);
    private final Map<String, Long> names = new HashMap<>();
    private long run = -1;
    private boolean full;
    private long fromTime;
    private long toTime;

    /** @return what does not lead to it, in words; null when all does, or when its run is not full and entries are looked through */
    @Nullable
    String missing(Connection connection, long seq, long time, Runs.Keys keys) throws SQLException {
        if (Runs.runOf(seq) != run) {
            load(connection, Runs.runOf(seq));
        }
        if (!full) {
            return null;
        }
        if (time < fromTime || time > toTime) {
            return "a look-up by its time would not find it";
        }
        long part = Runs.partOf(seq);
        if (!named(Runs.kind(keys.kind()), part)
                || (keys.task() != null && !named(Runs.task(keys.task()), part))
                || (keys.grant() != null && !named(Runs.grant(keys.grant()), part))) {
            return "a look-up by its kind, task or grant would not find it";
        }
        return hashed(keys.prefix(), part) && hashed(keys.request(), part)
                ? null
                : "a look-up by its hash would not find it";
    }

    private boolean named(String name, long part) {
        return (names.getOrDefault(name, 0L) & part) != 0;
    }

    private boolean hashed(byte @Nullable [] hash, long part) {
        return hash == null || (hashes.parts(HashParts.key(hash)) & part) != 0;
    }

    private void load(Connection connection, long wanted) throws SQLException {
        run = wanted;
        names.clear();
        hashes.clear();
        full = wanted * Runs.ENTRIES < Places.afterRuns(connection);
        // A run that is missing among others, too, leads to nothing.
        fromTime = Long.MAX_VALUE;
        toTime = Long.MIN_VALUE;
        try (PreparedStatement select =
                connection.prepareStatement("select from_time, to_time from entry_run where run = ?")) {
            select.setLong(1, wanted);
            try (ResultSet row = select.executeQuery()) {
                if (row.next()) {
                    fromTime = row.getLong(1);
                    toTime = row.getLong(2);
                }
            }
        }
        try (PreparedStatement select =
                connection.prepareStatement("select typeof(key), key, parts from entry_key where run = ?")) {
            select.setLong(1, wanted);
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    take(row);
                }
            }
        }
    }

    private void take(ResultSet row) throws SQLException {
        if (row.getString(1).equals("text")) {
            names.put(row.getString(2), row.getLong(3));
        } else if (row.getBytes(2) instanceof byte[] hash
                && hash.length == Long.BYTES
                && hashes.size() < 2 * Runs.ENTRIES) {
            hashes.put(HashParts.key(hash), row.getLong(3));
        }
    }
}

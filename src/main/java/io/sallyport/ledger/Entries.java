package io.sallyport.ledger;

import io.sallyport.ledger.Ledger.Entry;
import io.sallyport.ledger.Ledger.Page;
import io.sallyport.ledger.Ledger.Query;
import io.sallyport.store.Readers;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads entries from the database: look-ups and verification, for the broker and for the command line beside it. */
final class Entries implements LedgerView {

    /** Entries, chain hash, and the greatest sequence number there is. */
    static final String HEAD = "select entries, chain_hash, (select max(seq) from entry) from ledger_head where id = 0";

    private static final String COLUMNS = "seq, time, kind, canonical, leaf_hash, chain_hash";

    private final Readers readers;

    Entries(Readers readers) {
        this.readers = readers;
    }

    @Override
    public Page find(Query query) {
        List<Entry> found = readers.read(connection -> entries(connection, query));
        boolean more = found.size() > query.limit();
        return new Page(List.copyOf(more ? found.subList(0, query.limit()) : found), more);
    }

    /** One more than asked for, where there is one. */
    private static List<Entry> entries(Connection connection, Query query) throws SQLException {
        Conditions where = conditions(query);
        List<Entry> found = new ArrayList<>();
        try (Places places = Places.of(connection, query);
                PreparedStatement select = connection.prepareStatement("select " + COLUMNS
                        + " from entry where seq >= ? and seq < ?" + where.sql + " order by seq limit ?")) {
            while (found.size() <= query.limit() && places.next()) {
                select.setLong(1, Math.max(places.from(), query.after() + 1));
                select.setLong(2, places.to());
                int at = where.bind(select, 3);
                select.setInt(at, query.limit() + 1 - found.size());
                try (ResultSet rows = select.executeQuery()) {
                    while (rows.next()) {
                        found.add(entry(rows));
                    }
                }
            }
        }
        return found;
    }

    /** What must hold of an entry, wherever it was looked for. */
    private static Conditions conditions(Query query) {
        Conditions where = new Conditions();
        byte @Nullable [] hash = query.sha256() == null ? null : Sha256.parse(query.sha256());
        where.add("(prefix_sha256 = ? or request_sha256 = ?)", hash, hash);
        where.add("task = ?", query.task());
        where.add("grant_id = ?", query.grant());
        where.add("kind = ?", query.kind());
        where.add("time >= ?", query.from() == null ? null : LedgerView.micros(query.from()));
        where.add("time < ?", query.to() == null ? null : LedgerView.micros(query.to()));
        return where;
    }

    /** SQL with its values, gathered condition by condition. */
    static final class Conditions {
        final StringBuilder sql = new StringBuilder();
        private final List<Object> values = new ArrayList<>();

        void add(String condition, @Nullable Object... its) {
            if (its[0] != null) {
                sql.append(" and ").append(condition);
                values.addAll(List.of(its));
            }
        }

        /** @return the next parameter's number */
        int bind(PreparedStatement statement, int from) throws SQLException {
            int at = from;
            for (Object value : values) {
                statement.setObject(at++, value);
            }
            return at;
        }
    }

    private static Entry entry(ResultSet row) throws SQLException {
        return new Entry(
                row.getLong(1),
                Instant.EPOCH.plus(row.getLong(2), ChronoUnit.MICROS),
                row.getString(3),
                new String(row.getBytes(4), StandardCharsets.UTF_8),
                Sha256.hex(row.getBytes(5)),
                Sha256.hex(row.getBytes(6)));
    }

    @Override
    public Optional<Entry> entry(long seq) {
        return find(new Query(null, null, null, null, null, null, seq - 1, 1)).entries().stream()
                .filter(entry -> entry.seq() == seq)
                .findFirst();
    }

    @Override
    public Head head() {
        return readers.read(connection -> {
            try (PreparedStatement select = connection.prepareStatement(HEAD);
                    ResultSet row = select.executeQuery()) {
                return row.next()
                        ? new Head(row.getLong(1), Sha256.hex(row.getBytes(2)))
                        : new Head(0, Sha256.hex(Chain.start()));
            }
        });
    }

    @Override
    public Ledger.Check verify(@Nullable Head earlier) {
        return new Verification(readers, earlier).run();
    }
}

package io.sallyport.grant;

import io.sallyport.store.Tx;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is left of grants and of days. Each limit is one conditional update: it takes or it changes nothing, so there is no moment between a
 * look and a change.
 */
final class Budgets {

    private static final String TAKE =
            "update grant_budget set uses_left = uses_left - ?1, bytes_left = bytes_left - ?2"
                    + " where id = ?3 and uses_left >= ?1 and bytes_left >= ?2";
    private static final String GIVE =
            "update grant_budget set uses_left = uses_left + ?1, bytes_left = bytes_left + ?2" + " where id = ?3";
    private static final String LEFT = "select uses_left from grant_budget where id = ?";

    /** A new day's row is always within the limit here: the caller has compared the charge alone with it. */
    private static final String TAKE_DAY =
            "insert into grant_day (day, workload, policy, uses, bytes_out) values (?1, ?2, ?3, ?4, ?5)"
                    + " on conflict do update set uses = uses + ?4, bytes_out = bytes_out + ?5"
                    + " where uses <= ?6 - ?4 and bytes_out <= ?7 - ?5";

    private static final String GIVE_DAY = "update grant_day set uses = uses - ?4, bytes_out = bytes_out - ?5"
            + " where day = ?1 and workload = ?2 and policy = ?3";
    private static final String USED_ON_DAY =
            "select uses from grant_day where day = ? and workload = ? and policy = ?";

    private Budgets() {}

    /** @return the limit that refuses, then nothing was taken; null when all was */
    static @Nullable String takeDay(Tx tx, Charge charge, long day) throws SQLException {
        if (charge.dayUses().isEmpty() && charge.dayBytesOut().isEmpty()) {
            return null;
        }
        long mostUses = charge.dayUses().orElse(Long.MAX_VALUE);
        long mostBytes = charge.dayBytesOut().orElse(Long.MAX_VALUE);
        if (charge.uses() > mostUses) {
            return "day.uses";
        }
        if (charge.bytesOut() > mostBytes) {
            return "day.bytes-out";
        }
        PreparedStatement take = day(tx.prepare(TAKE_DAY), charge, day);
        take.setLong(6, mostUses);
        take.setLong(7, mostBytes);
        if (take.executeUpdate() == 1) {
            return null;
        }
        PreparedStatement used = tx.prepare(USED_ON_DAY);
        used.setLong(1, day);
        used.setString(2, charge.grant().workload().toString());
        used.setString(3, charge.grant().policy());
        return first(used) > mostUses - charge.uses() ? "day.uses" : "day.bytes-out";
    }

    static void giveDay(Tx tx, Charge charge, long day) throws SQLException {
        if (charge.dayUses().isPresent() || charge.dayBytesOut().isPresent()) {
            day(tx.prepare(GIVE_DAY), charge, day).executeUpdate();
        }
    }

    private static PreparedStatement day(PreparedStatement statement, Charge charge, long day) throws SQLException {
        statement.setLong(1, day);
        statement.setString(2, charge.grant().workload().toString());
        statement.setString(3, charge.grant().policy());
        statement.setLong(4, charge.uses());
        statement.setLong(5, charge.bytesOut());
        return statement;
    }

    /** @param line the grant and all its ancestors; @return the limit that refuses, then nothing was taken; null when all was */
    static @Nullable String take(Tx tx, Charge charge, List<String> line) throws SQLException {
        for (int i = 0; i < line.size(); i++) {
            if (budget(tx.prepare(TAKE), charge, line.get(i)).executeUpdate() == 0) {
                give(tx, charge, line.subList(0, i));
                PreparedStatement left = tx.prepare(LEFT);
                left.setString(1, line.get(i));
                return first(left) < charge.uses() ? "uses" : "bytes-out";
            }
        }
        return null;
    }

    static void give(Tx tx, Charge charge, List<String> line) throws SQLException {
        for (String id : line) {
            budget(tx.prepare(GIVE), charge, id).executeUpdate();
        }
    }

    private static PreparedStatement budget(PreparedStatement statement, Charge charge, String id) throws SQLException {
        statement.setLong(1, charge.uses());
        statement.setLong(2, charge.bytesOut());
        statement.setString(3, id);
        return statement;
    }

    private static long first(PreparedStatement query) throws SQLException {
        try (ResultSet row = query.executeQuery()) {
            return row.next() ? row.getLong(1) : 0;
        }
    }
}

package io.sallyport.grant;

import io.sallyport.grant.Counters.Counter;
import io.sallyport.identity.Principal;
import io.sallyport.store.Tx;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is left of grants and what was used of days. Looks first and takes then; on the writer's thread nothing comes in between. */
final class Budgets {

    /** First: uses left. Second: bytes left. */
    private final Counters<String> grants = new Counters<>(new OfGrants());

    /** First: uses. Second: bytes out. */
    private final Counters<Day> days = new Counters<>(new OfDays());

    /** @param day in days since 1970 */
    private record Day(long day, Principal workload, String policy) {

        static Day of(Charge charge, long day) {
            return new Day(day, charge.grant().workload(), charge.grant().policy());
        }
    }

    /** @param line the grant and all its ancestors; @return what refuses; null when nothing does */
    Reservation.@Nullable Spent refusing(Tx tx, Charge charge, List<String> line) throws SQLException {
        for (String id : line) {
            Counter<String> left = grants.find(tx, id);
            if (left == null || left.first < charge.uses()) {
                return new Reservation.Spent("uses", left == null ? 0 : left.first);
            }
            if (left.second < charge.bytesOut()) {
                return new Reservation.Spent("bytes-out", left.second);
            }
        }
        return null;
    }

    /** @return what refuses; null when nothing does */
    Reservation.@Nullable Spent refusingDay(Tx tx, Charge charge, long day) throws SQLException {
        if (unlimited(charge)) {
            return null;
        }
        Counter<Day> used = days.findOrZero(tx, Day.of(charge, day));
        long uses = charge.dayUses().orElse(Long.MAX_VALUE) - used.first;
        if (uses < charge.uses()) {
            return new Reservation.Spent("day.uses", Math.max(0, uses));
        }
        // Less than nothing is left where the policy was made narrower during the day.
        long bytes = charge.dayBytesOut().orElse(Long.MAX_VALUE) - used.second;
        return bytes < charge.bytesOut() ? new Reservation.Spent("day.bytes-out", Math.max(0, bytes)) : null;
    }

    void take(Tx tx, Charge charge, List<String> line) throws SQLException {
        for (String id : line) {
            add(tx, id, -charge.uses(), -charge.bytesOut());
        }
    }

    void give(Tx tx, Charge charge, List<String> line) throws SQLException {
        for (String id : line) {
            add(tx, id, charge.uses(), charge.bytesOut());
        }
    }

    private void add(Tx tx, String id, long uses, long bytes) throws SQLException {
        Counter<String> left = grants.find(tx, id);
        if (left != null) {
            left.first += uses;
            left.second += bytes;
            grants.changed(tx, left);
        }
    }

    void takeDay(Tx tx, Charge charge, long day) throws SQLException {
        if (!unlimited(charge)) {
            Counter<Day> used = days.findOrZero(tx, Day.of(charge, day));
            used.first += charge.uses();
            used.second += charge.bytesOut();
            days.changed(tx, used);
        }
    }

    /** A day that was forgotten meanwhile stays forgotten. */
    void giveDay(Tx tx, Charge charge, long day) throws SQLException {
        Counter<Day> used = unlimited(charge) ? null : days.find(tx, Day.of(charge, day));
        if (used != null) {
            used.first -= charge.uses();
            used.second -= charge.bytesOut();
            days.changed(tx, used);
        }
    }

    private static boolean unlimited(Charge charge) {
        return charge.dayUses().isEmpty() && charge.dayBytesOut().isEmpty();
    }

    private static final class OfGrants implements Counters.Table<String> {

        @Override
        public @Nullable Counter<String> read(Tx tx, String id) throws SQLException {
            PreparedStatement query = tx.prepare("select uses_left, bytes_left from grant_budget where id = ?");
            query.setString(1, id);
            try (ResultSet row = query.executeQuery()) {
                return row.next() ? new Counter<>(id, row.getLong(1), row.getLong(2)) : null;
            }
        }

        @Override
        public void write(Tx tx, Counter<String> row) throws SQLException {
            PreparedStatement update =
                    tx.prepare("update grant_budget set uses_left = ?1, bytes_left = ?2 where id = ?3");
            update.setLong(1, row.first);
            update.setLong(2, row.second);
            update.setString(3, row.key);
            if (update.executeUpdate() != 1) {
                throw new SQLException("the budget of a grant is gone");
            }
        }
    }

    private static final class OfDays implements Counters.Table<Day> {

        @Override
        public @Nullable Counter<Day> read(Tx tx, Day day) throws SQLException {
            PreparedStatement query = of(
                    tx.prepare(
                            "select uses, bytes_out from grant_day where day = ?1 and workload = ?2 and policy = ?3"),
                    day);
            try (ResultSet row = query.executeQuery()) {
                return row.next() ? new Counter<>(day, row.getLong(1), row.getLong(2)) : null;
            }
        }

        @Override
        public void write(Tx tx, Counter<Day> row) throws SQLException {
            PreparedStatement put = of(
                    tx.prepare(
                            "insert into grant_day (day, workload, policy, uses, bytes_out) values (?1, ?2, ?3, ?4, ?5)"
                                    + " on conflict do update set uses = ?4, bytes_out = ?5"),
                    row.key);
            put.setLong(4, row.first);
            put.setLong(5, row.second);
            put.executeUpdate();
        }

        private static PreparedStatement of(PreparedStatement statement, Day day) throws SQLException {
            statement.setLong(1, day.day);
            statement.setString(2, day.workload.toString());
            statement.setString(3, day.policy);
            return statement;
        }
    }
}

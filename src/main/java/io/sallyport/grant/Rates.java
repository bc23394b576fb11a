package io.sallyport.grant;

import io.sallyport.document.Rate;
import io.sallyport.grant.Counters.Counter;
import io.sallyport.identity.Principal;
import io.sallyport.store.Tx;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The rate of a scope, per workload and policy, so that more tasks don't bring more: the generic cell rate algorithm, whose whole state is the
 * time when the allowance will be full again. A full allowance may be used at once; it fills evenly.
 */
final class Rates {

    /** First: when the allowance is whole, in nanoseconds since 1970. */
    private final Counters<Paced> paced = new Counters<>(new OfRates());

    private record Paced(Principal workload, String policy, String scope) {

        static Paced of(Charge charge) {
            return new Paced(charge.grant().workload(), charge.grant().policy(), charge.scope());
        }
    }

    /** @param now nanoseconds since 1970; @return how long to wait; null for not at all */
    @Nullable
    Duration wait(Tx tx, Charge charge, long now) throws SQLException {
        Rate rate = charge.rate();
        if (rate == null || charge.uses() == 0) {
            return null;
        }
        long full = now + rate.per().toNanos();
        long latest = full - cost(rate, charge);
        Counter<Paced> row = paced.findOrZero(tx, Paced.of(charge));
        if (row.first <= latest) {
            return null;
        }
        if (row.first > full) {
            // A wall clock set back, or a rate made faster, would else leave a wait that this rate can never ask for.
            row.first = full;
            paced.changed(tx, row);
        }
        return Duration.ofNanos(row.first - latest);
    }

    void take(Tx tx, Charge charge, long now) throws SQLException {
        Rate rate = charge.rate();
        if (rate != null && charge.uses() > 0) {
            Counter<Paced> row = paced.findOrZero(tx, Paced.of(charge));
            row.first = Math.max(row.first, now) + cost(rate, charge);
            paced.changed(tx, row);
        }
    }

    void give(Tx tx, Charge charge) throws SQLException {
        Rate rate = charge.rate();
        Counter<Paced> row = rate == null || charge.uses() == 0 ? null : paced.find(tx, Paced.of(charge));
        if (rate != null && row != null) {
            row.first -= cost(rate, charge);
            paced.changed(tx, row);
        }
    }

    private static long cost(Rate rate, Charge charge) {
        return Math.max(1, rate.per().toNanos() / rate.count()) * charge.uses();
    }

    private static final class OfRates implements Counters.Table<Paced> {

        @Override
        public @Nullable Counter<Paced> read(Tx tx, Paced key) throws SQLException {
            PreparedStatement query = of(
                    tx.prepare("select whole_at from grant_rate where workload = ?1 and policy = ?2 and scope = ?3"),
                    key);
            try (ResultSet row = query.executeQuery()) {
                return row.next() ? new Counter<>(key, row.getLong(1), 0) : null;
            }
        }

        @Override
        public void write(Tx tx, Counter<Paced> row) throws SQLException {
            PreparedStatement put = of(
                    tx.prepare("insert into grant_rate (workload, policy, scope, whole_at) values (?1, ?2, ?3, ?4)"
                            + " on conflict do update set whole_at = ?4"),
                    row.key);
            put.setLong(4, row.first);
            put.executeUpdate();
        }

        private static PreparedStatement of(PreparedStatement statement, Paced key) throws SQLException {
            statement.setString(1, key.workload.toString());
            statement.setString(2, key.policy);
            statement.setString(3, key.scope);
            return statement;
        }
    }
}

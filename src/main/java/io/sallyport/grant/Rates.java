package io.sallyport.grant;

import io.sallyport.document.Rate;
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

    private static final String TAKE =
            "insert into grant_rate (workload, policy, scope, whole_at) values (?1, ?2, ?3, ?4 + ?5)"
                    + " on conflict do update set whole_at = max(whole_at, ?4) + ?5 where max(whole_at, ?4) <= ?6";
    private static final String GIVE =
            "update grant_rate set whole_at = whole_at - ?4 where workload = ?1 and policy = ?2 and scope = ?3";
    private static final String WHOLE_AT =
            "select whole_at from grant_rate where workload = ?1 and policy = ?2 and scope = ?3";

    /** A wall clock set back, or a rate made faster, would else leave a wait that this rate can never ask for. */
    private static final String AT_MOST =
            "update grant_rate set whole_at = min(whole_at, ?4) where workload = ?1 and policy = ?2 and scope = ?3";

    private Rates() {}

    /** @param now nanoseconds since 1970; @return how long to wait, then nothing was taken; null when it was */
    static @Nullable Duration take(Tx tx, Charge charge, long now) throws SQLException {
        Rate rate = charge.rate();
        if (rate == null || charge.uses() == 0) {
            return null;
        }
        long cost = cost(rate, charge);
        long full = now + rate.per().toNanos();
        PreparedStatement take = of(tx.prepare(TAKE), charge);
        take.setLong(4, now);
        take.setLong(5, cost);
        take.setLong(6, full - cost);
        if (take.executeUpdate() == 1) {
            return null;
        }
        PreparedStatement clamp = of(tx.prepare(AT_MOST), charge);
        clamp.setLong(4, full);
        clamp.executeUpdate();
        return Duration.ofNanos(wholeAt(tx, charge) - (full - cost));
    }

    static void give(Tx tx, Charge charge) throws SQLException {
        Rate rate = charge.rate();
        if (rate != null && charge.uses() > 0) {
            PreparedStatement give = of(tx.prepare(GIVE), charge);
            give.setLong(4, cost(rate, charge));
            give.executeUpdate();
        }
    }

    private static long cost(Rate rate, Charge charge) {
        return Math.max(1, rate.per().toNanos() / rate.count()) * charge.uses();
    }

    private static long wholeAt(Tx tx, Charge charge) throws SQLException {
        try (ResultSet row = of(tx.prepare(WHOLE_AT), charge).executeQuery()) {
            return row.next() ? row.getLong(1) : 0;
        }
    }

    private static PreparedStatement of(PreparedStatement statement, Charge charge) throws SQLException {
        statement.setString(1, charge.grant().workload().toString());
        statement.setString(2, charge.grant().policy());
        statement.setString(3, charge.scope());
        return statement;
    }
}

package io.sallyport.grant;

import io.sallyport.store.Tx;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Rate, day and grants together: all are taken or none is, also when the caller commits the refusal's own entry in the same transaction. */
final class Reservations {

    private static final long DAY_MILLIS = TimeUnit.DAYS.toMillis(1);
    private static final long NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long RATE_KEPT_NANOS = TimeUnit.DAYS.toNanos(1);

    private final Rates rates = new Rates();
    private final Budgets budgets = new Budgets();

    /** @param line the grant, which stands, and all its ancestors */
    Reservation reserve(Tx tx, Charge charge, List<String> line, Instant now) throws SQLException {
        Duration wait = rates.wait(tx, charge, nanos(now));
        if (wait != null) {
            return new Reservation.TooSoon("rate", wait);
        }
        long day = day(now);
        Reservation.Spent spent = budgets.refusingDay(tx, charge, day);
        spent = spent == null ? budgets.refusing(tx, charge, line) : spent;
        if (spent != null) {
            return spent;
        }
        rates.take(tx, charge, nanos(now));
        budgets.takeDay(tx, charge, day);
        budgets.take(tx, charge, line);
        return new Reservation.Reserved(charge, day);
    }

    /** The ancestors are read from disk: a grant may have ended, and left memory, since it was charged. */
    void giveBack(Tx tx, Reservation.Reserved reserved) throws SQLException {
        Charge charge = reserved.charge();
        budgets.give(tx, charge, GrantRows.line(tx, charge.grant().id()));
        budgets.giveDay(tx, charge, reserved.day());
        rates.give(tx, charge);
    }

    /** Drops days before yesterday and rates that have long been whole: neither says anything any more. */
    static Instant forgetOld(Tx tx, Instant now) throws SQLException {
        PreparedStatement days = tx.prepare("delete from grant_day where day < ?");
        days.setLong(1, day(now) - 1);
        days.executeUpdate();
        PreparedStatement rates = tx.prepare("delete from grant_rate where whole_at < ?");
        rates.setLong(1, nanos(now) - RATE_KEPT_NANOS);
        rates.executeUpdate();
        return now;
    }

    private static long day(Instant at) {
        return Math.floorDiv(at.toEpochMilli(), DAY_MILLIS);
    }

    private static long nanos(Instant at) {
        return at.getEpochSecond() * NANOS_PER_SECOND + at.getNano();
    }
}

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

    private Reservations() {}

    /** @param line the grant, which stands, and all its ancestors */
    static Reservation reserve(Tx tx, Charge charge, List<String> line, Instant now) throws SQLException {
        Duration wait = Rates.take(tx, charge, nanos(now));
        if (wait != null) {
            return new Reservation.TooSoon("rate", wait);
        }
        long day = day(now);
        String spent = Budgets.takeDay(tx, charge, day);
        if (spent != null) {
            Rates.give(tx, charge);
            return new Reservation.Spent(spent);
        }
        spent = Budgets.take(tx, charge, line);
        if (spent != null) {
            Budgets.giveDay(tx, charge, day);
            Rates.give(tx, charge);
            return new Reservation.Spent(spent);
        }
        return new Reservation.Reserved(charge, day);
    }

    /** The ancestors are read from disk: a grant may have ended, and left memory, since it was charged. */
    static void giveBack(Tx tx, Reservation.Reserved reserved) throws SQLException {
        Charge charge = reserved.charge();
        Budgets.give(tx, charge, GrantRows.line(tx, charge.grant().id()));
        Budgets.giveDay(tx, charge, reserved.day());
        Rates.give(tx, charge);
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

package io.sallyport.credential;

import io.sallyport.credential.source.RefreshTokens;
import io.sallyport.store.Readers;
import io.sallyport.store.Seal;
import io.sallyport.store.SealedColumn;
import io.sallyport.store.Tx;
import io.sallyport.store.Writer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The table of refresh tokens: one row a credential, of the chain that begins with the token entered last. */
final class JdbcRefreshTokens implements RefreshTokens {

    private static final String REFRESH = "refresh-token";
    private static final String ACCESS = "access-token";
    private static final List<String> KEY = List.of("credential", "entry");

    static final SealedColumn SEALED_REFRESH =
            SealedColumn.of("refresh_token", "refresh", KEY, key -> place(REFRESH, key.get(0), key.get(1)));
    static final SealedColumn SEALED_ACCESS =
            SealedColumn.of("refresh_token", "access", KEY, key -> place(ACCESS, key.get(0), key.get(1)));

    private final Readers readers;
    private final Writer writer;
    private final Seal seal;
    private final Clock clock;

    JdbcRefreshTokens(Readers readers, Writer writer, Seal seal, Clock clock) {
        this.readers = readers;
        this.writer = writer;
        this.seal = seal;
        this.clock = clock;
    }

    @Override
    public Chain read(String credential, String entry) {
        return readers.read(connection -> read(connection, credential, entry));
    }

    private Chain read(Connection connection, String credential, String entry) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("""
                SELECT entry, revision, generation, state, since, tries, refresh, access, access_from, access_until
                FROM refresh_token WHERE credential = ?""")) {
            select.setString(1, credential);
            try (ResultSet row = select.executeQuery()) {
                if (!row.next()) {
                    return fresh(credential, entry, 0, 0);
                }
                // What began with another entry is over; its numbers go on, so that whoever still works on it can
                // change nothing.
                return row.getString(1).equals(entry)
                        ? chain(credential, row)
                        : fresh(credential, entry, row.getLong(2), row.getLong(3));
            }
        }
    }

    private static Chain fresh(String credential, String entry, long revision, long generation) {
        return new Chain(credential, entry, revision, generation, State.READY, Instant.EPOCH, 0, null, null);
    }

    private Chain chain(String credential, ResultSet row) throws SQLException {
        String entry = row.getString(1);
        long generation = row.getLong(3);
        byte[] refresh = row.getBytes(7);
        byte[] access = row.getBytes(8);
        return new Chain(
                credential,
                entry,
                row.getLong(2),
                generation,
                State.valueOf(row.getString(4).toUpperCase(Locale.ROOT).replace('-', '_')),
                Instant.ofEpochMilli(row.getLong(5)),
                row.getInt(6),
                refresh == null ? null : seal.open(refresh, place(REFRESH, credential, entry)),
                access == null
                        ? null
                        : new Access(
                                seal.open(access, place(ACCESS, credential, entry)),
                                Instant.ofEpochMilli(row.getLong(9)),
                                Instant.ofEpochMilli(row.getLong(10))));
    }

    @Override
    public @Nullable Chain claim(Chain seen) {
        long now = clock.millis();
        Chain claimed = new Chain(
                seen.credential(),
                seen.entry(),
                seen.revision() + 1,
                seen.generation(),
                State.IN_FLIGHT,
                Instant.ofEpochMilli(now),
                seen.tries() + 1,
                seen.refresh(),
                seen.access());
        boolean mine = writer.write(tx -> {
            PreparedStatement change = tx.prepare("""
                    INSERT INTO refresh_token (credential, entry, revision, generation, state, since, tries)
                    SELECT credential, revision, ?, ?, 'in-flight', ?, ? FROM local_secret WHERE credential = ? AND revision = ?
                    ON CONFLICT (credential) DO UPDATE SET
                        refresh = CASE WHEN entry = excluded.entry THEN refresh END,
                        access = CASE WHEN entry = excluded.entry THEN access END,
                        entry = excluded.entry, revision = excluded.revision, state = excluded.state,
                        since = excluded.since, tries = excluded.tries
                    WHERE refresh_token.revision = ?""");
            change.setLong(1, claimed.revision());
            change.setLong(2, seen.generation());
            change.setLong(3, now);
            change.setInt(4, claimed.tries());
            change.setString(5, seen.credential());
            change.setString(6, seen.entry());
            change.setLong(7, seen.revision());
            return change.executeUpdate() == 1;
        });
        return mine ? claimed : null;
    }

    @Override
    public @Nullable Chain answered(Chain claimed, byte @Nullable [] refresh, Access access) {
        byte[] newest = refresh == null ? claimed.refresh() : refresh;
        Chain next = new Chain(
                claimed.credential(),
                claimed.entry(),
                claimed.revision() + 1,
                claimed.generation() + 1,
                State.READY,
                clock.instant(),
                0,
                newest,
                access);
        byte[] sealed = newest == null ? null : seal.seal(newest, place(REFRESH, next.credential(), next.entry()));
        byte[] sealedAccess = seal.seal(access.token(), place(ACCESS, next.credential(), next.entry()));
        return writer.write(tx -> write(tx, next, sealed, sealedAccess, access)) ? next : null;
    }

    private static boolean write(Tx tx, Chain next, byte @Nullable [] refresh, byte[] access, Access times)
            throws SQLException {
        PreparedStatement change = tx.prepare("""
                UPDATE refresh_token SET revision = ?, generation = ?, state = 'ready', since = ?, tries = 0, refresh = ?,
                    access = ?, access_from = ?, access_until = ?
                WHERE credential = ? AND revision = ? AND entry = ?""");
        change.setLong(1, next.revision());
        change.setLong(2, next.generation());
        change.setLong(3, next.since().toEpochMilli());
        change.setBytes(4, refresh);
        change.setBytes(5, access);
        change.setLong(6, times.from().toEpochMilli());
        change.setLong(7, times.until().toEpochMilli());
        change.setString(8, next.credential());
        change.setLong(9, next.revision() - 1);
        change.setString(10, next.entry());
        return change.executeUpdate() == 1;
    }

    @Override
    public boolean settle(Chain claimed, State state) {
        return writer.write(tx -> {
            PreparedStatement change = tx.prepare("""
                    UPDATE refresh_token SET revision = revision + 1, state = ?, since = ?, tries = 0
                    WHERE credential = ? AND revision = ? AND entry = ?""");
            change.setString(1, state.name().toLowerCase(Locale.ROOT).replace('_', '-'));
            change.setLong(2, clock.millis());
            change.setString(3, claimed.credential());
            change.setLong(4, claimed.revision());
            change.setString(5, claimed.entry());
            return change.executeUpdate() == 1;
        });
    }

    private static String place(String what, String credential, String entry) {
        return what + "/" + credential + "/" + entry;
    }
}

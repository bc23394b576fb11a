package io.sallyport.store;

import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** Tells the store's own faults (disk, file, lock) from mistakes of one piece of work (a constraint, a syntax error). */
final class Faults {

    private static final Set<SQLiteErrorCode> OF_THE_STORE = Set.of(
            SQLiteErrorCode.SQLITE_PERM,
            SQLiteErrorCode.SQLITE_BUSY,
            SQLiteErrorCode.SQLITE_LOCKED,
            SQLiteErrorCode.SQLITE_NOMEM,
            SQLiteErrorCode.SQLITE_READONLY,
            SQLiteErrorCode.SQLITE_INTERRUPT,
            SQLiteErrorCode.SQLITE_IOERR,
            SQLiteErrorCode.SQLITE_CORRUPT,
            SQLiteErrorCode.SQLITE_FULL,
            SQLiteErrorCode.SQLITE_CANTOPEN,
            SQLiteErrorCode.SQLITE_PROTOCOL,
            SQLiteErrorCode.SQLITE_NOTADB);

    private Faults() {}

    /** @return the store's fault within what was thrown; null when it is the work's own */
    static @Nullable SQLException ofTheStore(Throwable thrown) {
        for (Throwable at = thrown; at != null; at = at.getCause()) {
            if (at instanceof SQLiteException e && OF_THE_STORE.contains(primary(e))) {
                return e;
            }
        }
        return null;
    }

    /** A name for the log and the operator, as in {@code SQLITE_FULL}. */
    static String name(SQLException e) {
        return e instanceof SQLiteException s ? s.getResultCode().name() : "SQL state " + e.getSQLState();
    }

    /** SQLite's extended codes carry the primary one in their low byte. */
    private static SQLiteErrorCode primary(SQLiteException e) {
        return SQLiteErrorCode.getErrorCode(e.getResultCode().code & 0xff);
    }
}

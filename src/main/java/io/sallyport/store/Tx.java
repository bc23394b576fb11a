package io.sallyport.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * The writer's open transaction, handed to one piece of work at a time. It must not be kept, and a result set read from it is closed
 * before the work returns.
 */
public interface Tx {

    Connection connection();

    /** A statement cached for the life of the writer's connection; parameters are cleared, it must not be closed. */
    PreparedStatement prepare(String sql) throws SQLException;

    /** Runs after the commit (and its fsync), in the order given, on the writer's thread; never when the work is rolled back. */
    void afterCommit(Runnable action);

    /**
     * Lets somebody gather what many pieces of work do, and write it once for all of them at the end of the group. To be called by each
     * piece that adds something.
     *
     * @return true for the first time in a group, and again after a rollback within it
     */
    boolean gather(Gathering gathering);

    /**
     * Runs on the writer's thread when what the work has done so far is undone: before it is run again, or before its future fails. For
     * whoever keeps in memory what the transaction was about to make true.
     */
    void afterRollback(Runnable action);
}

package io.sallyport.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** The writer's open transaction, handed to one piece of work at a time. It must not be kept. */
public interface Tx {

    Connection connection();

    /** A statement cached for the life of the writer's connection; parameters are cleared, it must not be closed. */
    PreparedStatement prepare(String sql) throws SQLException;

    /** Runs after the commit (and its fsync), in the order given, on the writer's thread; never when the work is rolled back. */
    void afterCommit(Runnable action);
}

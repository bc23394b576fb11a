package io.sallyport.store;

import java.sql.SQLException;

/**
 * What is gathered in memory while a group of work runs, and written in one go before the group is committed: rows for one statement, a
 * counter that many pieces have changed. Called on the writer's thread alone.
 */
public interface Gathering {

    /**
     * Makes the open transaction say what memory says. Called after the last piece of a group; after each piece where one of the group has
     * thrown and each stands alone. What it throws fails those whose work it held.
     */
    void write(Tx tx) throws SQLException;

    /** Something was rolled back: what memory says may not be true, and has to be read from the database again. */
    void forget();
}

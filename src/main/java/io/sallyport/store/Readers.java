package io.sallyport.store;

import java.sql.Connection;
import java.sql.SQLException;

/** Read-only connections beside the writer. */
public interface Readers {

    @FunctionalInterface
    interface Query<T> {
        T run(Connection connection) throws SQLException;
    }

    /** @throws StoreFault when the store can't be read */
    <T> T read(Query<T> query);
}

package io.sallyport.store;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A few read-only connections, shared. Each read sees one state of the database, that of its first statement. */
public final class SqliteReaders implements Readers, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SqliteReaders.class);

    /** Few: a native call holds its carrier thread, and a read takes microseconds. */
    private static final int MOST = 4;

    private final SqliteConnections connections;
    private final Semaphore permits = new Semaphore(MOST, true);
    private final ConcurrentLinkedDeque<Connection> idle = new ConcurrentLinkedDeque<>();
    private volatile boolean closed;

    SqliteReaders(SqliteConnections connections) {
        this.connections = connections;
    }

    /**
     * Reads a database file, whether or not a broker has it open.
     *
     * @throws StoreFault when there is no such file
     */
    public static SqliteReaders of(Path file) {
        if (!Files.isRegularFile(file)) {
            throw new StoreFault("There is no database " + file);
        }
        return new SqliteReaders(new SqliteConnections(file.toAbsolutePath().normalize()));
    }

    @Override
    public <T> T read(Query<T> query) {
        permits.acquireUninterruptibly();
        Connection connection = null;
        boolean good = false;
        try {
            connection = borrow();
            T result = query.run(connection);
            connection.rollback();
            good = true;
            return result;
        } catch (SQLException e) {
            throw new StoreFault("The store can't be read: " + Faults.name(e), e);
        } finally {
            giveBack(connection, good);
            permits.release();
        }
    }

    private Connection borrow() throws SQLException {
        if (closed) {
            throw new StoreFault("The store is closed");
        }
        Connection connection = idle.poll();
        return connection != null ? connection : connections.openReader();
    }

    /** Only a connection whose transaction is known to be over is used again. */
    private void giveBack(@Nullable Connection connection, boolean good) {
        if (connection == null) {
            return;
        }
        if (good && !closed) {
            idle.push(connection);
        } else {
            close(connection);
        }
    }

    /** Waits for reads that are under way: a connection is not closed under a running query. */
    @Override
    public void close() {
        closed = true;
        permits.acquireUninterruptibly(MOST);
        idle.forEach(SqliteReaders::close);
        idle.clear();
        permits.release(MOST);
    }

    private static void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            LOG.debug("Closing a reader's connection: {}", Faults.name(e));
        }
    }
}

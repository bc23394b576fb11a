package io.sallyport.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The writer's one connection, its cached statements, and the group that is being written on it. */
final class SqliteTx implements Tx, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SqliteTx.class);

    private final Connection connection;
    private final Map<String, PreparedStatement> statements = new HashMap<>();
    private final List<Gathering> gathered = new ArrayList<>(4);
    private @Nullable Job<?> current;

    SqliteTx(Connection connection) throws SQLException {
        this.connection = connection;
        connection.setAutoCommit(false);
    }

    /** Runs the group in one transaction, then commits it. On return it is on disk. */
    void commit(List<? extends Job<?>> group) throws SQLException {
        boolean committed = false;
        try {
            if (!runTogether(group)) {
                connection.rollback();
                forgetGathered();
                group.forEach(Job::undone);
                if (group.size() > 1) {
                    runEachAlone(group);
                }
            }
            connection.commit();
            committed = true;
        } finally {
            if (!committed) {
                forgetGathered();
            }
            gathered.clear();
        }
    }

    /** The usual case, without a savepoint for each: one that throws undoes all, and they are run again. */
    private boolean runTogether(List<? extends Job<?>> group) throws SQLException {
        for (Job<?> job : group) {
            if (!job.run(this)) {
                return false;
            }
        }
        return group.size() == 1 ? group.getFirst().write(this) : wroteForAll();
    }

    /** A mistake in what was gathered is somebody's own: who it was is found out by running each alone. */
    private boolean wroteForAll() throws SQLException {
        try {
            writeGathered();
            return true;
        } catch (SQLException | RuntimeException mistake) {
            SQLException fault = Faults.ofTheStore(mistake);
            if (fault != null) {
                throw fault;
            }
            return false;
        }
    }

    /** With a savepoint each, so that no piece is run a third time however many of its neighbours throw. */
    private void runEachAlone(List<? extends Job<?>> group) throws SQLException {
        for (Job<?> job : group) {
            Savepoint before = connection.setSavepoint();
            if (!job.run(this) || !job.write(this)) {
                connection.rollback(before);
                forgetGathered();
                job.undone();
            }
            connection.releaseSavepoint(before);
        }
    }

    void writeGathered() throws SQLException {
        for (Gathering gathering : gathered) {
            gathering.write(this);
        }
    }

    private void forgetGathered() {
        gathered.forEach(Gathering::forget);
        gathered.clear();
    }

    @Override
    public boolean gather(Gathering gathering) {
        return !gathered.contains(gathering) && gathered.add(gathering);
    }

    void enter(Job<?> job) {
        current = job;
    }

    void leave() {
        current = null;
    }

    @Override
    public Connection connection() {
        return connection;
    }

    @Override
    public PreparedStatement prepare(String sql) throws SQLException {
        PreparedStatement known = statements.get(sql);
        if (known != null && cleared(known)) {
            return known;
        }
        PreparedStatement statement = connection.prepareStatement(sql);
        statements.put(sql, statement);
        return statement;
    }

    /** The driver finalizes a statement that could not be run (its table was gone): kept, it would fail until the next start. */
    private static boolean cleared(PreparedStatement statement) {
        try {
            statement.clearParameters();
            return true;
        } catch (SQLException finalized) {
            return false;
        }
    }

    @Override
    public void afterCommit(Runnable action) {
        running().onCommit(action);
    }

    @Override
    public void afterRollback(Runnable action) {
        running().onRollback(action);
    }

    private Job<?> running() {
        if (current == null) {
            throw new IllegalStateException("a transaction was kept beyond the work that it was handed to");
        }
        return current;
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            LOG.debug("Closing the writer's connection: {}", Faults.name(e));
        }
    }
}

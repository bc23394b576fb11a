package io.sallyport.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one writer, on a platform thread of its own: SQLite's calls are native and would pin a virtual one. Everything that waits goes into
 * one transaction; while its fsync runs, the next group gathers.
 */
final class GroupCommitWriter implements Writer {

    /** Opens the writer's connection, at first and again after a fault. */
    @FunctionalInterface
    interface Opening {
        Connection open() throws SQLException;
    }

    private static final Logger LOG = LoggerFactory.getLogger(GroupCommitWriter.class);
    private static final int MOST_IN_A_GROUP = 1024;
    private static final int MOST_WAITING = 65_536;

    /** Longer than the wait for a sync, so that there is somebody to go along with; short beside the time that a broker takes to start. */
    private static final Duration PATIENCE = Duration.ofMillis(10);

    /** After a fault the writer tries by itself: a broker whose readiness is red gets no traffic that could show that it has recovered. */
    private static final Duration BETWEEN_PROBES = Duration.ofMillis(500);

    private static final Work<Integer> PROBE =
            tx -> tx.prepare("update store_value set value = randomblob(16) where name = 'probe'")
                    .executeUpdate();

    private final Opening opening;
    private final WaitingLine line = new WaitingLine(MOST_WAITING, PATIENCE);
    private final Thread thread;
    private volatile boolean healthy = true;
    private @Nullable SqliteTx tx;

    GroupCommitWriter(Opening opening) {
        this.opening = opening;
        this.thread = Thread.ofPlatform().name("store-writer").daemon().start(this::serve);
    }

    @Override
    public <T> CompletableFuture<T> submit(Work<T> work) {
        Job<T> job = new Job<>(work);
        return entered(job, line.add(job));
    }

    @Override
    public <T> CompletableFuture<T> submitInPassing(Work<T> work) {
        Job<T> job = new Job<>(work);
        return entered(job, line.addInPassing(job));
    }

    private static <T> CompletableFuture<T> entered(Job<T> job, WaitingLine.Entry entry) {
        switch (entry) {
            case WAITING -> {}
            case FULL ->
                job.failed(new StoreFault("The store is too slow: " + MOST_WAITING + " pieces of work are waiting"));
            case CLOSED -> job.failed(new StoreFault("The store is closed"));
        }
        return job.future();
    }

    @Override
    public <T> T write(Work<T> work) {
        if (Thread.currentThread() == thread) {
            throw new IllegalStateException("the writer's thread can't wait for itself");
        }
        try {
            return submit(work).join();
        } catch (CompletionException e) {
            throw thrown(e.getCause());
        }
    }

    private static RuntimeException thrown(@Nullable Throwable cause) {
        return switch (cause) {
            case RuntimeException e -> e;
            case Error e -> throw e;
            case null, default ->
                new StoreFault("The work could not be done: " + cause, new CompletionException(cause));
        };
    }

    @Override
    public boolean healthy() {
        return healthy;
    }

    private void serve() {
        while (!line.drained()) {
            try {
                List<Job<?>> group = line.take(MOST_IN_A_GROUP, healthy ? WaitingLine.whenever() : BETWEEN_PROBES);
                if (!group.isEmpty()) {
                    commit(group);
                } else if (!healthy && !line.drained()) {
                    commit(List.of(new Job<>(PROBE)));
                }
            } catch (InterruptedException e) {
                LOG.debug("The writer ends by close() alone", e);
            }
        }
        disconnect();
    }

    private void commit(List<Job<?>> group) {
        try {
            connected().commit(group);
        } catch (SQLException | RuntimeException | Error e) {
            fail(group, e);
            return;
        }
        if (!healthy) {
            healthy = true;
            LOG.info("The store can write again");
        }
        group.forEach(Job::settled);
    }

    /** Nothing of the group counts. The connection goes too: after an I/O error nobody knows what SQLite still holds to be true. */
    private void fail(List<Job<?>> group, Throwable e) {
        String what =
                e instanceof SQLException sql ? Faults.name(sql) : e.getClass().getSimpleName();
        if (healthy) {
            healthy = false;
            LOG.error("The store can't write ({}); everything that needs a record is refused until it can", what, e);
        }
        disconnect();
        StoreFault fault = new StoreFault("The store can't write: " + what, e);
        group.forEach(job -> job.failed(fault));
    }

    private SqliteTx connected() throws SQLException {
        if (tx == null) {
            tx = new SqliteTx(opening.open());
        }
        return tx;
    }

    private void disconnect() {
        if (tx != null) {
            tx.close();
            tx = null;
        }
    }

    /** Lets nothing more in, finishes what waits, and returns when that is on disk. */
    @Override
    public void close() {
        line.close();
        boolean interrupted = false;
        while (thread.isAlive() && Thread.currentThread() != thread) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

package io.sallyport.store;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One piece of work on its way through the writer: what it is to do, what it asked to be told, and who waits for it. */
final class Job<T> {

    private static final Logger LOG = LoggerFactory.getLogger(Job.class);

    private final Writer.Work<T> work;
    private final CompletableFuture<T> future = new CompletableFuture<>();
    private final List<Runnable> afterCommit = new ArrayList<>(2);
    private final List<Runnable> afterRollback = new ArrayList<>(2);
    private @Nullable T result;
    private @Nullable Throwable failure;

    Job(Writer.Work<T> work) {
        this.work = work;
    }

    CompletableFuture<T> future() {
        return future;
    }

    /**
     * @return whether the work ended normally; if not, {@link #failed} says so to whoever waits
     * @throws SQLException when the store itself is at fault: then nothing of the group can be committed
     */
    boolean run(SqliteTx tx) throws SQLException {
        tx.enter(this);
        failure = null;
        try {
            result = work.run(tx);
            return true;
        } catch (Throwable thrown) {
            // Errors too: the writer serves everybody, so what one piece throws is that piece's alone.
            SQLException fault = Faults.ofTheStore(thrown);
            if (fault != null) {
                throw fault;
            }
            failure = thrown;
            return false;
        } finally {
            tx.leave();
        }
    }

    void onCommit(Runnable action) {
        afterCommit.add(action);
    }

    void onRollback(Runnable action) {
        afterRollback.add(action);
    }

    /** What it did is gone; it may be run again. */
    void undone() {
        List<Runnable> told = List.copyOf(afterRollback);
        afterRollback.clear();
        afterCommit.clear();
        told.forEach(Job::runSafely);
    }

    /** What it did is on disk, or it did nothing because it failed: says so. */
    void settled() {
        if (failure != null) {
            future.completeExceptionally(failure);
            return;
        }
        afterCommit.forEach(Job::runSafely);
        @SuppressWarnings("NullAway") // a T that may be null is the caller's own choice of type
        T value = result;
        future.complete(value);
    }

    /** The store could not do it. */
    void failed(Throwable fault) {
        undone();
        future.completeExceptionally(failure != null ? failure : fault);
    }

    private static void runSafely(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException e) {
            LOG.error("What was to be told after a transaction could not be told", e);
        }
    }
}

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

    /** Empty for nearly all: a request's entry asks for neither. */
    private List<Runnable> afterCommit = List.of();

    private List<Runnable> afterRollback = List.of();
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
            return threw(thrown);
        } finally {
            tx.leave();
        }
    }

    /**
     * Writes what it gathered, where it stands alone.
     *
     * @return and throws as {@link #run}
     */
    boolean write(SqliteTx tx) throws SQLException {
        try {
            tx.writeGathered();
            return true;
        } catch (Throwable thrown) {
            return threw(thrown);
        }
    }

    private boolean threw(Throwable thrown) throws SQLException {
        SQLException fault = Faults.ofTheStore(thrown);
        if (fault != null) {
            throw fault;
        }
        failure = thrown;
        return false;
    }

    void onCommit(Runnable action) {
        afterCommit = with(afterCommit, action);
    }

    void onRollback(Runnable action) {
        afterRollback = with(afterRollback, action);
    }

    private static List<Runnable> with(List<Runnable> actions, Runnable action) {
        List<Runnable> more = actions.isEmpty() ? new ArrayList<>(2) : actions;
        more.add(action);
        return more;
    }

    /** What it did is gone; it may be run again. */
    void undone() {
        List<Runnable> told = afterRollback;
        afterRollback = List.of();
        afterCommit = List.of();
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

package io.sallyport.store;

import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;

/**
 * The one writer. Work that waits together is committed together, so that an fsync is shared; each piece stands or falls alone.
 */
public interface Writer extends AutoCloseable {

    /** A piece of durable work. It may be run more than once (when a neighbour in its group fails), so it touches nothing but the transaction. */
    @FunctionalInterface
    interface Work<T> {
        T run(Tx tx) throws SQLException;
    }

    /**
     * @return completes after the commit is on disk; exceptionally with {@link StoreFault} when it could not be, or with what the work
     *     itself threw (then only this work is rolled back). Completed on the writer's thread: continue elsewhere if it takes long.
     */
    <T> CompletableFuture<T> submit(Work<T> work);

    /**
     * As {@link #submit}, for work that nobody waits for: it is committed with the next that somebody waits for, in the order in which
     * both came, and after some milliseconds by itself. So it costs no fsync of its own while others write.
     */
    <T> CompletableFuture<T> submitInPassing(Work<T> work);

    /** As {@link #submit}, waited for. */
    <T> T write(Work<T> work);

    /** Whether the last attempt to commit succeeded; feeds health. */
    boolean healthy();

    @Override
    void close();
}

package io.sallyport.revocation;

import io.sallyport.store.StoreFault;
import io.sallyport.store.Writer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** A writer that can be down or hang, in front of the real one. */
final class BreakableWriter implements Writer {

    enum State {
        WORKS,
        DOWN,
        HANGS
    }

    private final Writer real;
    private volatile State state = State.WORKS;

    BreakableWriter(Writer real) {
        this.real = real;
    }

    void become(State next) {
        state = next;
    }

    @Override
    public <T> CompletableFuture<T> submit(Work<T> work) {
        return switch (state) {
            case WORKS -> real.submit(work);
            case DOWN -> CompletableFuture.failedFuture(new StoreFault("the disk is full"));
            case HANGS -> new CompletableFuture<>();
        };
    }

    @Override
    public <T> CompletableFuture<T> submitInPassing(Work<T> work) {
        return submit(work);
    }

    @Override
    public <T> T write(Work<T> work) {
        try {
            return submit(work).join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    @Override
    public boolean healthy() {
        return state == State.WORKS;
    }

    @Override
    public void close() {}
}

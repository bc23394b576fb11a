package io.sallyport.admin;

import io.sallyport.ledger.Fact;
import io.sallyport.ledger.Ledger;
import io.sallyport.store.Resealing;
import io.sallyport.store.StoreFault;
import io.sallyport.store.Writer;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes what is sealed from one key to the next for an operator, on a thread of its own; start and end are told to the ledger. A broker that stops
 * in the middle has lost nothing: the next order goes on with what is left.
 */
public final class SealRotation implements AutoCloseable {

    private static final Duration LAST_BATCH = Duration.ofSeconds(10);

    private final Resealing resealing;
    private final Writer writer;
    private final Ledger ledger;

    private volatile boolean closing;
    private volatile boolean running;
    private volatile Progress progress = new Progress(0, List.of(), null);
    private @Nullable Thread worker;

    /**
     * Of the order that is being carried out, or was last.
     *
     * @param sealed values that were sealed anew
     * @param unreadable values that could not be opened, each as a table and a row's key
     * @param stopped why it ended before its end; null where it did not
     */
    public record Progress(
            long sealed, List<String> unreadable, @Nullable String stopped) {

        public Progress {
            unreadable = List.copyOf(unreadable);
        }
    }

    /** What became of an order. */
    public sealed interface Ordered {

        /** It is being carried out, by this order or one before. */
        record Runs() implements Ordered {}

        /** Everything is sealed with the key that seals. */
        record NothingToDo() implements Ordered {}

        record Refused(String reason) implements Ordered {}
    }

    public SealRotation(Resealing resealing, Writer writer, Ledger ledger) {
        this.resealing = resealing;
        this.writer = writer;
        this.ledger = ledger;
    }

    public Resealing.Status status() {
        return resealing.status();
    }

    public boolean running() {
        return running;
    }

    public Progress progress() {
        return progress;
    }

    /** @param newKey first has the service that keeps the key make another; blocks while it does */
    public synchronized Ordered rotate(boolean newKey, String by) {
        if (running) {
            return newKey
                    ? new Ordered.Refused("Values are being sealed anew at the moment; wait for the end of that.")
                    : new Ordered.Runs();
        }
        if (newKey) {
            String refusal = renewed(by);
            if (refusal != null) {
                return new Ordered.Refused(refusal);
            }
        }
        Resealing.Status status = resealing.status();
        if (status.waiting() == 0) {
            return new Ordered.NothingToDo();
        }
        tell(
                by,
                "seal rotate to key " + status.key() + " from " + status.place() + ": " + status.waiting()
                        + " values of other keys");
        begin(by, status.key());
        return new Ordered.Runs();
    }

    private @Nullable String renewed(String by) {
        if (!resealing.renewable()) {
            return "The key is from " + resealing.status().place() + ", and no service can make another. Name a new"
                    + " one in sallyport.key, this one in sallyport.previous-keys, and start the broker again.";
        }
        try {
            Resealing.Renewal renewal = resealing.renewal();
            writer.write(tx -> {
                renewal.write(tx);
                return ledger.append(tx, new Fact.Operated(by, "seal rotate: new key " + renewal.key()));
            });
            return null;
        } catch (StoreFault fault) {
            return String.valueOf(fault.getMessage());
        }
    }

    private void begin(String by, String key) {
        progress = new Progress(0, List.of(), null);
        running = true;
        worker = Thread.ofPlatform().daemon().name("reseal").start(() -> {
            try {
                work(by, key);
            } finally {
                running = false;
            }
        });
    }

    private void work(String by, String key) {
        try {
            List<String> unreadable = resealing.run(() -> !closing, this::sealed);
            progress = new Progress(progress.sealed, unreadable, closing ? "the broker was stopped" : null);
            tell(
                    by,
                    "seal rotate to key " + key + (closing ? " stopped: " : " ended: ") + progress.sealed
                            + " values sealed anew, " + resealing.status().waiting() + " left");
        } catch (StoreFault fault) {
            progress = new Progress(progress.sealed, List.of(), String.valueOf(fault.getMessage()));
        }
    }

    private void sealed(int more) {
        progress = new Progress(progress.sealed + more, List.of(), null);
    }

    private void tell(String by, String what) {
        writer.write(tx -> ledger.append(tx, new Fact.Operated(by, what)));
    }

    /** After the batch that is under way. */
    @Override
    public synchronized void close() throws InterruptedException {
        closing = true;
        if (worker != null) {
            worker.join(LAST_BATCH);
        }
    }
}

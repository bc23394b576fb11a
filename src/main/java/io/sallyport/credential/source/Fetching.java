package io.sallyport.credential.source;

import io.sallyport.credential.source.SecretSource.Waits;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks sources, each on the threads that suit it, and answers within the source's deadline whatever the source does. What comes too late
 * is given back.
 */
public final class Fetching {

    /** At once for one credential: a source that makes a secret for each grant is not stormed by a herd of them. */
    static final int AT_ONCE = 16;

    private final Executor disk;
    private final Executor network;
    private final Revocations revocations;
    private final LongSupplier nanos;
    private final Set<Attempt> running = ConcurrentHashMap.newKeySet();
    private final ConcurrentHashMap<String, Semaphore> places = new ConcurrentHashMap<>();

    /** Hears what became of a fetch: one of the two, once. */
    public interface Landing {
        void fetched(Fetched fetched);

        void failed(SourceFault fault);
    }

    /** @param disk few platform threads; @param network a thread for each task */
    public Fetching(Executor disk, Executor network, Revocations revocations, LongSupplier nanos) {
        this.disk = disk;
        this.network = network;
        this.revocations = revocations;
        this.nanos = nanos;
    }

    public void fetch(SecretSource source, Fetch fetch, Landing landing) {
        Attempt attempt = new Attempt(source, fetch, landing, nanos.getAsLong());
        running.add(attempt);
        try {
            (source.waits() == Waits.DISK ? disk : network).execute(attempt::run);
        } catch (RejectedExecutionException e) {
            attempt.fail(SourceFault.down("the broker is stopping"));
        }
    }

    /** To be called about once a second: gives up what has taken longer than it may. */
    public void tick() {
        running.forEach(Attempt::giveUpIfOverdue);
    }

    private final class Attempt {

        private final SecretSource source;
        private final Fetch fetch;
        private final Landing landing;
        private final AtomicBoolean landed = new AtomicBoolean();
        private volatile long since;
        private volatile @Nullable Thread thread;

        Attempt(SecretSource source, Fetch fetch, Landing landing, long since) {
            this.source = source;
            this.fetch = fetch;
            this.landing = landing;
            this.since = since;
        }

        void run() {
            thread = Thread.currentThread();
            try {
                if (landed.get()) {
                    return;
                }
                if (source.waits() == Waits.DISK) {
                    ask();
                } else {
                    askInPlace();
                }
            } catch (InterruptedException e) {
                fail(SourceFault.down("asking its source was interrupted"));
            } catch (SourceFault fault) {
                fail(fault);
            } catch (RuntimeException | Error e) {
                // Its message may quote what it read, so only its type is told.
                fail(SourceFault.down("its source failed (" + e.getClass().getSimpleName() + ")"));
            } finally {
                thread = null;
                // A thread that is used again must not begin with our interruption.
                Thread.interrupted();
            }
        }

        private void askInPlace() throws SourceFault, InterruptedException {
            Semaphore place = places.computeIfAbsent(fetch.credential(), name -> new Semaphore(AT_ONCE, true));
            if (!place.tryAcquire(source.deadline().toMillis(), TimeUnit.MILLISECONDS)) {
                throw SourceFault.down("its source is busy with " + AT_ONCE + " other questions");
            }
            try {
                ask();
            } finally {
                place.release();
            }
        }

        private void ask() throws SourceFault, InterruptedException {
            since = nanos.getAsLong();
            land(source.fetch(fetch));
        }

        private void land(Fetched fetched) {
            if (landed.compareAndSet(false, true)) {
                running.remove(this);
                landing.fetched(fetched);
            } else {
                discard(fetched);
            }
        }

        void fail(SourceFault fault) {
            if (landed.compareAndSet(false, true)) {
                running.remove(this);
                landing.failed(fault);
            }
        }

        void giveUpIfOverdue() {
            Duration patience = source.deadline();
            if (nanos.getAsLong() - since < patience.toNanos()) {
                return;
            }
            Thread working = thread;
            fail(SourceFault.down("its source did not answer within " + patience.toMillis() + " ms"));
            if (working != null) {
                working.interrupt();
            }
        }

        private void discard(Fetched fetched) {
            switch (fetched) {
                case Fetched.Given given -> revocations.discard(fetch.credential(), given);
                case Fetched.Unfit(Fetched.Given given, SourceFault ignored) ->
                    revocations.discard(fetch.credential(), given);
                case Fetched.Unchanged ignored -> {}
            }
        }
    }
}

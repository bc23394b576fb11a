package io.sallyport.credential.source;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Secrets that are to be given back at their sources: tried at once, and again with growing pauses for an hour. Whoever ends a grant does
 * not wait for it. Held in memory: after a crash, the source's own time to live ends what was not given back.
 */
public final class Revocations {

    private static final Logger LOG = LoggerFactory.getLogger(Revocations.class);

    static final int MOST = 10_000;
    private static final long LONGEST_PAUSE = Duration.ofMinutes(1).toNanos();
    private static final long GIVEN_UP = Duration.ofHours(1).toNanos();
    private static final long OVERDUE = Duration.ofSeconds(10).toNanos();

    private final SourceTools tools;
    private final Executor network;
    private final LongSupplier nanos;
    private final Set<Waiting> waiting = ConcurrentHashMap.newKeySet();
    private final AtomicLong abandoned = new AtomicLong();

    /**
     * One that the source has not taken back yet.
     *
     * @param attempts so far; @param cause of the last that failed, empty before one has
     */
    public record Pending(String credential, Instant since, int attempts, String cause) {}

    /** @param network a thread for each task */
    public Revocations(SourceTools tools, Executor network, LongSupplier nanos) {
        this.tools = tools;
        this.network = network;
        this.nanos = nanos;
    }

    /** Queues it and tries it at once, on a thread of its own. */
    public void revoke(String credential, Revoker revoker) {
        if (waiting.size() >= MOST) {
            abandon(credential, MOST + " others wait already");
            return;
        }
        Waiting one = new Waiting(credential, revoker, tools.clock().instant(), nanos.getAsLong());
        waiting.add(one);
        one.start();
    }

    /** What came and is wanted no more. */
    public void discard(String credential, Fetched.Given given) {
        given.material().close();
        Revoker revoker = given.revoker();
        if (revoker != null) {
            revoke(credential, revoker);
        }
    }

    /** To be called about once a second. */
    public void tick() {
        waiting.forEach(Waiting::tick);
    }

    /** Oldest first. */
    public List<Pending> pending() {
        return waiting.stream()
                .map(Waiting::shown)
                .sorted(Comparator.comparing(Pending::since))
                .toList();
    }

    /** Since the start: those that were given up, and end with the source's own time to live. */
    public long abandoned() {
        return abandoned.get();
    }

    private void abandon(String credential, String why) {
        abandoned.incrementAndGet();
        LOG.warn("a secret of the credential {} was not given back at its source: {}", credential, why);
    }

    private final class Waiting {

        private final String credential;
        private final Revoker revoker;
        private final Instant since;
        private final long sinceNanos;
        private int attempts;
        private String cause = "";
        private long next;
        private long started;
        private @Nullable Thread thread;
        private boolean underWay;

        Waiting(String credential, Revoker revoker, Instant since, long sinceNanos) {
            this.credential = credential;
            this.revoker = revoker;
            this.since = since;
            this.sinceNanos = sinceNanos;
        }

        synchronized Pending shown() {
            return new Pending(credential, since, attempts, cause);
        }

        synchronized void start() {
            underWay = true;
            started = nanos.getAsLong();
            attempts++;
            try {
                network.execute(this::run);
            } catch (RejectedExecutionException e) {
                failed("the broker is stopping");
            }
        }

        synchronized void tick() {
            long now = nanos.getAsLong();
            if (underWay) {
                if (now - started > OVERDUE && thread != null) {
                    thread.interrupt();
                }
            } else if (now - sinceNanos > GIVEN_UP) {
                waiting.remove(this);
                abandon(credential, cause);
            } else if (now - next >= 0) {
                start();
            }
        }

        private void run() {
            synchronized (this) {
                thread = Thread.currentThread();
            }
            try {
                revoker.revoke(tools);
                waiting.remove(this);
            } catch (SourceFault fault) {
                if (fault.kind() == SourceFault.Kind.MISSING) {
                    waiting.remove(this);
                } else {
                    failed(fault.cause());
                }
            } catch (InterruptedException e) {
                failed("its source did not answer within 10 s");
            } catch (RuntimeException e) {
                failed("its source failed (" + e.getClass().getSimpleName() + ")");
            }
        }

        private synchronized void failed(String why) {
            cause = why;
            thread = null;
            underWay = false;
            long pause = Duration.ofSeconds(1).toNanos() << Math.min(attempts - 1, 6);
            next = nanos.getAsLong() + Math.min(pause, LONGEST_PAUSE);
        }
    }
}

package io.sallyport.proxy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** What the hop could not do as promised, for health and metrics. */
public final class HopHealth {

    private final AtomicLong unrecordedOutcomes = new AtomicLong();
    private final AtomicLong unrecordedRefusals = new AtomicLong();
    private final AtomicLong refusedBeforeGrant = new AtomicLong();
    private final AtomicLong refusedTooOften = new AtomicLong();
    private final LongSupplier nanos;
    private volatile boolean recording = true;
    private volatile long failedAt;

    /**
     * How long a failure counts. A broker whose readiness is red gets no traffic, and without traffic nothing is recorded that could
     * show it has recovered; the store itself tries on its own and stays red for as long as it has to.
     */
    static final Duration REMEMBERED = Duration.ofSeconds(5);

    /** @param nanos monotonic nanoseconds */
    public HopHealth(LongSupplier nanos) {
        this.nanos = nanos;
    }

    void outcomeLost() {
        unrecordedOutcomes.incrementAndGet();
        recordFailed();
    }

    void refusalLost() {
        unrecordedRefusals.incrementAndGet();
        recordFailed();
    }

    void refusedTooOften() {
        refusedTooOften.incrementAndGet();
    }

    void recordFailed() {
        failedAt = nanos.getAsLong();
        recording = false;
    }

    void recorded() {
        if (!recording) {
            recording = true;
        }
    }

    void refusedBeforeGrant() {
        refusedBeforeGrant.incrementAndGet();
    }

    /** Whether the newest attempt to record something succeeded; true again some seconds after one that did not. */
    public boolean recording() {
        return recording || nanos.getAsLong() - failedAt > REMEMBERED.toNanos();
    }

    /** Uses whose outcome could not be written since the start; the next start records them as unknown. */
    public long unrecordedOutcomes() {
        return unrecordedOutcomes.get();
    }

    public long unrecordedRefusals() {
        return unrecordedRefusals.get();
    }

    /** Refusals since the start that have no entry because their task was refused too often. */
    public long refusedTooOftenCount() {
        return refusedTooOften.get();
    }

    /** Requests without a live grant since the start. */
    public long refusedBeforeGrantCount() {
        return refusedBeforeGrant.get();
    }
}

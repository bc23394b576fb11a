package io.sallyport.proxy;

import java.util.concurrent.atomic.AtomicLong;

/** What the hop could not do as promised, for health and metrics. */
public final class HopHealth {

    private final AtomicLong unrecordedOutcomes = new AtomicLong();
    private final AtomicLong unrecordedRefusals = new AtomicLong();
    private final AtomicLong refusedBeforeGrant = new AtomicLong();
    private final AtomicLong refusedTooOften = new AtomicLong();
    private volatile boolean recording = true;

    void outcomeLost() {
        unrecordedOutcomes.incrementAndGet();
        recording = false;
    }

    void refusalLost() {
        unrecordedRefusals.incrementAndGet();
        recording = false;
    }

    void refusedTooOften() {
        refusedTooOften.incrementAndGet();
    }

    void recordFailed() {
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

    /** Whether the newest attempt to record something succeeded. */
    public boolean recording() {
        return recording;
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

package io.sallyport.proxy;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** What the hop did, and what it could not do as promised, for health and metrics. */
public final class HopHealth {

    private final AtomicLong unrecordedOutcomes = new AtomicLong();
    private final AtomicLong unrecordedRefusals = new AtomicLong();
    private final AtomicLong refusedBeforeGrant = new AtomicLong();
    private final AtomicLong refusedTooOften = new AtomicLong();
    private final LongSupplier nanos;
    private final LongAdder uses = new LongAdder();
    private final AtomicLong upstreams = new AtomicLong();
    private final ConcurrentHashMap<String, LongAdder> outcomes = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, LongAdder> refusals = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<LedAway, LongAdder> ledAway = new ConcurrentHashMap<>();
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

    void used() {
        uses.increment();
    }

    /** @param kind as the ledger says it */
    void ended(String kind) {
        LongAdder count = outcomes.get(kind);
        (count == null ? outcomes.computeIfAbsent(kind, key -> new LongAdder()) : count).increment();
    }

    /** @param error of the closed list of {@link RefusalError}, as an answer has it */
    public void refused(String error) {
        refusals.computeIfAbsent(error, key -> new LongAdder()).increment();
    }

    /** A connection towards a destination is being made; {@link #upstreamGone} follows once. */
    public void upstreamMade() {
        upstreams.incrementAndGet();
    }

    public void upstreamGone() {
        upstreams.decrementAndGet();
    }

    /** Connections towards destinations: in use, idle or being made. */
    public long upstreams() {
        return upstreams.get();
    }

    /** Uses recorded since the start. */
    public long uses() {
        return uses.sum();
    }

    /** Uses that ended like this since the start. */
    public long outcomes(String kind) {
        return count(outcomes, kind);
    }

    /** Answers of the hop's own with this error since the start. */
    public long refusals(String error) {
        return count(refusals, error);
    }

    /** A connection at a transparent listener was closed before anything of it was read. */
    public void ledAway(LedAway why) {
        ledAway.computeIfAbsent(why, key -> new LongAdder()).increment();
    }

    /** Such connections since the start. */
    public long ledAwayCount(LedAway why) {
        return count(ledAway, why);
    }

    private static <K> long count(ConcurrentHashMap<K, LongAdder> counts, K key) {
        LongAdder count = counts.get(key);
        return count == null ? 0 : count.sum();
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

package io.sallyport.exchange;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.micrometer.core.instrument.MeterRegistry;
import io.sallyport.ledger.Fact;
import io.sallyport.ledger.Ledger;
import io.sallyport.store.Writer;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is refused before a grant is known: counted, logged, and written to the ledger without waiting, within a bound, so that a stranger
 * can't fill the disk or make the broker sync for every bad request.
 */
final class Refusals {

    /** Of one source, before its refusals become 429. */
    static final int SOURCE_BURST = 100;

    static final int SOURCE_PER_SECOND = 10;

    /** Entries of the ledger, of all sources together; what is over is counted into the next. */
    static final int LEDGER_BURST = 200;

    static final int LEDGER_PER_SECOND = 20;

    private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);
    private static final int MOST_SOURCES = 10_000;

    private final Cache<InetAddress, Spread> sources =
            Caffeine.newBuilder().maximumSize(MOST_SOURCES).build();
    private final Spread entries;
    private final AtomicLong unwritten = new AtomicLong();
    private final Ledger ledger;
    private final Writer writer;
    private final LongSupplier nanos;
    private final MeterRegistry meters;

    Refusals(Ledger ledger, Writer writer, LongSupplier nanos, MeterRegistry meters) {
        this.ledger = ledger;
        this.writer = writer;
        this.nanos = nanos;
        this.meters = meters;
        this.entries = new Spread(LEDGER_BURST, LEDGER_PER_SECOND, nanos.getAsLong());
    }

    /**
     * Takes note of a refusal.
     *
     * @return zero, or how long the source should wait: it has been refused too often lately. A good request of the same source still
     *     passes: sandbox and runtime often share an address, and one must not be able to shut out the other
     */
    Duration record(Refusal refusal, InetAddress source) {
        String error = refusal.error().getCode();
        meters.counter("sallyport.exchange.refused", "error", error).increment();
        Duration wait = sources.get(
                        network(source), key -> new Spread(SOURCE_BURST, SOURCE_PER_SECOND, nanos.getAsLong()))
                .take(nanos.getAsLong());
        if (entries.take(nanos.getAsLong()).isZero()) {
            LOG.info("refused {} from {}: {}", error, source.getHostAddress(), refusal.cause());
            write(refusal, source);
        } else {
            unwritten.incrementAndGet();
        }
        return wait;
    }

    private void write(Refusal refusal, InetAddress source) {
        long before = unwritten.getAndSet(0);
        String cause = before == 0 ? refusal.cause() : refusal.cause() + " (and " + before + " refusals before it)";
        Fact fact = new Fact.ExchangeRefused(
                refusal.workload(), refusal.policy(), refusal.error().getCode(), cause, source.getHostAddress());
        var unused = writer.submit(tx -> ledger.append(tx, fact)).exceptionally(fault -> {
            LOG.warn("a refusal could not be recorded", fault);
            unwritten.addAndGet(before + 1);
            return null;
        });
    }

    /** A host of IPv6 has a whole /64 to come from. */
    private static InetAddress network(InetAddress source) {
        if (!(source instanceof Inet6Address)) {
            return source;
        }
        byte[] bytes = source.getAddress();
        Arrays.fill(bytes, 8, bytes.length, (byte) 0);
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}

package io.sallyport.bench;

import io.sallyport.http.Origin;
import io.sallyport.ledger.Fact;
import io.sallyport.ledger.Ledger;
import io.sallyport.ledger.Ledger.Query;
import io.sallyport.testing.TestLedger;
import io.sallyport.testing.TestStore;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * How many durable appends a second, and how long a look-up by hash takes. Run with {@code mvn clean test -Dtest=LedgerBench}; choose with
 * {@code -Dbench=REGEX}, and rows with {@code -Drows=N}.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(
        value = 1,
        jvmArgs = {"--enable-native-access=ALL-UNNAMED", "-Xmx512m"})
@Warmup(iterations = 2, time = 3)
@Measurement(iterations = 4, time = 3)
public class LedgerBench {

    private static final int WAITING = 64;
    private static final int APPENDS = 64_000;

    @State(Scope.Benchmark)
    public static class Empty {
        TestStore store;
        Ledger ledger;

        @Setup
        public void open() {
            store = TestStore.started();
            ledger = TestLedger.on(store);
        }

        CompletableFuture<Long> append(Fact fact) {
            return store.writer().submit(tx -> ledger.append(tx, fact).seq());
        }

        @TearDown
        public void close() {
            store.close();
        }
    }

    @State(Scope.Benchmark)
    public static class Filled extends Empty {
        @Param("100000")
        public int rows;

        final AtomicLong next = new AtomicLong();

        @Setup(Level.Trial)
        public void fill() {
            keepWaiting(this, rows, Filled::numbered);
        }

        static Fact numbered(long n) {
            return used(new SplittableRandom(n));
        }
    }

    /** 64 pieces of work wait at any time; whoever is done is replaced at once, as requests on event loops are. */
    @Benchmark
    @OperationsPerInvocation(APPENDS)
    public void durableAppendsWith64Waiting(Empty ledger) {
        SplittableRandom random = new SplittableRandom();
        keepWaiting(ledger, APPENDS, n -> used(random));
    }

    /** The same with 64 threads, each blocked until its own entry is on disk. */
    @Benchmark
    @Threads(WAITING)
    public long durableAppendsBy64Threads(Empty ledger) {
        return ledger.append(used(new SplittableRandom())).join();
    }

    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    @OutputTimeUnit(TimeUnit.MICROSECONDS)
    public Ledger.Page lookUpByHash(Filled ledger) {
        long n = Math.floorMod(ledger.next.getAndAdd(7_919), (long) ledger.rows);
        Ledger.Page page = ledger.ledger.find(Query.ofSha256(hash(new SplittableRandom(n)), 10));
        if (page.entries().size() != 1) {
            throw new IllegalStateException("not found: " + n);
        }
        return page;
    }

    private static void keepWaiting(Empty ledger, int appends, java.util.function.LongFunction<Fact> facts) {
        Semaphore waiting = new Semaphore(WAITING);
        for (int i = 0; i < appends; i++) {
            waiting.acquireUninterruptibly();
            ledger.append(facts.apply(i)).whenComplete((seq, e) -> waiting.release());
        }
        waiting.acquireUninterruptibly(WAITING);
    }

    private static String hash(SplittableRandom random) {
        byte[] bytes = new byte[32];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private static Fact used(SplittableRandom random) {
        return new Fact.Used(
                TestLedger.ACTOR,
                "pull",
                "POST",
                new Origin("https", "api.github.com", 443),
                "/repos/acme/site/pulls",
                1024,
                hash(random),
                true,
                hash(random),
                List.of("github-acme"),
                List.of("authorization"));
    }

    @Test
    void run() throws RunnerException {
        new Runner(new OptionsBuilder()
                        .include(LedgerBench.class.getName() + "." + System.getProperty("bench", ".*"))
                        .param("rows", System.getProperty("rows", "100000"))
                        .build())
                .run();
    }
}

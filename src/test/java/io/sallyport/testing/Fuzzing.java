package io.sallyport.testing;

import java.time.Duration;
import java.util.function.LongConsumer;

/**
 * Seeded search for what was not thought of: a short while in the tests, {@code -Dfuzz.seconds=600} by hand, {@code -Dfuzz.seed=N} to see
 * one find again.
 */
public final class Fuzzing {

    private static final Duration BRIEF = Duration.ofSeconds(2);

    private Fuzzing() {}

    /** As {@link #run(int, LongConsumer)}, with enough of them for what takes microseconds. */
    public static long run(LongConsumer withSeed) {
        return run(500, withSeed);
    }

    /**
     * Runs with one seed after the other until the time is over; a failure names its seed.
     *
     * @param least how many, also where the machine is slow
     * @return how many it were
     */
    public static long run(int least, LongConsumer withSeed) {
        Long only = Long.getLong("fuzz.seed");
        if (only != null) {
            withSeed.accept(only);
            return 1;
        }
        Integer seconds = Integer.getInteger("fuzz.seconds");
        long nanos =
                seconds == null ? BRIEF.toNanos() : Duration.ofSeconds(seconds).toNanos();
        // Without a wish for more each build tries the same ones: it fails for what changed in the code.
        long first = seconds == null ? 0 : System.nanoTime();
        long start = System.nanoTime();
        long seed = first;
        while (System.nanoTime() - start < nanos || seed - first < least) {
            try {
                withSeed.accept(seed);
            } catch (AssertionError | RuntimeException find) {
                throw new AssertionError("-Dfuzz.seed=" + seed + ": " + find.getMessage(), find);
            }
            seed++;
        }
        if (seconds != null) {
            System.out.println("fuzzed with " + (seed - first) + " seeds");
        }
        return seed - first;
    }
}

package io.sallyport.bench.hop;

import java.util.Arrays;

/** What one run of a load measured. Times in nanoseconds. */
record Latencies(long[] sorted, long nanos) {

    static Latencies of(long[] samples, int count, long nanos) {
        long[] sorted = Arrays.copyOf(samples, count);
        Arrays.sort(sorted);
        return new Latencies(sorted, nanos);
    }

    double perSecond() {
        return sorted.length * 1e9 / nanos;
    }

    /** @param share 0 to 1 */
    double milliseconds(double share) {
        return sorted.length == 0
                ? Double.NaN
                : sorted[(int) Math.min(sorted.length - 1L, (long) (sorted.length * share))] / 1e6;
    }
}

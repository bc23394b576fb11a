package io.sallyport.bench.siege;

import io.sallyport.testing.RawClient;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/**
 * Asks for little, at its own pace, and wants each answer: on a connection that it keeps, and every twentieth time on a new one. What it
 * waits for counts from when the request was due, so that a stall is not hidden by the requests that did not come meanwhile.
 */
final class GoodAgent {

    private static final long EVERY_NANOS = 20_000_000;

    /** Nanoseconds from due to answered, in order of size. */
    record Waits(long[] kept, long[] fresh) {

        String line(String what) {
            return String.format(
                    Locale.ROOT,
                    "%-40s kept p50 %7.2f ms, p99 %7.2f ms; new connection p50 %7.2f ms, p99 %7.2f ms",
                    what,
                    at(kept, 0.5),
                    at(kept, 0.99),
                    at(fresh, 0.5),
                    at(fresh, 0.99));
        }

        private static double at(long[] sorted, double share) {
            return sorted[(int) (sorted.length * share)] / 1e6;
        }
    }

    private final SiegeGround ground;
    private final String token;

    GoodAgent(SiegeGround ground) {
        this.ground = ground;
        this.token = ground.token();
    }

    /** @throws IllegalStateException when a request is not answered with a 200 */
    Waits asks(int times) {
        long[] kept = new long[times];
        long[] fresh = new long[times / 20];
        try (RawClient connection = ground.tunnel(token)) {
            ask(connection);
            long start = System.nanoTime();
            for (int i = 0; i < times; i++) {
                long due = start + i * EVERY_NANOS;
                LockSupport.parkNanos(Math.max(0, due - System.nanoTime()));
                ask(connection);
                kept[i] = System.nanoTime() - due;
                if (i % 20 == 19) {
                    long before = System.nanoTime();
                    try (RawClient another = ground.tunnel(token)) {
                        ask(another);
                    }
                    fresh[i / 20] = System.nanoTime() - before;
                    start += System.nanoTime() - before;
                }
            }
        }
        Arrays.sort(kept);
        Arrays.sort(fresh);
        return new Waits(kept, fresh);
    }

    private void ask(RawClient connection) {
        RawClient.Answer answer = connection.send(ground.head("GET /v1/good")).read();
        if (answer.status() != 200 || !answer.text().equals("hello")) {
            throw new IllegalStateException("a good request was answered: " + answer);
        }
    }
}

package io.sallyport.proxy;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Content of requests that the hop holds, in bytes: read from agents and not yet with a destination. It refuses nobody. A flow that finds
 * it spent takes smaller windows, so that what one task can make the hop hold is bounded, and every flow still gets on.
 */
public final class ContentBudget {

    private final long most;
    private final long mostOfTask;
    private final AtomicLong all = new AtomicLong();
    private final ConcurrentHashMap<String, Long> byTask = new ConcurrentHashMap<>();

    public ContentBudget(Limits limits) {
        this.most = limits.content();
        this.mostOfTask = limits.contentPerTask();
    }

    /** What one flow holds. Used by its own thread alone. */
    public final class Share {
        private final String task;
        private long held;

        private Share(String task) {
            this.task = task;
        }

        public void take(long bytes) {
            held += bytes;
            all.addAndGet(bytes);
            byTask.merge(task, bytes, Long::sum);
        }

        public void giveBack(long bytes) {
            long given = Math.min(bytes, held);
            if (given > 0) {
                held -= given;
                all.addAndGet(-given);
                byTask.computeIfPresent(task, (key, sum) -> sum > given ? sum - given : null);
            }
        }

        /** Nothing is held any more. Idempotent. */
        public void close() {
            giveBack(held);
        }

        /** Whether windows are to be small. */
        public boolean tight() {
            return all.get() >= most || byTask.getOrDefault(task, 0L) >= mostOfTask;
        }
    }

    public Share share(String task) {
        return new Share(task);
    }

    /** Bytes held now. */
    public long held() {
        return all.get();
    }
}

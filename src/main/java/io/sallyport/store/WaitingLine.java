package io.sallyport.store;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Where work waits for the writer. Bounded, so that a disk that hangs turns into refusals and not into memory; once closed, nothing enters. */
final class WaitingLine {

    /** Whether a piece of work got in, and if not, why not. */
    enum Entry {
        WAITING,
        FULL,
        CLOSED
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition somethingToDo = lock.newCondition();
    private final ArrayDeque<Job<?>> jobs = new ArrayDeque<>(1024);
    private final int limit;
    private boolean closed;

    WaitingLine(int limit) {
        this.limit = limit;
    }

    Entry add(Job<?> job) {
        lock.lock();
        try {
            if (closed) {
                return Entry.CLOSED;
            }
            if (jobs.size() >= limit) {
                return Entry.FULL;
            }
            jobs.add(job);
            if (jobs.size() == 1) {
                somethingToDo.signal();
            }
            return Entry.WAITING;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for work, at most so long, and takes what there is up to {@code most}; empty after the time, or when closed and drained. */
    List<Job<?>> take(int most, Duration atMost) throws InterruptedException {
        lock.lock();
        try {
            long nanos = atMost.toNanos();
            while (jobs.isEmpty() && !closed && nanos > 0) {
                nanos = somethingToDo.awaitNanos(nanos);
            }
            int size = Math.min(most, jobs.size());
            List<Job<?>> taken = new ArrayList<>(size);
            for (int i = 0; i < size; i++) {
                taken.add(jobs.remove());
            }
            return taken;
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            somethingToDo.signalAll();
        } finally {
            lock.unlock();
        }
    }

    boolean drained() {
        lock.lock();
        try {
            return closed && jobs.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    static Duration whenever() {
        return Duration.ofDays(1);
    }
}

package io.sallyport.store;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Where work waits for the writer. Bounded, so that a disk that hangs turns into refusals and not into memory; once closed, nothing enters.
 *
 * <p>Work that somebody waits for presses: the writer is woken for it at once, and takes all there is. Other work is taken along with it,
 * or alone when it has lain for a while.
 */
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
    private final long patience;
    private boolean closed;

    /** Somebody waits for something that is in the line. */
    private boolean pressing;

    /** The writer waits longer than work may lie. */
    private boolean asleep;

    /** @param patience how long work that nobody waits for may lie */
    WaitingLine(int limit, Duration patience) {
        this.limit = limit;
        this.patience = patience.toNanos();
    }

    /** Work that somebody waits for. */
    Entry add(Job<?> job) {
        return add(job, true);
    }

    /** Work that nobody waits for. */
    Entry addInPassing(Job<?> job) {
        return add(job, false);
    }

    private Entry add(Job<?> job, boolean presses) {
        lock.lock();
        try {
            if (closed) {
                return Entry.CLOSED;
            }
            if (jobs.size() >= limit) {
                return Entry.FULL;
            }
            jobs.add(job);
            if (presses ? !pressing : asleep) {
                somethingToDo.signal();
            }
            pressing |= presses;
            return Entry.WAITING;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for work that presses, at most so long and not longer than other work may lie, and takes what there is up to {@code most};
     * empty after the time, or when closed and drained.
     */
    List<Job<?>> take(int most, Duration atMost) throws InterruptedException {
        lock.lock();
        try {
            await(atMost.toNanos());
            int size = Math.min(most, jobs.size());
            List<Job<?>> taken = new ArrayList<>(size);
            for (int i = 0; i < size; i++) {
                taken.add(jobs.remove());
            }
            pressing = !jobs.isEmpty();
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /**
     * After a group its outcomes are about to come: at first the writer waits no longer than those may lie, so that none of them has to
     * wake it. Only then does it fall asleep.
     */
    private void await(long atMost) throws InterruptedException {
        long left = atMost;
        long patient = patience;
        while (!pressing && !closed && left > 0 && (patient > 0 || jobs.isEmpty())) {
            asleep = patient <= 0;
            long wait = asleep ? left : Math.min(left, patient);
            long waited = wait - somethingToDo.awaitNanos(wait);
            left -= waited;
            patient = asleep ? patience : patient - waited;
        }
        asleep = false;
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

package io.sallyport.credential;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The threads that ask sources, and the one that looks at what is due. */
final class SourceThreads implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SourceThreads.class);
    private static final int DISK = 2;

    private final ThreadPoolExecutor disk = new ThreadPoolExecutor(
            DISK,
            DISK,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().daemon().name("secret-reader-", 0).factory());
    private final ExecutorService network = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("secret-source-", 0).factory());
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("secret-clock").factory());

    SourceThreads() {
        disk.allowCoreThreadTimeOut(true);
    }

    /** Few platform threads, because SQLite's native calls pin virtual ones; idle, they end by themselves. */
    Executor disk() {
        return disk;
    }

    /** A virtual thread for each task. */
    Executor network() {
        return network;
    }

    /** @param task does not block; one that fails is run again all the same */
    void everySecond(Runnable task) {
        clock.scheduleWithFixedDelay(() -> carryOut(task), 1, 1, TimeUnit.SECONDS);
    }

    private static void carryOut(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.error("what is due for secrets could not be looked at", e);
        }
    }

    /** Without waiting for anybody: what was to be given back had its time before. */
    @Override
    public void close() {
        clock.shutdownNow();
        network.shutdownNow();
        disk.shutdownNow();
    }
}

package io.sallyport.net;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Where names are asked for, never on an event loop: a few threads, and a bounded queue, so that names which hang can't take memory. */
final class NameThreads {

    private static final int WAITING = 256;

    private NameThreads() {}

    /** Refuses work beyond the queue, with a {@link java.util.concurrent.RejectedExecutionException}. */
    static ThreadPoolExecutor of(int threads) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                threads,
                threads,
                30,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(WAITING),
                Thread.ofPlatform().daemon().name("names-", 0).factory());
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }
}

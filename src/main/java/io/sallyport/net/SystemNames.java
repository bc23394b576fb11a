package io.sallyport.net;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The system's resolver, hosts file and search list included. It blocks in native code, which would pin a virtual thread: so a few
 * platform threads, and a bounded queue, so that names which hang can't take the others' memory.
 */
final class SystemNames implements NameSource, AutoCloseable {

    private static final int THREADS = 8;
    private static final int WAITING = 256;

    private final ExecutorService threads;

    SystemNames() {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                30,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(WAITING),
                Thread.ofPlatform().daemon().name("names-", 0).factory());
        pool.allowCoreThreadTimeOut(true);
        this.threads = pool;
    }

    @Override
    public CompletableFuture<Answer> ask(String name) {
        try {
            return CompletableFuture.supplyAsync(() -> lookUp(name), threads);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.completedFuture(new Answer.NotFound("too many names are being looked up"));
        }
    }

    /** The system does not tell a time to live; the JDK below remembers for up to 30 s by itself. */
    private static Answer lookUp(String name) {
        try {
            return new Answer.Found(List.of(InetAddress.getAllByName(name)), Duration.ZERO);
        } catch (UnknownHostException e) {
            return new Answer.NotFound("no such name");
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}

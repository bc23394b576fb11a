package io.sallyport.revocation;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tries each second to write what the store refused. */
final class RetryTimer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RetryTimer.class);

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("revocation-record").daemon().factory());

    RetryTimer(JdbcRevocations revocations) {
        var unused = timer.scheduleWithFixedDelay(() -> retry(revocations), 1, 1, TimeUnit.SECONDS);
    }

    private static void retry(JdbcRevocations revocations) {
        try {
            revocations.retry();
        } catch (RuntimeException e) {
            LOG.error("Revocations could not be tried again; that comes again in a second", e);
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}

package io.sallyport.grant;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tidies up from time to time. Nothing depends on it but memory: what has expired does not stand, swept or not. */
final class ExpirySweep implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ExpirySweep.class);
    private static final int SECONDS = 30;

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("expiry-sweep").daemon().factory());

    ExpirySweep(JdbcGrants grants) {
        var unused = timer.scheduleWithFixedDelay(() -> sweep(grants), SECONDS, SECONDS, TimeUnit.SECONDS);
    }

    private static void sweep(JdbcGrants grants) {
        try {
            LOG.debug("{} grants left memory", grants.forgetExpired());
        } catch (RuntimeException e) {
            LOG.warn("The sweep of expired grants failed; it comes again in {} s", SECONDS, e);
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}

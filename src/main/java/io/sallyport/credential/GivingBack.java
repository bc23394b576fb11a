package io.sallyport.credential;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** At the broker's stop, gives back at their sources what is held; after the doors have closed, and within {@link #PATIENCE_MILLIS}. */
final class GivingBack implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(GivingBack.class);
    static final long PATIENCE_MILLIS = 5_000;
    private static final long STEP_MILLIS = 20;

    private final WarmSecrets warm;
    private volatile boolean running;

    GivingBack(WarmSecrets warm) {
        this.warm = warm;
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        warm.dropAll();
        for (long waited = 0; waited < PATIENCE_MILLIS; waited += STEP_MILLIS) {
            if (warm.revocations().pending().isEmpty()) {
                return;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(STEP_MILLIS));
        }
        LOG.warn(
                "{} secrets were not given back at their sources before the stop; their own time to live ends them",
                warm.revocations().pending().size());
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Stopped last of those with a place: lower is later. */
    @Override
    public int getPhase() {
        return Integer.MIN_VALUE;
    }
}

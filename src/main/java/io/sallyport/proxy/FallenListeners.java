package io.sallyport.proxy;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Once a second closes the listeners of grants that ended by time alone. Nothing is let through meanwhile: each request looks at its grant. */
final class FallenListeners implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(FallenListeners.class);

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("fallen-listeners").factory());

    FallenListeners(OwnListeners listeners) {
        var unused = timer.scheduleWithFixedDelay(() -> close(listeners), 1, 1, TimeUnit.SECONDS);
    }

    private static void close(OwnListeners listeners) {
        try {
            listeners.closeFallen();
        } catch (RuntimeException fault) {
            // A timer's task that throws is never run again.
            LOG.error("listeners of fallen grants could not be closed; they are looked at again in a second", fault);
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}

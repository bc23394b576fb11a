package io.sallyport.credential.vault;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Looks after the session while nobody asks anything: from the start on, and every ten seconds. */
public final class VaultKeeper implements AutoCloseable {

    private static final Duration BETWEEN = Duration.ofSeconds(10);

    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("vault-keeper").factory());

    public VaultKeeper(VaultSession session) {
        if (session.named()) {
            clock.scheduleWithFixedDelay(session::keep, 0, BETWEEN.toSeconds(), TimeUnit.SECONDS);
        }
    }

    /** Before the session: a login after its end would be ended by nobody. */
    @Override
    public void close() {
        clock.shutdownNow();
    }
}

package io.sallyport.identity;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An issuer's keys, fetched and kept. One fetch at a time, whoever waits for it; a key that is not known may cause one, at most every
 * {@link #COOLDOWN}, so that a flood of invented key ids costs the issuer nothing; an outage is sat out on the old keys for
 * {@link #TOLERATED}.
 */
final class FetchedKeys implements KeySource {

    /** How long fetched keys are used without asking again: also how late a withdrawn key may still be accepted. */
    static final Duration FRESH = Duration.ofMinutes(5);

    /** So long before that, a use starts the next fetch and does not wait for it. */
    static final Duration AHEAD = Duration.ofMinutes(1);

    /** How long the old keys serve while the issuer does not answer, from the last answer. */
    static final Duration TOLERATED = Duration.ofHours(1);

    /** The least time between the starts of two fetches, successful or not. */
    static final Duration COOLDOWN = Duration.ofSeconds(10);

    /** How long a caller waits for a fetch that is under way. */
    static final Duration PATIENCE = Duration.ofSeconds(12);

    /** Asks the issuer. */
    @FunctionalInterface
    interface Fetch {
        JWKSet get() throws IOException;
    }

    private record Held(List<JWK> keys, long at) {}

    private final Fetch fetch;
    private final LongSupplier nanos;
    private final Executor executor;

    // Guarded by this.
    private @Nullable Held held;
    private @Nullable String failure;
    private @Nullable CompletableFuture<Void> running;
    private long attemptedAt;

    FetchedKeys(Fetch fetch, LongSupplier nanos, Executor executor) {
        this.fetch = fetch;
        this.nanos = nanos;
        this.executor = executor;
        this.attemptedAt = nanos.getAsLong() - COOLDOWN.toNanos();
    }

    @Override
    public Answer find(Predicate<JWK> fits) {
        await(refreshIfDue());
        Answer first = look(fits);
        if (!(first instanceof Answer.Keys(List<JWK> found)) || !found.isEmpty()) {
            return first;
        }
        await(refreshForUnknown());
        return look(fits);
    }

    private synchronized Answer look(Predicate<JWK> fits) {
        Held now = held;
        if (now == null || age(now.at()) >= TOLERATED.toNanos()) {
            return new Answer.Unavailable(failure == null ? "the issuer has not answered yet" : failure);
        }
        List<JWK> found = now.keys().stream().filter(fits).toList();
        // An issuer that can't be asked may well have the key: that is our trouble, not the token's.
        return found.isEmpty() && failure != null
                ? new Answer.Unavailable("a key that is not known, and " + failure)
                : new Answer.Keys(found);
    }

    /** What to wait for before looking; null for nothing. */
    private synchronized @Nullable CompletableFuture<Void> refreshIfDue() {
        Held now = held;
        if (now == null || age(now.at()) >= FRESH.toNanos()) {
            return flight();
        }
        if (age(now.at()) >= FRESH.minus(AHEAD).toNanos()) {
            flight();
        }
        return null;
    }

    private synchronized @Nullable CompletableFuture<Void> refreshForUnknown() {
        return flight();
    }

    /** The fetch under way, or a new one if the last began long enough ago. It runs on its own thread: a caller that leaves ends nothing. */
    private synchronized @Nullable CompletableFuture<Void> flight() {
        if (running == null && age(attemptedAt) >= COOLDOWN.toNanos()) {
            attemptedAt = nanos.getAsLong();
            running = new CompletableFuture<>();
            executor.execute(this::refresh);
        }
        return running;
    }

    private void refresh() {
        Held fresh = null;
        String why = "the issuer's keys could not be fetched";
        try {
            fresh = new Held(fetch.get().getKeys(), nanos.getAsLong());
            why = null;
        } catch (IOException | RuntimeException fault) {
            why = "the issuer's keys can't be fetched: " + fault.getMessage();
        } finally {
            // Whatever happens: a flight that never lands would hold up every caller.
            land(fresh, why);
        }
    }

    private synchronized void land(@Nullable Held fresh, @Nullable String why) {
        if (fresh != null) {
            held = fresh;
        }
        failure = why;
        CompletableFuture<Void> landed = running;
        running = null;
        if (landed != null) {
            landed.complete(null);
        }
    }

    private long age(long since) {
        return nanos.getAsLong() - since;
    }

    private static void await(@Nullable CompletableFuture<Void> flight) {
        if (flight == null) {
            return;
        }
        try {
            flight.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException leaving) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException late) {
            // What is held, if anything, decides.
            return;
        }
    }
}

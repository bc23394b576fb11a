package io.sallyport.credential;

import static java.util.Objects.requireNonNull;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.sallyport.credential.source.Fetch;
import io.sallyport.credential.source.Fetched;
import io.sallyport.credential.source.SourceFault;
import io.sallyport.credential.source.SourceTools;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Secrets in memory, so that a request need not wait for a disk. What is held is believed for one second, be it a secret or the lack of
 * one; then the source is asked whether it changed, once for all who wait. Unused for ten minutes, it is let go.
 */
final class WarmSecrets {

    private static final Logger LOG = LoggerFactory.getLogger(WarmSecrets.class);
    private static final long BELIEVED = Duration.ofSeconds(1).toNanos();
    private static final Duration UNUSED = Duration.ofMinutes(10);

    private final SourceTools tools;
    private final Executor readers;
    private final LongSupplier nanos;
    private final AtomicLong read = new AtomicLong();
    private final Cache<String, State> states;
    private final ConcurrentHashMap<String, CompletableFuture<State>> flights = new ConcurrentHashMap<>();
    /** The cause that the log was told last, by credential; no more of them than documents have named. */
    private final ConcurrentHashMap<String, String> lacks = new ConcurrentHashMap<>();

    /** What is known of a credential's secret. */
    sealed interface State {

        /** Of the document that it was read for. */
        String version();

        /** In monotonic nanoseconds: when the source was last asked. */
        long at();

        record Ready(String version, HeldSecret secret, Object stamp, long at) implements State {}

        record Missing(String version, String cause, long at) implements State {}
    }

    /** @param readers runs what blocks, on few threads: SQLite's native calls pin virtual ones */
    WarmSecrets(SourceTools tools, Executor readers, LongSupplier nanos) {
        this.tools = tools;
        this.readers = readers;
        this.nanos = nanos;
        this.states = Caffeine.newBuilder()
                .expireAfterAccess(UNUSED)
                .ticker(nanos::getAsLong)
                .executor(Runnable::run)
                .removalListener((name, state, cause) -> letGo((State) state))
                .build();
    }

    /** Already complete when it is warm. Never fails: a fault of the source is a state that says so. */
    CompletableFuture<State> secret(CompiledCredential credential) {
        State state = states.getIfPresent(credential.name());
        if (state != null
                && state.version().equals(credential.version())
                && nanos.getAsLong() - state.at() < BELIEVED) {
            return CompletableFuture.completedFuture(state);
        }
        return flight(credential);
    }

    /** What is held is not believed any longer. */
    void doubt(String name) {
        states.invalidate(name);
    }

    private CompletableFuture<State> flight(CompiledCredential credential) {
        String key = credential.name() + "/" + credential.version();
        CompletableFuture<State> mine = new CompletableFuture<>();
        CompletableFuture<State> other = flights.putIfAbsent(key, mine);
        if (other != null) {
            return other;
        }
        try {
            readers.execute(() -> land(key, mine, credential));
        } catch (RejectedExecutionException e) {
            flights.remove(key);
            mine.complete(new State.Missing(credential.version(), "the broker is stopping", nanos.getAsLong()));
        }
        return mine;
    }

    private void land(String key, CompletableFuture<State> flight, CompiledCredential credential) {
        State state = ask(credential);
        tell(credential.name(), state);
        states.put(credential.name(), state);
        flights.remove(key);
        flight.complete(state);
    }

    /** Once for each lack, and not for each request that meets it: an agent could fill the log. */
    private void tell(String name, State state) {
        if (!(state instanceof State.Missing missing)) {
            lacks.remove(name);
        } else if (!missing.cause().equals(lacks.put(name, missing.cause()))) {
            LOG.warn("the credential {} is unavailable: {}", name, missing.cause());
        }
    }

    private State ask(CompiledCredential credential) {
        // Held while the source is asked, so that "unchanged" is still true of something when the answer comes.
        State.Ready held = states.getIfPresent(credential.name()) instanceof State.Ready ready
                        && ready.version().equals(credential.version())
                        && ready.secret().hold()
                ? ready
                : null;
        State state = ask(credential, held);
        boolean passedOn = state instanceof State.Ready ready && held != null && ready.secret() == held.secret();
        if (held != null && !passedOn) {
            held.secret().letGo();
        }
        return state;
    }

    private State ask(CompiledCredential credential, State.@Nullable Ready held) {
        String version = credential.version();
        long at = nanos.getAsLong();
        try {
            Fetch fetch = new Fetch(
                    credential.name(), credential.faceDigest(), held == null ? null : held.stamp(), false, null, tools);
            return switch (credential.source().fetch(fetch)) {
                case Fetched.Given given -> {
                    String problem = HeldSecret.problem(given.material(), credential.injection());
                    if (problem != null) {
                        given.material().close();
                        yield new State.Missing(version, problem, at);
                    }
                    HeldSecret secret = new HeldSecret(named(credential), credential.injection(), given.material());
                    yield new State.Ready(version, secret, given.stamp(), at);
                }
                case Fetched.Unchanged unchanged ->
                    new State.Ready(version, requireNonNull(held).secret(), held.stamp(), at);
            };
        } catch (SourceFault fault) {
            return new State.Missing(version, fault.cause(), at);
        } catch (InterruptedException e) {
            return new State.Missing(version, "its source was interrupted", at);
        } catch (RuntimeException e) {
            // A store that can't be read is a lack like any other here. Its message may quote what it read, so only its
            // type is told.
            return new State.Missing(
                    version, "its source failed (" + e.getClass().getSimpleName() + ")", at);
        }
    }

    /** By a number and not by a hash: of a secret not even that is to be held where it may be printed. */
    private String named(CompiledCredential credential) {
        return credential.name() + "@" + credential.version() + "#" + read.incrementAndGet();
    }

    private static void letGo(@Nullable State state) {
        if (state instanceof State.Ready ready) {
            ready.secret().letGo();
        }
    }
}

package io.sallyport.net;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import io.sallyport.http.IpLiteral;
import io.sallyport.http.Parsed;
import io.sallyport.net.NameSource.Answer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Single flight, and memory for an answer's time to live within limits: long enough that a burst asks once and that a name can't flip
 * between two requests, short enough that a name which moved is followed. What is kept are addresses, not permission: the guard judges
 * them at every use.
 */
final class CachingResolver implements Resolver {

    /** A name that was just made must not stay unknown for long. */
    static final Duration FAILURES_KEPT = Duration.ofSeconds(1);

    static final Duration DEADLINE = Duration.ofSeconds(5);

    /** Each is judged at each use: whoever answers with thousands would be paid in our time. */
    static final int MOST_ADDRESSES = 256;

    private static final int MAX_NAMES = 10_000;

    /** What is kept, made once: a use of it allocates nothing. */
    private record Kept(Resolution resolution, Duration time) {}

    private final NameSource source;
    private final NetSettings settings;
    private final Duration deadline;
    private final AsyncCache<String, Kept> answers;

    CachingResolver(NameSource source, NetSettings settings, LongSupplier nanos) {
        this(source, settings, nanos, DEADLINE);
    }

    CachingResolver(NameSource source, NetSettings settings, LongSupplier nanos, Duration deadline) {
        this.source = source;
        this.settings = settings;
        this.deadline = deadline;
        this.answers = Caffeine.newBuilder()
                .ticker(nanos::getAsLong)
                .maximumSize(MAX_NAMES)
                .executor(Runnable::run)
                .expireAfter(Expiry.creating((String _, Kept kept) -> kept.time))
                .buildAsync();
    }

    @Override
    public @Nullable Resolution known(String host) {
        CompletableFuture<Kept> kept = answers.getIfPresent(host);
        return kept != null && kept.isDone() ? kept.join().resolution : null;
    }

    @Override
    public CompletionStage<Resolution> resolve(String host) {
        return answers.get(host, (name, _) -> look(name)).thenApply(Kept::resolution);
    }

    private CompletableFuture<Kept> look(String name) {
        if (IpLiteral.parse(name) instanceof Parsed.Valid<IpLiteral>(IpLiteral literal)) {
            var itself = new Resolution.Resolved(List.of(Cidr.address(literal.bytes())));
            return CompletableFuture.completedFuture(new Kept(itself, settings.keptAtMost()));
        }
        Answer late = new Answer.NotFound("no answer within " + deadline.toSeconds() + " s");
        return source.ask(name)
                .exceptionally(_ -> new Answer.NotFound("the name server's answer could not be read"))
                .completeOnTimeout(late, deadline.toMillis(), TimeUnit.MILLISECONDS)
                .thenApply(this::kept);
    }

    private Kept kept(Answer answer) {
        return switch (answer) {
            case Answer.Found(var addresses, Duration _)
            when addresses.size() > MOST_ADDRESSES ->
                new Kept(
                        new Resolution.Failed("the name has more than " + MOST_ADDRESSES + " addresses"),
                        FAILURES_KEPT);
            case Answer.Found(var addresses, Duration timeToLive) ->
                new Kept(new Resolution.Resolved(List.copyOf(addresses)), settings.kept(timeToLive));
            case Answer.NotFound(String reason) -> new Kept(new Resolution.Failed(reason), FAILURES_KEPT);
        };
    }
}

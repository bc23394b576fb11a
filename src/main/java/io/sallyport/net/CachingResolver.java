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

/**
 * Single flight, and memory for an answer's time to live within limits: long enough that a burst asks once, short enough that a name
 * which moved is followed. What is remembered are addresses, not permission: the guard judges them at every use.
 */
final class CachingResolver implements Resolver {

    static final Duration SHORTEST = Duration.ofSeconds(1);
    static final Duration LONGEST = Duration.ofSeconds(60);
    static final Duration DEADLINE = Duration.ofSeconds(5);
    private static final int MAX_NAMES = 10_000;

    private final NameSource source;
    private final Duration deadline;
    private final AsyncCache<String, Answer> answers;

    CachingResolver(NameSource source, LongSupplier nanos) {
        this(source, nanos, DEADLINE);
    }

    CachingResolver(NameSource source, LongSupplier nanos, Duration deadline) {
        this.source = source;
        this.deadline = deadline;
        this.answers = Caffeine.newBuilder()
                .ticker(nanos::getAsLong)
                .maximumSize(MAX_NAMES)
                .executor(Runnable::run)
                .expireAfter(Expiry.creating((String _, Answer answer) -> remembered(answer)))
                .buildAsync();
    }

    private static Duration remembered(Answer answer) {
        return switch (answer) {
            case Answer.Found(var _, Duration timeToLive) -> clamped(timeToLive);
            // A name that was just made must not stay unknown for long.
            case Answer.NotFound _ -> SHORTEST;
        };
    }

    private static Duration clamped(Duration timeToLive) {
        if (timeToLive.compareTo(SHORTEST) < 0) {
            return SHORTEST;
        }
        return timeToLive.compareTo(LONGEST) > 0 ? LONGEST : timeToLive;
    }

    @Override
    public CompletionStage<Resolution> resolve(String host) {
        if (IpLiteral.parse(host) instanceof Parsed.Valid<IpLiteral>(IpLiteral literal)) {
            return CompletableFuture.completedStage(new Resolution.Resolved(List.of(Cidr.address(literal.bytes()))));
        }
        return answers.get(host, (name, _) -> ask(name)).thenApply(CachingResolver::resolution);
    }

    private CompletableFuture<Answer> ask(String name) {
        Answer late = new Answer.NotFound("no answer within " + deadline.toSeconds() + " s");
        return source.ask(name)
                .exceptionally(_ -> new Answer.NotFound("the name server's answer could not be read"))
                .completeOnTimeout(late, deadline.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static Resolution resolution(Answer answer) {
        return switch (answer) {
            case Answer.Found(var addresses, Duration _) -> new Resolution.Resolved(addresses);
            case Answer.NotFound(String reason) -> new Resolution.Failed(reason);
        };
    }
}

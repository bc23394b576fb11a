package io.sallyport.admin;

import io.sallyport.credential.Credential;
import io.sallyport.credential.Leases;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Whether the secrets that the rules name can be had. One that can't leaves the broker ready: the others go on working. Which it is, and
 * why, is said to operators alone, who list credentials.
 */
final class CredentialsHealth implements HealthIndicator {

    private static final long PATIENCE_SECONDS = 2;

    private final Supplier<Collection<Credential>> credentials;
    private final Leases leases;

    /** @param credentials those of the rules in force */
    CredentialsHealth(Supplier<Collection<Credential>> credentials, Leases leases) {
        this.credentials = credentials;
        this.leases = leases;
    }

    @Override
    public Health health() {
        List<CompletableFuture<Optional<String>>> answers =
                credentials.get().stream().map(this::whyUnavailable).toList();
        long missing =
                answers.stream().filter(answer -> answer.join().isPresent()).count();
        Health.Builder up = Health.up().withDetail("credentials", answers.size());
        return missing == 0
                ? up.build()
                : up.withDetail("degraded", "some credentials can't be had")
                        .withDetail("unavailable", missing)
                        .build();
    }

    /** A source that does not answer is one that can't be had; whoever asks for health has little patience of its own. */
    private CompletableFuture<Optional<String>> whyUnavailable(Credential credential) {
        return leases.whyUnavailable(credential)
                .toCompletableFuture()
                .copy()
                .completeOnTimeout(Optional.of("no answer"), PATIENCE_SECONDS, TimeUnit.SECONDS)
                .exceptionally(fault -> Optional.of("a fault"));
    }
}

package io.sallyport.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.credential.Credential;
import io.sallyport.credential.CredentialCompiler;
import io.sallyport.credential.Lease;
import io.sallyport.credential.Leases;
import io.sallyport.credential.Scrubber;
import io.sallyport.document.Compiled;
import io.sallyport.document.Keys;
import io.sallyport.grant.Grant;
import io.sallyport.http.Origin;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

class CredentialsHealthTest {

    private final List<Credential> all = List.of(credential("good"), credential("gone"), credential("faulty"));

    @Test
    void secrets_that_can_not_be_had_are_counted_and_neither_named_nor_a_reason_to_stop() {
        Health health = new CredentialsHealth(() -> all, new Sources()).health();
        assertThat(health.getStatus()).isEqualTo(Status.UP);
        assertThat(health.getDetails())
                .containsEntry("credentials", 3)
                .containsEntry("unavailable", 2L)
                .containsKey("degraded");
        assertThat(health.toString()).doesNotContain("gone", "faulty", "no such file");
    }

    @Test
    void where_all_can_be_had_nothing_is_degraded() {
        Health health = new CredentialsHealth(() -> all.subList(0, 1), new Sources()).health();
        assertThat(health.getDetails()).containsOnlyKeys("credentials");
    }

    private static Credential credential(String name) {
        Keys keys = Keys.of(Map.of(
                "destinations", List.of("https://api.up.test"),
                "source", Map.of("kind", "local"),
                "inject", Map.of("kind", "bearer"),
                "blast-radius", "low"));
        return switch (CredentialCompiler.compile(name, keys)) {
            case Compiled.Ok<Credential>(Credential credential) -> credential;
            case Compiled.Rejected<Credential> rejected -> throw new AssertionError(rejected);
        };
    }

    private static final class Sources implements Leases {

        @Override
        public CompletionStage<Optional<String>> whyUnavailable(Credential credential) {
            return switch (credential.name()) {
                case "good" -> CompletableFuture.completedFuture(Optional.empty());
                case "gone" -> CompletableFuture.completedFuture(Optional.of("credential 'gone': no such file"));
                default -> CompletableFuture.failedFuture(new IllegalStateException("faulty"));
            };
        }

        @Override
        public CompletionStage<Leasing> lease(Credential credential, Origin origin, Grant grant) {
            throw new AssertionError("health asks for no lease");
        }

        @Override
        public Scrubber scrubber(List<Lease> leases) {
            throw new AssertionError("health asks for no scrubber");
        }
    }
}

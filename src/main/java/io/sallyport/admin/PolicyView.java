package io.sallyport.admin;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.sallyport.policy.CredentialUse;
import io.sallyport.policy.Policy;
import io.sallyport.policy.Scope;
import io.sallyport.policy.TaskLimits;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A policy, for reading.
 *
 * @param overdue past its review date
 */
public record PolicyView(
        String name,
        String owner,
        String reason,
        @JsonProperty("review_by") LocalDate reviewBy,
        boolean overdue,
        String digest,
        Map<String, String> labels,
        TaskSizes task,
        List<ScopeView> scopes) {

    /** Sizes of one task. @param ttlSeconds from its opening; null for a limit that the policy does not set */
    public record TaskSizes(
            @JsonProperty("ttl_seconds") long ttlSeconds,
            long uses,
            @JsonProperty("bytes_out") long bytesOut,
            int depth,
            @JsonProperty("at_once") @Nullable Long atOnce,
            @JsonProperty("day_uses") @Nullable Long dayUses,
            @JsonProperty("day_bytes_out") @Nullable Long dayBytesOut) {

        static TaskSizes of(TaskLimits limits) {
            return new TaskSizes(
                    limits.ttl().toSeconds(),
                    limits.uses(),
                    limits.bytesOut(),
                    limits.depth(),
                    orNull(limits.atOnce()),
                    orNull(limits.dayUses()),
                    orNull(limits.dayBytesOut()));
        }
    }

    /**
     * One scope.
     *
     * @param credential names of credentials, {@code none}, or the slots that the agent fills itself
     * @param passThrough true where the agent's own credential passes
     * @param intercept false where a tunnel is passed through unread
     */
    public record ScopeView(
            String name,
            String reason,
            String destination,
            List<String> allow,
            String credential,
            @JsonProperty("pass_through") boolean passThrough,
            boolean intercept,
            String paths,
            @Nullable String rate,
            @JsonProperty("body_limit") @Nullable Long bodyLimit,
            @Nullable String wide) {

        static ScopeView of(Scope scope) {
            return new ScopeView(
                    scope.name(),
                    scope.reason(),
                    scope.destination().toString(),
                    scope.allow().stream().map(Object::toString).toList(),
                    credential(scope.credential()),
                    scope.credential() instanceof CredentialUse.Own,
                    scope.intercept(),
                    scope.paths().name().toLowerCase(Locale.ROOT),
                    scope.rate()
                            .map(rate -> rate.count() + " in " + rate.per().toSeconds() + " s")
                            .orElse(null),
                    orNull(scope.bodyLimit()),
                    scope.wide().orElse(null));
        }

        private static String credential(CredentialUse use) {
            return switch (use) {
                case CredentialUse.Named named -> String.join(", ", named.names());
                case CredentialUse.None none -> "none";
                case CredentialUse.Own own ->
                    "the agent's own in "
                            + String.join(", ", own.slots().stream().sorted().toList());
            };
        }
    }

    public static PolicyView of(Policy policy, LocalDate today) {
        return new PolicyView(
                policy.name(),
                policy.owner(),
                policy.reason(),
                policy.reviewBy(),
                today.isAfter(policy.reviewBy()),
                policy.digest(),
                policy.labels(),
                TaskSizes.of(policy.task()),
                policy.scopes().values().stream().map(ScopeView::of).toList());
    }

    private static @Nullable Long orNull(OptionalLong value) {
        return value.isPresent() ? value.getAsLong() : null;
    }
}

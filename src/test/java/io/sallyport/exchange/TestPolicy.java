package io.sallyport.exchange;

import io.sallyport.http.Destination;
import io.sallyport.http.Origin;
import io.sallyport.http.Target;
import io.sallyport.identity.Delegation;
import io.sallyport.policy.Binding;
import io.sallyport.policy.CredentialUse;
import io.sallyport.policy.PathMode;
import io.sallyport.policy.Policy;
import io.sallyport.policy.Scope;
import io.sallyport.policy.TaskLimits;
import io.sallyport.policy.Verdict;
import java.time.Duration;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;

/** A policy that answers what an exchange asks; it is never asked about a request. */
record TestPolicy(String name, TaskLimits task, Map<String, Scope> scopes, Predicate<Delegation> who)
        implements Policy {

    static final TaskLimits LIMITS = new TaskLimits(
            Duration.ofMinutes(15),
            500,
            20L << 20,
            2,
            OptionalLong.empty(),
            OptionalLong.empty(),
            OptionalLong.empty(),
            Binding.ADDRESS);

    /** The same, of tasks that are bound to a listener. */
    static final TaskLimits LISTENING = new TaskLimits(
            LIMITS.ttl(),
            LIMITS.uses(),
            LIMITS.bytesOut(),
            LIMITS.depth(),
            LIMITS.atOnce(),
            LIMITS.dayUses(),
            LIMITS.dayBytesOut(),
            Binding.LISTENER);

    /** @param scopes name by origin, or {@code *.} origin */
    static TestPolicy of(String name, Map<String, String> scopes, Predicate<Delegation> who) {
        Map<String, Scope> compiled = new LinkedHashMap<>();
        scopes.forEach((scope, origin) -> compiled.put(scope, scope(scope, origin)));
        return new TestPolicy(name, LIMITS, compiled, who);
    }

    private static Scope scope(String name, String origin) {
        boolean wildcard = origin.contains("*.");
        Destination destination =
                new Destination(Origin.parse(origin.replace("*.", "")).orElseThrow(), wildcard, List.of());
        return new Scope(
                name,
                "for a test",
                destination,
                List.of(),
                new CredentialUse.None(),
                PathMode.STRICT,
                Optional.empty(),
                Set.of(),
                Optional.empty(),
                OptionalLong.empty(),
                Optional.empty(),
                Set.of(),
                Optional.empty(),
                Map.of(),
                true);
    }

    @Override
    public String owner() {
        return "test@example.com";
    }

    @Override
    public String reason() {
        return "for a test";
    }

    @Override
    public LocalDate reviewBy() {
        return LocalDate.of(2030, 1, 1);
    }

    @Override
    public Map<String, String> labels() {
        return Map.of();
    }

    @Override
    public String digest() {
        return "d".repeat(64);
    }

    @Override
    public Set<String> identities() {
        return Set.of();
    }

    @Override
    public boolean admits(Delegation delegation) {
        return who.test(delegation);
    }

    @Override
    public boolean namesHost(String host, int port, Set<String> granted) {
        throw new AssertionError("an exchange does not ask this");
    }

    @Override
    public Verdict select(String method, Origin origin, Target target, Set<String> granted) {
        throw new AssertionError("an exchange does not ask this");
    }
}

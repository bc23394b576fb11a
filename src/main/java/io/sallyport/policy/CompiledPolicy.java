package io.sallyport.policy;

import io.sallyport.http.AllowPattern;
import io.sallyport.http.Origin;
import io.sallyport.http.PathReadings;
import io.sallyport.http.QueryConstraint;
import io.sallyport.http.QueryConstraint.Outcome;
import io.sallyport.http.Target;
import io.sallyport.identity.Delegation;
import java.time.LocalDate;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A policy whose document is right; selection goes through an index. */
final class CompiledPolicy implements Policy {

    private final Head head;
    private final TaskLimits task;
    private final List<Who> who;
    private final Map<String, Scope> scopes;
    private final List<AllowPattern> never;
    private final ScopeIndex index;

    /** What a policy says about itself. */
    record Head(
            String name, String owner, String reason, LocalDate reviewBy, Map<String, String> labels, String digest) {

        Head {
            labels = Map.copyOf(labels);
        }
    }

    CompiledPolicy(Head head, TaskLimits task, List<Who> who, Rules rules) {
        this.head = head;
        this.task = task;
        this.who = List.copyOf(who);
        Map<String, Scope> byName = new LinkedHashMap<>();
        rules.scopes.forEach(scope -> byName.put(scope.name(), scope));
        this.scopes = Collections.unmodifiableMap(byName);
        this.never = rules.never;
        this.index = new ScopeIndex(rules.scopes);
    }

    /** What a policy says about requests. */
    record Rules(List<Scope> scopes, List<AllowPattern> never) {

        Rules {
            scopes = List.copyOf(scopes);
            never = List.copyOf(never);
        }
    }

    @Override
    public String name() {
        return head.name();
    }

    @Override
    public String owner() {
        return head.owner();
    }

    @Override
    public String reason() {
        return head.reason();
    }

    @Override
    public LocalDate reviewBy() {
        return head.reviewBy();
    }

    @Override
    public Map<String, String> labels() {
        return head.labels();
    }

    @Override
    public TaskLimits task() {
        return task;
    }

    @Override
    public Map<String, Scope> scopes() {
        return scopes;
    }

    @Override
    public String digest() {
        return head.digest();
    }

    @Override
    public Set<String> identities() {
        return Who.identities(who);
    }

    @Override
    public boolean admits(Delegation delegation) {
        return who.stream().anyMatch(entry -> entry.admits(delegation));
    }

    @Override
    public boolean namesHost(String host, int port, Set<String> granted) {
        for (String name : granted) {
            Scope scope = scopes.get(name);
            if (scope != null
                    && scope.destination().origin().port() == port
                    && scope.destination().matchesHost(host)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public Verdict select(String method, Origin origin, Target target, Set<String> granted) {
        // No pattern may name it: it is a tunnel that is passed through, and nothing else is.
        if (method.equals("CONNECT")) {
            return passedThrough(origin, granted);
        }
        Verdict never = never(method, target);
        if (never != null) {
            return never;
        }
        Rule rule = index.find(method, origin, target.path());
        if (rule == null) {
            return notFound(method, origin, target);
        }
        String scope = rule.scope().name();
        if (!granted.contains(scope)) {
            return new Verdict.Refused(
                    Denial.SCOPE_NOT_GRANTED,
                    scope,
                    "the request belongs to scope " + scope + ", which was not granted");
        }
        if (rule.scope().paths() == PathMode.STRICT && target.strictProblem() != null) {
            return new Verdict.Refused(Denial.PATH_AMBIGUOUS, scope, target.strictProblem());
        }
        if (HandedOut.by(rule, method, target) instanceof Verdict refused) {
            return refused;
        }
        return rule.query()
                .map(constraint -> queried(constraint, rule.scope(), target))
                .orElseGet(() -> new Verdict.Selected(rule.scope()));
    }

    private Verdict passedThrough(Origin origin, Set<String> granted) {
        for (Scope scope : scopes.values()) {
            if (!scope.intercept() && scope.destination().matches(origin)) {
                return granted.contains(scope.name())
                        ? new Verdict.Selected(scope)
                        : new Verdict.Refused(
                                Denial.SCOPE_NOT_GRANTED,
                                scope.name(),
                                "the tunnel belongs to scope " + scope.name() + ", which was not granted");
            }
        }
        return new Verdict.Refused(
                Denial.DESTINATION_NOT_ALLOWED,
                null,
                "no scope of the policy passes a tunnel to " + origin + " through");
    }

    private @Nullable Verdict never(String method, Target target) {
        if (never.isEmpty()) {
            return null;
        }
        PathReadings readings = PathReadings.of(target);
        for (AllowPattern pattern : never) {
            if (pattern.matchesAnyReading(method, readings)) {
                return new Verdict.Refused(Denial.NEVER_ALLOWED, null, "the policy never allows " + pattern);
            }
        }
        return null;
    }

    private Verdict notFound(String method, Origin origin, Target target) {
        if (!index.names(origin)) {
            return new Verdict.Refused(Denial.DESTINATION_NOT_ALLOWED, null, "no scope of the policy names " + origin);
        }
        // Strict is the default, so it also holds where no scope has been found; an opaque scope may have meant such a
        // path and does not.
        if (target.strictProblem() != null && !index.takesOpaquePaths(origin)) {
            return new Verdict.Refused(Denial.PATH_AMBIGUOUS, null, target.strictProblem());
        }
        return index.find(null, origin, target.path()) == null
                ? new Verdict.Refused(
                        Denial.PATH_NOT_ALLOWED, null, "no scope of the policy allows this path at " + origin)
                : new Verdict.Refused(
                        Denial.METHOD_NOT_ALLOWED,
                        null,
                        "no scope of the policy allows this method for this path at " + origin);
    }

    private static Verdict queried(QueryConstraint constraint, Scope scope, Target target) {
        return switch (constraint.check(target)) {
            case Outcome.Met _ -> new Verdict.Selected(scope);
            case Outcome.Unmet(String reason) -> new Verdict.Refused(Denial.QUERY_NOT_ALLOWED, scope.name(), reason);
            case Outcome.Ambiguous(String reason) -> new Verdict.Refused(Denial.QUERY_AMBIGUOUS, scope.name(), reason);
        };
    }
}

package io.sallyport.policy;

import io.sallyport.http.AllowPattern;
import io.sallyport.http.Destination;
import io.sallyport.http.Origin;
import io.sallyport.http.QueryConstraint;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All rules of a policy, by destination: the exact host's are asked before the wildcard's. */
final class ScopeIndex {

    private final Map<Origin, RuleTree> exact = new HashMap<>();
    private final Map<Origin, RuleTree> wildcards = new HashMap<>();
    private final Set<Destination> opaque = new HashSet<>();

    ScopeIndex(Collection<Scope> scopes) {
        int order = 0;
        for (Scope scope : scopes) {
            Destination destination = scope.destination();
            Optional<QueryConstraint> query = scope.query().map(QueryConstraint::new);
            RuleTree tree = (destination.wildcard() ? wildcards : exact)
                    .computeIfAbsent(destination.origin(), _ -> new RuleTree());
            for (AllowPattern pattern : scope.allow()) {
                tree.add(new Rule(scope, pattern, query, order++));
            }
            if (scope.paths() == PathMode.OPAQUE) {
                opaque.add(place(destination.origin(), destination.wildcard()));
            }
        }
    }

    /** The one rule that the request belongs to; null for none. A null method stands for any. */
    @Nullable
    Rule find(@Nullable String method, Origin origin, String path) {
        RuleTree own = exact.get(origin);
        Rule found = own == null ? null : own.find(path, method);
        if (found != null || wildcards.isEmpty()) {
            return found;
        }
        RuleTree shared = wildcards.get(parent(origin));
        return shared == null ? null : shared.find(path, method);
    }

    boolean names(Origin origin) {
        return exact.containsKey(origin) || wildcards.containsKey(parent(origin));
    }

    /** Whether some scope of this origin takes escaped slashes and empty segments as data. */
    boolean takesOpaquePaths(Origin origin) {
        return opaque.contains(place(origin, false)) || opaque.contains(place(parent(origin), true));
    }

    private static Destination place(Origin origin, boolean wildcard) {
        return new Destination(origin, wildcard, List.of());
    }

    /** The origin without its first label: a wildcard covers exactly one. A host of one label has no parent and stays. */
    private static Origin parent(Origin origin) {
        String host = origin.host();
        int dot = host.indexOf('.');
        return dot <= 0 ? origin : new Origin(origin.scheme(), host.substring(dot + 1), origin.port());
    }
}

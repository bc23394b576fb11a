package io.sallyport.exchange;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What {@code scope} asks for: {@code POLICY:SCOPE …}, all of one policy.
 *
 * @param scopes without the policy's name; at least one
 */
record AskedScopes(String policy, SortedSet<String> scopes) {

    AskedScopes {
        scopes = Collections.unmodifiableSortedSet(new TreeSet<>(scopes));
    }

    static Step<AskedScopes> parse(String scope) {
        String policy = null;
        SortedSet<String> scopes = new TreeSet<>();
        for (String token : scope.split(" ")) {
            if (token.isEmpty()) {
                continue;
            }
            int colon = token.indexOf(':');
            if (colon < 1 || colon == token.length() - 1) {
                return Step.refused(Refusal.invalidScope("A scope is written POLICY:SCOPE."));
            }
            String named = token.substring(0, colon);
            if (policy != null && !policy.equals(named)) {
                return Step.refused(Refusal.invalidScope("All scopes of a request are of one policy."));
            }
            policy = named;
            scopes.add(token.substring(colon + 1));
        }
        return policy == null
                ? Step.refused(Refusal.invalidScope("scope is required: POLICY:SCOPE, several with spaces between."))
                : Step.passed(new AskedScopes(policy, scopes));
    }
}

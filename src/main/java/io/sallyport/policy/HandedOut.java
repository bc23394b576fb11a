package io.sallyport.policy;

import io.sallyport.http.CredentialActions;
import io.sallyport.http.CredentialEndpoints;
import io.sallyport.http.CredentialEndpoints.Found;
import io.sallyport.http.Target;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Endpoints that hand out credentials, asked with one of ours: the answer would put a credential into the sandbox that outlives the task. A
 * pattern that merely covers such an endpoint does not allow it; one that says it in words does, since then a person has written it down.
 */
final class HandedOut {

    private HandedOut() {}

    /** Null where nothing is handed out, or where the policy says that it may be. */
    static @Nullable Verdict by(Rule rule, String method, Target target) {
        Scope scope = rule.scope();
        if (!(scope.credential() instanceof CredentialUse.Named)) {
            return null;
        }
        Optional<Found> endpoint = CredentialEndpoints.find(method, target);
        if (endpoint.isPresent() && !endpoint.get().isNamedBy(rule.pattern())) {
            return refused(
                    scope,
                    "the answer would be a fresh credential (" + endpoint.get().line() + "), and the line \""
                            + rule.pattern() + "\" of scope " + scope.name() + " does not say so in words");
        }
        for (String action : CredentialActions.in(target)) {
            if (!pinned(scope, action)) {
                return refused(scope, "the answer would be a fresh credential (Action=" + action + ")");
            }
        }
        return null;
    }

    private static boolean pinned(Scope scope, String action) {
        return scope.query()
                .map((Map<String, List<String>> query) -> query.getOrDefault(CredentialActions.PARAMETER, List.of()))
                .filter(values -> values.contains(action))
                .isPresent();
    }

    private static Verdict refused(Scope scope, String reason) {
        return new Verdict.Refused(Denial.HANDS_OUT_CREDENTIALS, scope.name(), reason);
    }
}

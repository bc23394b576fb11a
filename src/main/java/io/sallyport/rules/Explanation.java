package io.sallyport.rules;

import io.sallyport.http.AllowPattern;
import io.sallyport.http.Origin;
import io.sallyport.http.Parsed;
import io.sallyport.http.Target;
import io.sallyport.policy.Policy;
import io.sallyport.policy.Scope;
import io.sallyport.policy.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What one policy would say to a request if all its scopes were granted, and why.
 *
 * @param selected the scope that the request belongs to and that allows it; empty for a refusal
 * @param answer as in {@code allowed by scope read} or {@code refused: never_allowed: …}
 * @param scopes for each scope, in the document's order, why it is selected or not
 */
public record Explanation(String policy, Optional<String> selected, String answer, Map<String, String> scopes) {

    /**
     * @param policy null for every policy of the book
     * @param url as a client writes it: {@code https://api.example.com/a?b=c}
     * @return malformed for an unknown policy, or a URL that is no request of ours
     */
    public static Parsed<List<Explanation>> of(
            RuleBook book, @org.jspecify.annotations.Nullable String policy, String method, String url) {
        if (policy != null && book.policy(policy).isEmpty()) {
            return Parsed.malformed("there is no policy " + policy + "; allowed: "
                    + String.join(", ", book.policies().keySet()));
        }
        int scheme = url.indexOf("://");
        int path = url.indexOf('/', scheme < 0 ? 0 : scheme + 3);
        String origin = path < 0 ? url : url.substring(0, path);
        return Origin.parse(origin)
                .then(where -> Target.parse(path < 0 ? "/" : url.substring(path))
                        .then(target -> Parsed.valid(book.policies().values().stream()
                                .filter(each -> policy == null || each.name().equals(policy))
                                .map(each -> of(each, method, where, target))
                                .toList())));
    }

    private static Explanation of(Policy policy, String method, Origin origin, Target target) {
        Verdict verdict = policy.select(method, origin, target, policy.scopes().keySet());
        String found = switch (verdict) {
            case Verdict.Selected(Scope scope) -> scope.name();
            case Verdict.Refused refused -> refused.scope();
        };
        Map<String, String> scopes = new LinkedHashMap<>();
        for (Scope scope : policy.scopes().values()) {
            scopes.put(
                    scope.name(),
                    scope.name().equals(found) ? "the request belongs to it" : whyNot(scope, method, origin, target));
        }
        return switch (verdict) {
            case Verdict.Selected(Scope scope) ->
                new Explanation(policy.name(), Optional.of(scope.name()), "allowed by scope " + scope.name(), scopes);
            case Verdict.Refused refused ->
                new Explanation(
                        policy.name(),
                        Optional.empty(),
                        "refused: " + refused.error() + ": " + refused.reason(),
                        scopes);
        };
    }

    private static String whyNot(Scope scope, String method, Origin origin, Target target) {
        if (!scope.destination().matches(origin)) {
            return "is for " + scope.destination();
        }
        if (!scope.intercept()) {
            return "passes a tunnel through unread, and takes no request";
        }
        List<String> matching = new ArrayList<>();
        for (AllowPattern pattern : scope.allow()) {
            if (pattern.matches(method, target)) {
                matching.add(pattern.toString());
            }
        }
        return matching.isEmpty()
                ? "no line of its allow matches"
                : "its " + String.join(", ", matching)
                        + " matches; another scope is more precise, or never comes first";
    }
}

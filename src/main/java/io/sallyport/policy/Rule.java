package io.sallyport.policy;

import io.sallyport.http.AllowPattern;
import io.sallyport.http.QueryConstraint;
import java.util.Comparator;
import java.util.Optional;

/**
 * One line of {@code allow} of one scope.
 *
 * @param order in the document, across all scopes
 */
record Rule(Scope scope, AllowPattern pattern, Optional<QueryConstraint> query, int order) {

    /** Of two rules that match one request, the one that it belongs to comes first; a tie that makes no difference goes by the document's order. */
    static final Comparator<Rule> MOST_PRECISE_FIRST =
            Comparator.comparing(Rule::pattern, AllowPattern.MOST_PRECISE_FIRST).thenComparingInt(Rule::order);

    boolean names(String method) {
        return pattern.methods().contains(method);
    }
}

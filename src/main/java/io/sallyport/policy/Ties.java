package io.sallyport.policy;

import io.sallyport.document.Keys;
import io.sallyport.http.AllowPattern;
import io.sallyport.http.PatternSegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds requests that belong to two scopes with equal right. Where the scopes differ in what they do, nobody could say which one is
 * meant, so the document is refused and such a request shown.
 */
final class Ties {

    private record Line(Scope scope, int index, AllowPattern pattern) {}

    private Ties() {}

    static void sayIn(List<Scope> scopes, Keys policy) {
        Map<String, List<Line>> alike = new HashMap<>();
        for (Scope scope : scopes) {
            for (int i = 0; i < scope.allow().size(); i++) {
                Line line = new Line(scope, i, scope.allow().get(i));
                List<Line> earlier = alike.computeIfAbsent(shape(line), _ -> new ArrayList<>());
                earlier.forEach(other -> sayTie(other, line, policy));
                earlier.add(line);
            }
        }
    }

    private static void sayTie(Line earlier, Line later, Keys policy) {
        if (earlier.scope == later.scope || sameEffect(earlier.scope, later.scope)) {
            return;
        }
        later.pattern
                .overlap(earlier.pattern)
                .ifPresent(
                        request -> policy.problem(
                                "scopes." + later.scope.name() + ".allow[" + later.index + "]",
                                request + " at " + later.scope.destination()
                                        + " belongs to this scope and as much to scopes."
                                        + earlier.scope.name() + ".allow[" + earlier.index
                                        + "], which differs in credential, limits or conditions; allowed: one that is more precise"));
    }

    /** Two lines are equally precise, and can match one request, only if this is equal: so few pairs are left to compare. */
    private static String shape(Line line) {
        StringBuilder shape = new StringBuilder(line.scope.destination().toString());
        for (PatternSegment segment : line.pattern.segments()) {
            // A literal never contains a star, so that the three others can't be mistaken for one.
            shape.append('/')
                    .append(
                            switch (segment) {
                                case PatternSegment.Literal(String text) -> text;
                                case PatternSegment.Partial _ -> "x*";
                                case PatternSegment.Any _ -> "*";
                                case PatternSegment.Rest _ -> "**";
                            });
        }
        return shape.append(line.pattern.anyMethod() ? " *" : " named").toString();
    }

    private static boolean sameEffect(Scope one, Scope other) {
        return one.credential().equals(other.credential())
                && one.rate().equals(other.rate())
                && one.bodyLimit().equals(other.bodyLimit())
                && one.paths() == other.paths()
                && one.query().equals(other.query())
                && one.keep().equals(other.keep())
                && one.narrow().equals(other.narrow())
                && one.upgrades().equals(other.upgrades())
                && one.trust().equals(other.trust())
                && one.destination().equals(other.destination());
    }
}

package io.sallyport.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a scope says about queries: {@code query: none}, or for each of some names the values it may have. A constrained name must be
 * there, since leaving it off would mean the origin's default, which nobody has judged; other names are free.
 */
public final class QueryConstraint {

    /** What came of looking at one query. */
    public sealed interface Outcome {
        record Met() implements Outcome {}

        /** A 403. */
        record Unmet(String reason) implements Outcome {}

        /** A 400: a constrained name given twice, of which origins read either. */
        record Ambiguous(String reason) implements Outcome {}
    }

    private static final Outcome MET = new Outcome.Met();

    private final Map<String, List<String>> allowed;

    /** @param allowed values by name, both as they are meant, not escaped; an empty map allows no query at all */
    public QueryConstraint(Map<String, List<String>> allowed) {
        this.allowed = Map.copyOf(allowed);
    }

    public Outcome check(Target target) {
        String query = target.query();
        if (allowed.isEmpty()) {
            return query == null || query.isEmpty() ? MET : new Outcome.Unmet("the scope allows no query");
        }
        Map<String, List<@Nullable String>> given = given(query == null ? "" : query);
        Outcome outcome = MET;
        for (Map.Entry<String, List<String>> constraint : allowed.entrySet()) {
            List<@Nullable String> values = given.getOrDefault(constraint.getKey(), List.of());
            if (values.size() > 1) {
                return new Outcome.Ambiguous("the query parameter " + constraint.getKey() + " is given more than once");
            }
            String value = values.isEmpty() ? null : values.getFirst();
            if (value == null || !constraint.getValue().contains(value)) {
                outcome = new Outcome.Unmet("the scope asks for the query parameter " + constraint.getKey()
                        + " with one of " + constraint.getValue());
            }
        }
        return outcome;
    }

    /**
     * The values of the constrained names. A value is null, which is never allowed, where origins would not agree on it: a parameter that
     * {@code ;} divides from another, or a name that only some read as the constrained one ({@code state[]}).
     */
    private Map<String, List<@Nullable String>> given(String query) {
        Map<String, List<@Nullable String>> given = new HashMap<>();
        QueryNames parameters = new QueryNames(query);
        while (parameters.advance()) {
            int nameEnd = parameters.nameEnd();
            String exact = decoded(query, parameters.start(), nameEnd);
            String name = allowed.containsKey(exact) ? exact : parameters.plainName();
            if (allowed.containsKey(name)) {
                boolean doubtful = !name.equals(exact) || parameters.besideSemicolon();
                String value = decoded(query, Math.min(nameEnd + 1, parameters.end()), parameters.end());
                given.computeIfAbsent(name, _ -> new ArrayList<>()).add(doubtful ? null : value);
            }
        }
        return given;
    }

    /** As forms are decoded: one layer of escapes as UTF-8, {@code +} a blank. */
    private static String decoded(String query, int from, int to) {
        StringBuilder text = new StringBuilder(to - from);
        boolean ascii = true;
        for (int i = from; i < to; i++) {
            char c = query.charAt(i);
            if (c == '%') {
                int octet = Ascii.octet(query, i + 1);
                ascii &= octet < 128;
                text.append((char) octet);
                i += 2;
            } else {
                text.append(c == '+' ? ' ' : c);
            }
        }
        return ascii ? text.toString() : new String(text.toString().getBytes(ISO_8859_1), UTF_8);
    }
}

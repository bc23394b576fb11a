package io.sallyport.policy;

import io.sallyport.http.PatternSegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rules of one destination by the segments of their paths. A look-up walks the most precise branch first and steps back where it
 * leads nowhere, so that its first find is the one that all rules together would choose; it costs the path's length, not the rules' number.
 */
final class RuleTree {

    private final Map<String, RuleTree> literals = new HashMap<>();
    private final List<Branch> partials = new ArrayList<>();
    private @Nullable RuleTree any;
    private final List<Rule> rest = new ArrayList<>();
    private final List<Rule> here = new ArrayList<>();

    private record Branch(PatternSegment.Partial segment, RuleTree below) {}

    void add(Rule rule) {
        add(rule, 0);
    }

    private void add(Rule rule, int at) {
        List<PatternSegment> segments = rule.pattern().segments();
        if (at == segments.size()) {
            insert(here, rule);
            return;
        }
        switch (segments.get(at)) {
            case PatternSegment.Literal(String text) ->
                literals.computeIfAbsent(text, _ -> new RuleTree()).add(rule, at + 1);
            case PatternSegment.Partial partial -> branch(partial).add(rule, at + 1);
            case PatternSegment.Any _ -> anyBranch().add(rule, at + 1);
            case PatternSegment.Rest _ -> insert(rest, rule);
        }
    }

    private static void insert(List<Rule> rules, Rule rule) {
        rules.add(rule);
        rules.sort(Rule.MOST_PRECISE_FIRST);
    }

    private RuleTree branch(PatternSegment.Partial partial) {
        for (Branch branch : partials) {
            if (branch.segment.equals(partial)) {
                return branch.below;
            }
        }
        Branch made = new Branch(partial, new RuleTree());
        partials.add(made);
        return made.below;
    }

    private RuleTree anyBranch() {
        RuleTree branch = any == null ? new RuleTree() : any;
        any = branch;
        return branch;
    }

    /**
     * @param path canonical, beginning with a slash
     * @param method null for any: to tell a path that nobody named from a method that nobody named there
     */
    @Nullable
    Rule find(String path, @Nullable String method) {
        return find(path, 1, method);
    }

    /** @param at where the next segment begins; past the path's end when there is none */
    private @Nullable Rule find(String path, int at, @Nullable String method) {
        if (at > path.length()) {
            return first(here, method);
        }
        int slash = path.indexOf('/', at);
        int end = slash < 0 ? path.length() : slash;
        RuleTree literal = literals.isEmpty() ? null : literals.get(path.substring(at, end));
        Rule found = literal == null ? null : literal.find(path, end + 1, method);
        if (found == null && !partials.isEmpty()) {
            found = throughPartials(path, at, end, method);
        }
        if (found == null && any != null && end > at) {
            found = any.find(path, end + 1, method);
        }
        return found == null ? first(rest, method) : found;
    }

    /** Partial segments are as precise as one another: what follows decides, so all that match are walked. */
    private @Nullable Rule throughPartials(String path, int at, int end, @Nullable String method) {
        Rule best = null;
        for (Branch branch : partials) {
            if (branch.segment.matches(path, at, end, false)) {
                Rule found = branch.below.find(path, end + 1, method);
                if (found != null && (best == null || Rule.MOST_PRECISE_FIRST.compare(found, best) < 0)) {
                    best = found;
                }
            }
        }
        return best;
    }

    private static @Nullable Rule first(List<Rule> rules, @Nullable String method) {
        for (Rule rule : rules) {
            if (method == null || rule.names(method)) {
                return rule;
            }
        }
        return null;
    }
}

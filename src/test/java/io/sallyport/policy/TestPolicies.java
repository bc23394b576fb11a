package io.sallyport.policy;

import io.sallyport.document.Compiled;
import io.sallyport.document.Keys;
import io.sallyport.document.Problem;
import io.sallyport.http.Origin;
import io.sallyport.http.Target;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Policies for tests, from the text that a person would write. */
public final class TestPolicies {

    public static final String DIGEST = "d".repeat(64);

    private static final String HEAD = """
            owner: team@example.com
            reason: Is tried out
            review-by: 2030-01-01
            who:
              - {identity: ci, subject: agent-1}
            """;
    private static final YAMLMapper YAML = new YAMLMapper();

    private TestPolicies() {}

    /** A policy whose head is given and whose rest is written out. */
    public static Policy policy(String rest) {
        return switch (compile(HEAD + rest)) {
            case Compiled.Ok<Policy>(Policy policy) -> policy;
            case Compiled.Rejected<Policy>(List<Problem> problems) ->
                throw new IllegalArgumentException(problems.toString());
        };
    }

    /** What is wrong with it; empty for nothing. */
    static List<Problem> problems(String rest) {
        return problemsOf(HEAD + rest);
    }

    static List<Problem> problemsOf(String whole) {
        return switch (compile(whole)) {
            case Compiled.Ok<Policy> ignored -> List.of();
            case Compiled.Rejected<Policy>(List<Problem> problems) -> problems;
        };
    }

    /** A policy of one scope {@code s} at https://api.up.test without a credential. */
    static String scope(String lines) {
        return "scopes:\n  s:\n    reason: r\n    destination: https://api.up.test\n" + lines.indent(4);
    }

    /** As {@link #scope}, with the credential as well. */
    static String open(String lines) {
        return scope("credential: none\n" + lines);
    }

    static Compiled<Policy> compile(String whole) {
        @SuppressWarnings("unchecked")
        Map<String, Object> keys = YAML.readValue(whole, Map.class);
        return Policies.compile("p", Keys.of(keys), DIGEST);
    }

    /** The answer when every scope is granted. */
    static Verdict ask(Policy policy, String method, String url) {
        return ask(policy, method, url, policy.scopes().keySet());
    }

    static Verdict ask(Policy policy, String method, String url, Set<String> granted) {
        int path = url.indexOf('/', url.indexOf("://") + 3);
        return policy.select(
                method,
                Origin.parse(url.substring(0, path)).orElseThrow(),
                Target.parse(url.substring(path)).orElseThrow(),
                granted);
    }

    /** The selected scope's name, or the refusal's error. */
    static String answer(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Selected(Scope scope) -> scope.name();
            case Verdict.Refused refused -> refused.error();
        };
    }

    static String answer(Policy policy, String method, String url) {
        return answer(ask(policy, method, url));
    }
}

package io.sallyport.policy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Documents and requests over so small an alphabet that they meet often. */
final class RandomPolicies {

    private static final List<String> LITERALS = List.of("a", "b", "ab", "A", "a-b", "x", "token");
    private static final List<String> PARTIALS = List.of("a*", "*b", "a*b", "A*");
    private static final List<String> SEGMENTS =
            List.of("a", "b", "ab", "A", "a-b", "x", "aab", "", "a%2Fb", "a;v", "ab;v%2Fx", "B", "X");
    private static final List<String> METHODS =
            List.of("GET", "POST", "*", "HEAD", "DELETE", "GET,POST", "OPTIONS", "PURGE,GET");
    private static final List<String> ASKED =
            List.of("GET", "HEAD", "POST", "POST", "POST", "DELETE", "OPTIONS", "PURGE", "get", "TRACE");
    private static final List<String> DESTINATIONS =
            List.of("https://api.up.test", "https://x.blob.up.test", "https://*.blob.up.test");
    private static final List<String> HOSTS = List.of(
            "api.up.test", "x.blob.up.test", "y.blob.up.test", "x.y.blob.up.test", "blob.up.test", "evilapi.up.test");
    private static final List<String> QUERIES = List.of("q=1", "q=2", "q=1&q=1", "r=1", "q=3&r=1", "r=1&q=1");

    private final Random random;

    RandomPolicies(Random random) {
        this.random = random;
    }

    Map<String, Object> document() {
        Map<String, Object> scopes = new LinkedHashMap<>();
        int count = random.nextInt(1, 8);
        for (int i = 0; i < count; i++) {
            scopes.put("s" + i, scope());
        }
        Map<String, Object> document = new LinkedHashMap<>(Map.of(
                "owner",
                "o",
                "reason",
                "r",
                "review-by",
                "2030-01-01",
                "who",
                List.of(Map.of("identity", "i", "subject", "s"))));
        document.put("scopes", scopes);
        if (random.nextInt(3) == 0) {
            document.put("never", lines(random.nextInt(1, 3), true));
        }
        return document;
    }

    private Map<String, Object> scope() {
        Map<String, Object> scope = new LinkedHashMap<>(Map.of(
                "reason",
                "r",
                "destination",
                one(DESTINATIONS),
                "credential",
                random.nextInt(4) == 0 ? "gh" : "none",
                "wide",
                "w"));
        scope.put("allow", lines(random.nextInt(1, 4), false));
        switch (random.nextInt(8)) {
            case 0 -> scope.put("paths", "opaque");
            case 1 -> scope.put("query", "none");
            case 2 -> scope.put("query", Map.of("q", List.of("1", "2")));
            default -> {}
        }
        return scope;
    }

    private List<String> lines(int count, boolean never) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            lines.add(one(METHODS) + " " + pattern(never));
        }
        return lines;
    }

    private String pattern(boolean never) {
        StringBuilder path = new StringBuilder();
        int segments = random.nextInt(0, 4);
        boolean rest = false;
        for (int i = 0; i < segments; i++) {
            boolean skip = never && !rest && random.nextInt(4) == 0;
            rest = skip;
            path.append('/').append(skip ? "**" : segment());
        }
        return switch (random.nextInt(4)) {
            case 0 -> path + (rest ? "" : "/**");
            case 1 -> path + (rest ? "" : "/");
            default -> path.isEmpty() ? "/" : path.toString();
        };
    }

    private String segment() {
        return switch (random.nextInt(4)) {
            case 0 -> "*";
            case 1 -> one(PARTIALS);
            default -> one(LITERALS);
        };
    }

    String method() {
        return random.nextInt(3) > 0 ? "GET" : one(ASKED);
    }

    String host() {
        return one(HOSTS);
    }

    String path() {
        StringBuilder path = new StringBuilder();
        int segments = random.nextInt(1, 5);
        for (int i = 0; i < segments; i++) {
            path.append('/').append(random.nextInt(4) > 0 ? one(LITERALS) : one(SEGMENTS));
        }
        return path.toString();
    }

    @Nullable
    String query() {
        return random.nextInt(3) > 0 ? null : one(QUERIES);
    }

    private <T> T one(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }
}

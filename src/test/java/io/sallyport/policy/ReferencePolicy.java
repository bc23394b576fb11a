package io.sallyport.policy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A slow evaluator of policy documents, written from the text of the language and sharing no code with the product: it reads the document's
 * own strings at every request and looks at every line.
 */
final class ReferencePolicy {

    private static final Set<String> STAR = Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE");

    private static final Pattern SLASHES = Pattern.compile("/+");
    private static final Pattern PARAMETERS = Pattern.compile(";[^/]*");

    private final Map<String, Map<String, Object>> scopes;
    private final List<String> never;

    @SuppressWarnings("unchecked")
    ReferencePolicy(Map<String, Object> document) {
        this.scopes = (Map<String, Map<String, Object>>) document.get("scopes");
        this.never = (List<String>) document.getOrDefault("never", List.of());
    }

    /** One line of one scope that matches. */
    record Candidate(String scope, Map<String, Object> document, boolean exactHost, String path, boolean named) {}

    /** The selected scope's name, or the refusal's error. */
    String answer(
            List<Candidate> best,
            String method,
            String host,
            String path,
            @Nullable String query,
            Set<String> granted) {
        Set<String> readings = never.isEmpty() ? Set.of() : readings(path);
        for (String line : never) {
            for (String reading : readings) {
                if (methodMatches(line, method)
                        && pathMatches(path(line).toLowerCase(Locale.ROOT), reading.toLowerCase(Locale.ROOT))) {
                    return "never_allowed";
                }
            }
        }
        if (best.isEmpty()) {
            return none(host, path);
        }
        Candidate selected = best.getFirst();
        if (!granted.contains(selected.scope)) {
            return "scope_not_granted";
        }
        if (!"opaque".equals(selected.document.get("paths")) && ambiguous(path)) {
            return "path_ambiguous";
        }
        if (!"none".equals(selected.document.get("credential"))
                && method.equals("POST")
                && readings(path).stream().anyMatch(reading -> last(reading).equals("token"))
                && last(selected.path).contains("*")) {
            return "hands_out_credentials";
        }
        return query(selected, query);
    }

    private static String last(String path) {
        String[] segments = path.split("/");
        return segments.length == 0 ? "" : segments[segments.length - 1];
    }

    private String none(String host, String path) {
        List<Map<String, Object>> here = scopes.values().stream()
                .filter(scope -> hostMatches(scope, host))
                .toList();
        if (here.isEmpty()) {
            return "destination_not_allowed";
        }
        if (ambiguous(path) && here.stream().noneMatch(scope -> "opaque".equals(scope.get("paths")))) {
            return "path_ambiguous";
        }
        boolean pathKnown =
                here.stream().flatMap(scope -> lines(scope).stream()).anyMatch(line -> pathMatches(path(line), path));
        return pathKnown ? "method_not_allowed" : "path_not_allowed";
    }

    /** All lines that tie for the first place, in the document's order. */
    List<Candidate> best(String method, String host, String path) {
        List<Candidate> best = new ArrayList<>();
        scopes.forEach((name, scope) -> {
            for (String line : lines(scope)) {
                if (hostMatches(scope, host) && methodMatches(line, method) && pathMatches(path(line), path)) {
                    Candidate found = new Candidate(
                            name,
                            scope,
                            !scope.get("destination").toString().contains("*"),
                            path(line),
                            !line.startsWith("* "));
                    int order = best.isEmpty() ? 0 : compare(found, best.getFirst());
                    if (order < 0) {
                        best.clear();
                    }
                    if (order <= 0) {
                        best.add(found);
                    }
                }
            }
        });
        return best;
    }

    /** Exact host before wildcard; then segments from the left; then named method before star. */
    private static int compare(Candidate one, Candidate other) {
        if (one.exactHost != other.exactHost) {
            return one.exactHost ? -1 : 1;
        }
        String[] mine = one.path.split("/", -1);
        String[] theirs = other.path.split("/", -1);
        for (int i = 1; i < Math.min(mine.length, theirs.length); i++) {
            if (rank(mine[i]) != rank(theirs[i])) {
                return rank(mine[i]) - rank(theirs[i]);
            }
        }
        return Boolean.compare(other.named, one.named);
    }

    private static int rank(String segment) {
        return segment.equals("**") ? 3 : segment.equals("*") ? 2 : segment.contains("*") ? 1 : 0;
    }

    @SuppressWarnings("unchecked")
    private static List<String> lines(Map<String, Object> scope) {
        return (List<String>) scope.get("allow");
    }

    private static boolean hostMatches(Map<String, Object> scope, String host) {
        String written = scope.get("destination").toString().substring("https://".length());
        if (!written.startsWith("*.")) {
            return written.equals(host);
        }
        String base = written.substring(1);
        return host.endsWith(base)
                && host.length() > base.length()
                && host.substring(0, host.length() - base.length()).indexOf('.') < 0;
    }

    private static boolean methodMatches(String line, String method) {
        List<String> methods = List.of(line.substring(0, line.indexOf(' ')).split(","));
        return methods.contains("*")
                ? STAR.contains(method)
                : methods.contains(method) || (method.equals("HEAD") && methods.contains("GET"));
    }

    private static String path(String line) {
        return line.substring(line.indexOf(' ') + 1);
    }

    private static boolean pathMatches(String pattern, String path) {
        return matches(
                List.of(pattern.substring(1).split("/", -1)),
                List.of(path.substring(1).split("/", -1)));
    }

    /** The rest is one segment or more at the end, and any number of them elsewhere. */
    private static boolean matches(List<String> pattern, List<String> path) {
        if (pattern.isEmpty()) {
            return path.isEmpty();
        }
        String first = pattern.getFirst();
        List<String> others = pattern.subList(1, pattern.size());
        if (first.equals("**")) {
            if (others.isEmpty()) {
                return !path.isEmpty();
            }
            for (int i = 0; i <= path.size(); i++) {
                if (matches(others, path.subList(i, path.size()))) {
                    return true;
                }
            }
            return false;
        }
        return !path.isEmpty()
                && segmentMatches(first, path.getFirst())
                && matches(others, path.subList(1, path.size()));
    }

    private static boolean segmentMatches(String pattern, String segment) {
        int star = pattern.indexOf('*');
        return star < 0
                ? pattern.equals(segment)
                : segment.length() >= pattern.length()
                        && segment.startsWith(pattern.substring(0, star))
                        && segment.endsWith(pattern.substring(star + 1));
    }

    /** Everything that can be made of the path by taking %2F as a slash, collapsing slashes and cutting parameters, in any order. */
    private static Set<String> readings(String path) {
        Set<String> all = new HashSet<>();
        List<String> open = new ArrayList<>(List.of(path));
        while (!open.isEmpty()) {
            String reading = open.removeLast();
            if (all.add(reading)) {
                open.add(reading.replace("%2F", "/"));
                open.add(SLASHES.matcher(reading).replaceAll("/"));
                open.add(PARAMETERS.matcher(reading).replaceAll(""));
            }
        }
        return all;
    }

    private static boolean ambiguous(String path) {
        return path.contains("%2F") || path.contains("//");
    }

    private static String query(Candidate selected, @Nullable String query) {
        Object constraint = selected.document.get("query");
        if (constraint == null) {
            return selected.scope;
        }
        if (constraint.equals("none")) {
            return query == null ? selected.scope : "query_not_allowed";
        }
        String answer = selected.scope;
        for (Map.Entry<?, ?> named : ((Map<?, ?>) constraint).entrySet()) {
            List<String> given = new ArrayList<>();
            for (String pair : query == null ? new String[0] : query.split("&")) {
                if (pair.startsWith(named.getKey() + "=")) {
                    given.add(pair.substring(pair.indexOf('=') + 1));
                }
            }
            if (given.size() > 1) {
                return "query_ambiguous";
            }
            if (given.isEmpty() || !((List<?>) named.getValue()).contains(given.getFirst())) {
                answer = "query_not_allowed";
            }
        }
        return answer;
    }
}

package io.sallyport.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A line of the list of endpoints that hand out credentials: {@code METHOD[,METHOD] **}{@code /segments[?name]}. The path ends in these
 * segments, whatever stands before them; {@code *} is any segment, {@code *:verb} one that ends in that verb. With {@code ?name} the query
 * must have that parameter. Without {@code **} in front the path is these segments and nothing else.
 */
final class CredentialEndpoint {

    private final String text;
    private final Set<String> methods;
    private final boolean rooted;
    private final List<String> segments;
    private final @Nullable String parameter;

    private CredentialEndpoint(
            String text, Set<String> methods, boolean rooted, List<String> segments, @Nullable String parameter) {
        this.text = text;
        this.methods = methods;
        this.rooted = rooted;
        this.segments = List.copyOf(segments);
        this.parameter = parameter;
    }

    static CredentialEndpoint of(String text) {
        int space = text.indexOf(' ');
        int mark = text.indexOf('?');
        String path = text.substring(space + 1, mark < 0 ? text.length() : mark);
        boolean rooted = !path.startsWith("**/");
        String[] parts = path.substring(rooted ? 1 : 3).split("/", -1);
        return new CredentialEndpoint(
                text,
                Set.of(text.substring(0, space).split(",")),
                rooted,
                rooted && parts[0].isEmpty() ? List.of() : List.of(parts),
                mark < 0 ? null : text.substring(mark + 1));
    }

    /** What its last segment is looked up by; null for the root alone. */
    @Nullable
    String lookedUpBy() {
        if (segments.isEmpty()) {
            return null;
        }
        String last = segments.getLast();
        return last.startsWith("*")
                ? last.substring(1)
                : last.endsWith("*") ? last.substring(0, last.length() - 1) : last;
    }

    boolean matches(String method, List<String> path, @Nullable String query) {
        if (!methods.contains(method)
                || path.size() < segments.size()
                || (rooted && path.size() != segments.size())
                || (parameter != null && !asksFor(query))) {
            return false;
        }
        int before = path.size() - segments.size();
        for (int i = 0; i < segments.size(); i++) {
            if (!matches(segments.get(i), path.get(before + i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean matches(String wanted, String segment) {
        if (wanted.equals("*")) {
            return true;
        }
        if (wanted.startsWith("*:")) {
            int colon = segment.lastIndexOf(':');
            return colon >= 0 && FoldedNames.same(wanted.substring(1), segment, colon, segment.length());
        }
        if (wanted.endsWith(":*")) {
            int colon = segment.indexOf(':');
            return colon >= 0 && FoldedNames.same(wanted.substring(0, wanted.length() - 1), segment, 0, colon + 1);
        }
        return FoldedNames.same(wanted, segment, 0, segment.length());
    }

    private boolean asksFor(@Nullable String query) {
        if (query == null) {
            return false;
        }
        QueryNames names = new QueryNames(query);
        while (names.advance()) {
            String name = names.plainName();
            if (FoldedNames.same(parameter == null ? "" : parameter, name, 0, name.length())) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether whoever wrote a pattern meant this endpoint: it says in so many words what this line says in words. One that merely covers it
     * does not.
     */
    boolean isNamedBy(List<PatternSegment> pattern) {
        List<PatternSegment> own = new ArrayList<>(pattern);
        if (own.size() > 1 && own.getLast() instanceof PatternSegment.Literal(String text) && text.isEmpty()) {
            own.removeLast();
        }
        for (int i = 1; i <= segments.size(); i++) {
            String wanted = segments.get(segments.size() - i);
            if (wanted.equals("*")) {
                continue;
            }
            if (i > own.size() || !says(own.get(own.size() - i), wanted)) {
                return false;
            }
        }
        // The root says nothing of what its query asks for.
        return !segments.isEmpty();
    }

    private static boolean says(PatternSegment segment, String wanted) {
        return switch (segment) {
            case PatternSegment.Literal _ -> true;
            case PatternSegment.Partial(String prefix, String suffix) ->
                wanted.startsWith("*:") ? suffix.indexOf(':') >= 0 : wanted.endsWith(":*") && prefix.indexOf(':') >= 0;
            case PatternSegment.Any _, PatternSegment.Rest _ -> false;
        };
    }

    @Override
    public String toString() {
        return text;
    }
}

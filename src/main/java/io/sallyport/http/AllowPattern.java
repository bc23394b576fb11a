package io.sallyport.http;

import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A line of {@code allow} or {@code never}: {@code METHOD[,METHOD] PATH}. */
public final class AllowPattern {

    /** What {@code *} stands for; any other method is allowed by name only. */
    public static final Set<String> STAR_METHODS = Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE");

    /**
     * Of two patterns that match the same request, the one that selects it comes first: segments from the left, literal before partial
     * before {@code *} before {@code **}; then a named method before {@code *}. Equal patterns that overlap are a tie.
     */
    public static final Comparator<AllowPattern> MOST_PRECISE_FIRST = Comparator.<AllowPattern, PathPattern>comparing(
                    pattern -> pattern.path, PathPattern::compareTo)
            .thenComparing(pattern -> pattern.star);

    private final String text;
    private final Set<String> methods;
    private final boolean star;
    private final PathPattern path;
    private final PathPattern decodedPath;

    private AllowPattern(String text, Set<String> named, PathPattern path) {
        this.text = text;
        this.star = named.contains("*");
        this.methods = star ? STAR_METHODS : withHead(named);
        this.path = path;
        this.decodedPath = path.decoded();
    }

    private static Set<String> withHead(Set<String> named) {
        Set<String> all = new LinkedHashSet<>(named);
        if (named.contains("GET")) {
            all.add("HEAD");
        }
        return Set.copyOf(all);
    }

    /** As written in {@code allow}: {@code **} only as the last segment. */
    public static Parsed<AllowPattern> parseAllow(String text) {
        return parse(text, false);
    }

    /** As written in {@code never}: {@code **} may stand anywhere. */
    public static Parsed<AllowPattern> parseNever(String text) {
        return parse(text, true);
    }

    private static Parsed<AllowPattern> parse(String text, boolean restAnywhere) {
        int space = text.indexOf(' ');
        if (text.startsWith("@") || space <= 0 || text.indexOf(' ', space + 1) >= 0) {
            return Parsed.malformed("'" + text + "' is not METHOD[,METHOD] PATH, with one space between them");
        }
        return methods(text.substring(0, space))
                .then(named -> PathPattern.parse(text.substring(space + 1), restAnywhere)
                        .then(path -> Parsed.valid(new AllowPattern(text, named, path))));
    }

    private static Parsed<Set<String>> methods(String list) {
        Set<String> named = new LinkedHashSet<>();
        for (String method : list.split(",", -1)) {
            if (!method.equals("*") && !method(method)) {
                return Parsed.malformed("'" + method + "' is not a method; upper-case names and '*' are allowed");
            }
            if (method.equals("TRACE") || method.equals("CONNECT")) {
                return Parsed.malformed(method + " is never allowed");
            }
            if (!named.add(method)) {
                return Parsed.malformed(method + " is named twice");
            }
        }
        return named.contains("*") && named.size() > 1
                ? Parsed.malformed("'*' stands alone; " + list + " names methods beside it")
                : Parsed.valid(named);
    }

    private static boolean method(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '*' || (c >= 'a' && c <= 'z') || !Ascii.token(c)) {
                return false;
            }
        }
        return !text.isEmpty();
    }

    /** Whether this pattern of {@code allow} matches a request as it is. The query is not looked at. */
    public boolean matches(String method, Target target) {
        return methods.contains(method) && path.matches(target.path(), false);
    }

    /** Whether this pattern of {@code never} matches a request on any reading of its path, case folded. */
    public boolean matchesAnyReading(String method, PathReadings readings) {
        if (!methods.contains(method)) {
            return false;
        }
        for (PathReadings.Reading reading : readings.all()) {
            if ((reading.decoded() ? decodedPath : path).matches(reading.path(), true)) {
                return true;
            }
        }
        return false;
    }

    /**
     * A request that both match, as {@code GET /a/b}; empty where there is none. For patterns of {@code allow}.
     *
     * @throws IllegalArgumentException for a pattern of {@code never} whose {@code **} is not last
     */
    public Optional<String> overlap(AllowPattern other) {
        requireRestLast();
        other.requireRestLast();
        return methods.stream()
                .filter(other.methods::contains)
                .min(Comparator.naturalOrder())
                .flatMap(method -> path.overlap(other.path).map(common -> method + " " + common));
    }

    public boolean overlaps(AllowPattern other) {
        return overlap(other).isPresent();
    }

    private void requireRestLast() {
        for (PatternSegment segment : path.segments().subList(0, path.segments().size() - 1)) {
            if (segment instanceof PatternSegment.Rest) {
                throw new IllegalArgumentException("not a pattern of allow: " + text);
            }
        }
    }

    /** All methods it admits, HEAD beside GET included. */
    public Set<String> methods() {
        return methods;
    }

    /** True where the methods were written {@code *}. */
    public boolean anyMethod() {
        return star;
    }

    /** What an index over many patterns is built from; at least one. */
    public List<PatternSegment> segments() {
        return path.segments();
    }

    /** {@code /**}: with a credential it needs a reason. */
    public boolean wholeOrigin() {
        return path.segments().getFirst() instanceof PatternSegment.Rest;
    }

    /** As written. */
    @Override
    public String toString() {
        return text;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AllowPattern that && text.equals(that.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }
}

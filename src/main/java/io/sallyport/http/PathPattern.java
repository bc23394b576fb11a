package io.sallyport.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A compiled path: what stands after the methods of an {@link AllowPattern}. */
final class PathPattern {

    private static final String RESERVED = "{}?[]()|!~^$";
    private static final PatternSegment ANY = new PatternSegment.Any();
    private static final PatternSegment REST = new PatternSegment.Rest();

    private final List<PatternSegment> segments;

    private PathPattern(List<PatternSegment> segments) {
        this.segments = List.copyOf(segments);
    }

    List<PatternSegment> segments() {
        return segments;
    }

    /** @param restAnywhere true where {@code **} may stand before the end */
    static Parsed<PathPattern> parse(String text, boolean restAnywhere) {
        if (!text.startsWith("/")) {
            return Parsed.malformed("the path must begin with '/'");
        }
        for (int i = 0; i < text.length(); i++) {
            if (RESERVED.indexOf(text.charAt(i)) >= 0) {
                return Parsed.malformed(
                        "'" + text.charAt(i) + "' is reserved in paths; where it is meant as such, write "
                                + "%%%02X".formatted((int) text.charAt(i)));
            }
        }
        return Target.canonical(text).then(canonical -> {
            String dots = PathReader.dotSegment(canonical);
            return dots != null ? Parsed.malformed(dots) : split(canonical, restAnywhere);
        });
    }

    private static Parsed<PathPattern> split(String canonical, boolean restAnywhere) {
        String[] parts = canonical.substring(1).split("/", -1);
        List<PatternSegment> segments = new ArrayList<>(parts.length);
        for (int i = 0; i < parts.length; i++) {
            boolean last = i == parts.length - 1;
            if (parts[i].isEmpty() && !last) {
                return Parsed.malformed("an empty segment can't be written in a pattern; '**' matches it");
            }
            if (parts[i].equals("**")) {
                if (!last && !restAnywhere) {
                    return Parsed.malformed("'**' is allowed only as the last segment");
                }
                if (i > 0 && segments.get(i - 1) == REST) {
                    return Parsed.malformed("'**' beside '**' says nothing more; write one");
                }
                segments.add(REST);
                continue;
            }
            int star = parts[i].indexOf('*');
            if (star >= 0 && parts[i].indexOf('*', star + 1) >= 0) {
                return Parsed.malformed("at most one '*' is allowed in a segment");
            }
            segments.add(segment(parts[i], star));
        }
        return Parsed.valid(new PathPattern(segments));
    }

    private static PatternSegment segment(String text, int star) {
        if (star < 0) {
            return new PatternSegment.Literal(text);
        }
        return text.length() == 1 ? ANY : new PatternSegment.Partial(text.substring(0, star), text.substring(star + 1));
    }

    /**
     * The same pattern over the most decoded reading of a path. An escaped slash in a literal is a boundary there, so that one segment
     * may become several; the star keeps its meaning, because only literals are decoded.
     */
    PathPattern decoded() {
        List<PatternSegment> decoded = new ArrayList<>(segments.size());
        for (PatternSegment segment : segments) {
            switch (segment) {
                case PatternSegment.Literal(String text) -> addLiterals(decoded, PathReadings.decoded(text), "", false);
                case PatternSegment.Partial(String prefix, String suffix) ->
                    addLiterals(decoded, PathReadings.decoded(prefix), PathReadings.decoded(suffix), true);
                case PatternSegment.Any _, PatternSegment.Rest _ -> decoded.add(segment);
            }
        }
        return decoded.equals(segments) ? this : new PathPattern(decoded);
    }

    private static void addLiterals(List<PatternSegment> into, String before, String after, boolean star) {
        String[] head = before.split("/", -1);
        String[] tail = after.split("/", -1);
        for (int i = 0; i < head.length - 1; i++) {
            into.add(new PatternSegment.Literal(head[i]));
        }
        String prefix = head[head.length - 1];
        if (!star) {
            into.add(new PatternSegment.Literal(prefix));
            return;
        }
        boolean bare = prefix.isEmpty() && tail[0].isEmpty();
        into.add(bare ? ANY : new PatternSegment.Partial(prefix, tail[0]));
        for (int i = 1; i < tail.length; i++) {
            into.add(new PatternSegment.Literal(tail[i]));
        }
    }

    /**
     * Greedy, falling back to the latest {@code **} only: an earlier one could not do better, since each segment is judged alone. So the
     * cost is at most segments of the pattern times segments of the path, and one pass where {@code **} is last.
     */
    boolean matches(String path, boolean foldCase) {
        int next = 0;
        int at = 1;
        int resumeNext = -1;
        int resumeAt = -1;
        while (at <= path.length()) {
            int slash = path.indexOf('/', at);
            int end = slash < 0 ? path.length() : slash;
            if (next < segments.size() && segments.get(next) == REST) {
                if (next == segments.size() - 1) {
                    return true;
                }
                resumeNext = ++next;
                resumeAt = at;
                continue;
            }
            if (next < segments.size() && segments.get(next).matches(path, at, end, foldCase)) {
                next++;
                at = end + 1;
            } else if (resumeNext < 0) {
                return false;
            } else {
                next = resumeNext;
                int skipped = path.indexOf('/', resumeAt);
                resumeAt = skipped < 0 ? path.length() + 1 : skipped + 1;
                at = resumeAt;
            }
        }
        return next == segments.size();
    }

    /** A path that both match, if there is one. For patterns in which {@code **} is last or absent. */
    Optional<String> overlap(PathPattern other) {
        StringBuilder path = new StringBuilder();
        int length = Math.max(segments.size(), other.segments.size());
        for (int i = 0; i < length; i++) {
            PatternSegment mine = at(i);
            PatternSegment theirs = other.at(i);
            Optional<String> common = mine == null || theirs == null ? Optional.empty() : common(mine, theirs);
            if (common.isEmpty()) {
                return Optional.empty();
            }
            path.append('/').append(common.get());
        }
        return Optional.of(path.toString());
    }

    private @Nullable PatternSegment at(int index) {
        if (index < segments.size()) {
            return segments.get(index);
        }
        return segments.getLast() == REST ? REST : null;
    }

    private static Optional<String> common(PatternSegment mine, PatternSegment theirs) {
        PatternSegment narrow = mine.rank() <= theirs.rank() ? mine : theirs;
        PatternSegment wide = mine.rank() <= theirs.rank() ? theirs : mine;
        return switch (narrow) {
            case PatternSegment.Literal(String text) ->
                Optional.of(text).filter(it -> wide.matches(it, 0, it.length(), false));
            case PatternSegment.Partial narrowPart
            when wide instanceof PatternSegment.Partial widePart -> common(narrowPart, widePart);
            case PatternSegment.Partial(String prefix, String suffix) -> Optional.of(prefix + "x" + suffix);
            case PatternSegment.Any _, PatternSegment.Rest _ -> Optional.of("x");
        };
    }

    private static Optional<String> common(PatternSegment.Partial one, PatternSegment.Partial two) {
        String prefix = longer(one.prefix(), two.prefix());
        String suffix = longer(one.suffix(), two.suffix());
        boolean compatible = prefix.startsWith(one.prefix())
                && prefix.startsWith(two.prefix())
                && suffix.endsWith(one.suffix())
                && suffix.endsWith(two.suffix());
        return compatible ? Optional.of(prefix + "x" + suffix) : Optional.empty();
    }

    private static String longer(String one, String two) {
        return one.length() >= two.length() ? one : two;
    }

    /** Segment by segment from the left, the narrower kind first. */
    int compareTo(PathPattern other) {
        int common = Math.min(segments.size(), other.segments.size());
        for (int i = 0; i < common; i++) {
            int ranks = Integer.compare(
                    segments.get(i).rank(), other.segments.get(i).rank());
            if (ranks != 0) {
                return ranks;
            }
        }
        return 0;
    }
}

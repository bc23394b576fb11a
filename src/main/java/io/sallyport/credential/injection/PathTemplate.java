package io.sallyport.credential.injection;

import io.sallyport.document.Form;
import io.sallyport.document.Forms;
import io.sallyport.document.Reading;
import io.sallyport.http.Parsed;
import io.sallyport.http.Target;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Paths with one place in them: segments as they are, {@code *} for any one, exactly one with {@code {secret}} in it, and at the end
 * {@code /**} for whatever follows.
 *
 * @param segments of which the one at {@code at} has the place
 * @param before what stands before the place within its segment; @param after what stands behind it
 */
record PathTemplate(String text, List<String> segments, int at, String before, String after, boolean open) {

    private static final String MARK = "{secret}";
    private static final String REST = "/**";

    static final Form<PathTemplate> FORM = Forms.TEXT.then(text -> {
        PathTemplate template = parsed(text);
        return template == null
                ? Reading.unreadable(
                        Forms.quote(text)
                                + " is not a path with a place in it; allowed: a path with {secret} exactly once, * for any one segment, and /** at its end, as in \"/bot{secret}/**\"")
                : Reading.of(template);
    });

    private static @Nullable PathTemplate parsed(String text) {
        boolean open = text.endsWith(REST);
        String path = open ? text.substring(0, text.length() - REST.length()) : text;
        int mark = path.indexOf(MARK);
        if (mark < 0 || !path.startsWith("/")) {
            return null;
        }
        // What is compared has to be spelled as targets are.
        String probe = path.substring(0, mark) + "secret" + path.substring(mark + MARK.length());
        if (!(Target.parse(probe) instanceof Parsed.Valid<Target>(Target canonical))
                || canonical.query() != null
                || !canonical.path().equals(probe)
                || probe.indexOf('{') >= 0
                || probe.indexOf('}') >= 0) {
            return null;
        }
        List<String> segments = Arrays.asList(path.substring(1).split("/", -1));
        int at = 0;
        while (!segments.get(at).contains(MARK)) {
            at++;
        }
        for (String segment : segments) {
            if (segment.isEmpty() || (segment.indexOf('*') >= 0 && !segment.equals("*"))) {
                return null;
            }
        }
        String its = segments.get(at);
        int place = its.indexOf(MARK);
        return new PathTemplate(
                text, List.copyOf(segments), at, its.substring(0, place), its.substring(place + MARK.length()), open);
    }

    /** What stands in the place; null for a path that has none. */
    @Nullable
    String text(String path) {
        int[] place = place(path);
        return place == null ? null : path.substring(place[0], place[1]);
    }

    /** The path with another text in the place; null for a path that has none. */
    @Nullable
    String replaced(String path, String by) {
        int[] place = place(path);
        return place == null ? null : path.substring(0, place[0]) + by + path.substring(place[1]);
    }

    private int @Nullable [] place(String path) {
        int[] place = null;
        int start = 1;
        for (int i = 0; i < segments.size(); i++) {
            if (start > path.length()) {
                return null;
            }
            int slash = path.indexOf('/', start);
            int end = slash < 0 ? path.length() : slash;
            String segment = path.substring(start, end);
            if (i == at) {
                if (!segment.startsWith(before)
                        || !segment.endsWith(after)
                        || segment.length() < before.length() + after.length()) {
                    return null;
                }
                place = new int[] {start + before.length(), end - after.length()};
            } else if (!segments.get(i).equals("*") && !segments.get(i).equals(segment)) {
                return null;
            }
            start = end + 1;
        }
        // /** is what comes behind a slash.
        return start <= path.length() == open ? place : null;
    }
}

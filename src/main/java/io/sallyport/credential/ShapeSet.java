package io.sallyport.credential;

import java.util.ArrayList;
import java.util.List;

/**
 * Many shapes, prepared to be sought at once. Each gives the search a run of its characters, a {@link Grams gram}, to look for; only where
 * one is found is a shape followed.
 */
final class ShapeSet {

    /** Beyond it, a longer shape would make a search of clean content hardly any faster, and what is prepared larger. */
    private static final int WIDEST = 100;

    /** Shorter runs are found too often. */
    private static final int SHORTEST_SPELLED = 4;

    private final Shape[] shapes;
    private final int window;
    private final int longest;
    private final int stride;
    private final Grams unspelled;
    private final Grams spelled;
    private final int reach;
    private final boolean within;
    private final boolean alone;
    private final Shape[] loose;

    /** @param shapes each at least two places long */
    ShapeSet(List<Shape> shapes) {
        this.shapes = shapes.toArray(Shape[]::new);
        this.window = shapes.stream().mapToInt(Shape::length).min().orElseThrow();
        this.longest = shapes.stream().mapToInt(Shape::length).max().orElseThrow();
        List<Run> plain =
                shapes.stream().map(shape -> Run.longest(shape, false)).toList();
        int width = plain.stream().mapToInt(Run::length).min().orElseThrow();
        this.unspelled = new Grams(Math.clamp(width, 1, Grams.LONGEST));
        this.stride = Math.clamp(width, 1, WIDEST) - unspelled.length() + 1;
        int spelledWidth = spelledWidth(shapes);
        this.spelled = new Grams(Math.min(spelledWidth, Grams.LONGEST));
        this.within = spelledWidth < spelled.length() + Spelling.LONGEST - 1;
        List<Shape> without = new ArrayList<>();
        for (int s = 0; s < this.shapes.length; s++) {
            int from = plain.get(s).from();
            unspelled.add(this.shapes[s], from, stride, what(s, from));
            Run run = Run.longest(this.shapes[s], true);
            if (run.length() < SHORTEST_SPELLED) {
                without.add(this.shapes[s]);
            } else {
                spelled.add(this.shapes[s], run.from(), run.length() - spelled.length() + 1, what(s, run.from()));
            }
        }
        boolean ambiguous = shapes.stream().anyMatch(ShapeSet::begins);
        this.reach = ambiguous ? longest : spelled.length() + 1;
        this.alone = !ambiguous && spelledWidth >= 2 * Grams.LONGEST - 1;
        this.loose = without.toArray(Shape[]::new);
        unspelled.ready();
        spelled.ready();
    }

    private static boolean begins(Shape shape) {
        for (int place = 0; place < shape.length(); place++) {
            if (shape.begins(place)) {
                return true;
            }
        }
        return false;
    }

    /** The shortest of the runs that are long enough. */
    private static int spelledWidth(List<Shape> shapes) {
        return shapes.stream()
                .mapToInt(shape -> Run.longest(shape, true).length())
                .filter(length -> length >= SHORTEST_SPELLED)
                .min()
                .orElse(Integer.MAX_VALUE);
    }

    /**
     * Places of a shape that follow one upon another, in each of which hardly more than one character may stand: not the ends of base64, of
     * which a neighbour decides a part.
     */
    private record Run(int from, int length) {

        /** @param spelled leaves out what may begin a spelling as well as stand for itself, and what could be read as part of one */
        static Run longest(Shape shape, boolean spelled) {
            Run longest = new Run(0, 0);
            int from = 0;
            for (int place = 0; place < shape.length(); place++) {
                if (!shape.definite(place) || (spelled && shape.begins(place))) {
                    from = place + 1;
                } else if (place + 1 - from > longest.length()) {
                    longest = new Run(from, place + 1 - from);
                }
            }
            return longest;
        }
    }

    private static int what(int shape, int place) {
        return shape << 16 | place;
    }

    /** No match, however spelled, is shorter than this many bytes. */
    int window() {
        return window;
    }

    /** No match in which nothing is spelled is longer than this many bytes. */
    int longest() {
        return longest;
    }

    /** No match, however spelled, is longer than this many bytes. */
    int longestSpelled() {
        return longest * Spelling.LONGEST;
    }

    /** Of {@link #stride} bytes that follow one upon another in a match in which nothing is spelled, one at least begins one of these. */
    Grams unspelled() {
        return unspelled;
    }

    int stride() {
        return stride;
    }

    /**
     * One of these stands in every match in which something is spelled, read as what is spelled, no further from a spelled character than
     * {@link #reach}; but for those of {@link #loose} shapes.
     */
    Grams spelled() {
        return spelled;
    }

    /**
     * In characters, the gram's own with them. Runs have but one place beside them, at either end of base64. Only where a shape has
     * characters that begin spellings, and so several runs, all of it has to be looked at.
     */
    int reach() {
        return reach;
    }

    /**
     * Whether all runs are so long that a spelled character with none near it begins a gram, ends one, or stands beside one, and that is
     * eight characters long.
     */
    boolean alone() {
        return alone;
    }

    /**
     * Whether a gram may have to be sought that begins within what reads as one spelled character, because it was meant literally; in long
     * runs there is always one behind it that serves as well.
     */
    boolean within() {
        return within;
    }

    /** Those in which characters that begin spellings stand too close to have a gram between them. */
    Shape[] loose() {
        return loose;
    }

    Shape[] all() {
        return shapes;
    }

    /** @param what as found in one of the grams */
    Shape shape(int what) {
        return shapes[what >>> 16];
    }

    /** @param what as found in one of the grams @return which place of its shape the gram begins at */
    static int place(int what) {
        return what & 0xffff;
    }
}

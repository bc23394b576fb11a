package io.sallyport.credential;

import java.util.Arrays;
import java.util.List;

/**
 * Many shapes, prepared to be sought at once (after Wu and Manber): how far a search may jump by the last two bytes of its window, which
 * shapes begin with a byte, and where in which shapes a character stands.
 */
final class ShapeSet {

    private static final int BLOCKS = 4096;
    private static final int WIDEST_WINDOW = 100;
    private static final Shape[] NO_SHAPES = {};
    private static final int[] NOWHERE = {};

    private final Shape[] shapes;
    private final int window;
    private final int longest;
    private final byte[] jumps = new byte[BLOCKS];
    private final Shape[][] beginning = new Shape[256][];
    private final int[][] standing = new int[128][];
    private final boolean[] contained = new boolean[256];
    private final boolean[] pairs = new boolean[BLOCKS];

    /** @param shapes each at least two places long */
    ShapeSet(List<Shape> shapes) {
        this.shapes = shapes.toArray(Shape[]::new);
        int shortest = shapes.stream().mapToInt(Shape::length).min().orElseThrow();
        this.window = Math.min(shortest, WIDEST_WINDOW);
        this.longest = shapes.stream().mapToInt(Shape::length).max().orElseThrow();
        fillJumps();
        fillBeginnings();
        fillStanding();
        fillContained();
        fillPairs();
    }

    static int block(byte first, byte second) {
        // Seven bits of each folded into twelve: a collision only shortens a jump. A byte beyond ASCII looks like
        // another, which does no harm.
        return ((first & 0x7f) << 5 ^ (second & 0x7f)) & BLOCKS - 1;
    }

    private void fillJumps() {
        Arrays.fill(jumps, (byte) (window - 1));
        for (Shape shape : shapes) {
            for (int place = 1; place < window; place++) {
                byte jump = (byte) (window - 1 - place);
                for (byte first : shape.characters(place - 1)) {
                    for (byte second : shape.characters(place)) {
                        int block = block(first, second);
                        jumps[block] = (byte) Math.min(jumps[block], jump);
                    }
                }
            }
        }
    }

    private void fillBeginnings() {
        for (int b = 0; b < beginning.length; b++) {
            byte first = (byte) b;
            // A spelled character may be any: such a beginning is open to all.
            beginning[b] = Arrays.stream(shapes)
                    .filter(shape -> Spelling.begins(first) || shape.admits(0, first))
                    .toArray(Shape[]::new);
            if (beginning[b].length == 0) {
                beginning[b] = NO_SHAPES;
            }
        }
    }

    private void fillStanding() {
        Arrays.fill(standing, NOWHERE);
        int[] counts = new int[standing.length];
        for (int s = 0; s < shapes.length; s++) {
            for (int place = 0; place < shapes[s].length(); place++) {
                for (byte c : shapes[s].characters(place)) {
                    standing[c] = counts[c] == standing[c].length
                            ? Arrays.copyOf(standing[c], Math.max(4, 2 * counts[c]))
                            : standing[c];
                    standing[c][counts[c]++] = s << 16 | place;
                }
            }
        }
        for (int c = 0; c < standing.length; c++) {
            standing[c] = counts[c] == 0 ? NOWHERE : Arrays.copyOf(standing[c], counts[c]);
        }
    }

    private void fillContained() {
        for (byte syntax : Spelling.SYNTAX) {
            contained[syntax] = true;
        }
        for (int c = 0; c < standing.length; c++) {
            contained[c] |= standing[c].length > 0;
        }
    }

    private void fillPairs() {
        for (Shape shape : shapes) {
            for (byte first : shape.characters(0)) {
                for (byte second : shape.characters(1)) {
                    pairs[block(first, second)] = true;
                }
            }
        }
        for (int b = 0; b < 128; b++) {
            for (byte syntax : Spelling.BEGINNINGS) {
                pairs[block(syntax, (byte) b)] = true;
                pairs[block((byte) b, syntax)] = true;
            }
        }
    }

    /** False when no match, however spelled, has that byte in it. */
    boolean mayContain(byte b) {
        return contained[b & 0xff];
    }

    /** False when no match begins with these two bytes. */
    boolean mayBegin(byte first, byte second) {
        return pairs[block(first, second)];
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

    /** How far the window may move when these are its last two bytes; 0 when it must be looked at. */
    int jump(byte first, byte second) {
        return jumps[block(first, second)];
    }

    Shape[] beginningWith(byte first) {
        return beginning[first & 0xff];
    }

    /** Where {@code c} may stand: for each, the shape's number above and the place in the low 16 bits. */
    int[] standing(char c) {
        return standing[c];
    }

    Shape shape(int standing) {
        return shapes[standing >>> 16];
    }
}

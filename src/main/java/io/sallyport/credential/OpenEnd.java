package io.sallyport.credential;

import java.util.Arrays;

/**
 * Where bytes end in what could be the beginning of a match. It takes longer the more they look like one, so it is for shapes that are no
 * secret: placeholders, and how all task tokens begin.
 */
final class OpenEnd {

    private static final Shape[] NO_SHAPES = {};

    private final ShapeSet shapes;
    private final Shape[][] beginning = new Shape[256][];
    private final boolean[] contained = new boolean[256];

    OpenEnd(ShapeSet shapes) {
        this.shapes = shapes;
        for (int b = 0; b < beginning.length; b++) {
            byte first = (byte) b;
            // A spelled character may be any: such a beginning is open to all.
            beginning[b] = Arrays.stream(shapes.all())
                    .filter(shape -> Spelling.begins(first) || shape.admits(0, first))
                    .toArray(Shape[]::new);
            if (beginning[b].length == 0) {
                beginning[b] = NO_SHAPES;
            }
        }
        for (byte syntax : Spelling.SYNTAX) {
            contained[syntax] = true;
        }
        for (Shape shape : shapes.all()) {
            for (int place = 0; place < shape.length(); place++) {
                for (byte c : shape.characters(place)) {
                    contained[c] = true;
                }
            }
        }
    }

    /**
     * Where the first match begins that more bytes could complete or lengthen; {@code limit} for none. Ten bytes a character are to be
     * reckoned with only where something is spelled at all.
     *
     * @param spelledAt where the last byte stands that begins a spelling; -1 for none
     */
    int from(byte[] bytes, int from, int limit, int spelledAt) {
        int most = Math.max(from, limit - shapes.longestSpelled());
        int earliest = spelledAt >= most ? most : Math.max(from, limit - shapes.longest());
        int open = limit;
        Walk walk = new Walk();
        for (int start = limit - 1; start >= earliest && contained[bytes[start] & 0xff]; start--) {
            if (opens(walk, bytes, start, limit)) {
                open = start;
            }
        }
        return open;
    }

    private boolean opens(Walk walk, byte[] bytes, int start, int limit) {
        for (Shape shape : beginning[bytes[start] & 0xff]) {
            walk.run(shape, bytes, start, limit);
            if (walk.open()) {
                return true;
            }
        }
        return false;
    }
}

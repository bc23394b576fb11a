package io.sallyport.credential;

import java.util.Arrays;

/** Follows one shape through bytes from one start, along every way in which they may be spelled. Reused; not thread-safe. */
final class Walk {

    private int matchedUntil;
    private boolean open;
    private int[] here = new int[4];
    private int[] next = new int[4];
    private int reached;

    /** Where the longest match ends, or -1. */
    int matchedUntil() {
        return matchedUntil;
    }

    /** Whether more bytes could make a match, or a longer one. */
    boolean open() {
        return open;
    }

    void run(Shape shape, byte[] bytes, int from, int limit) {
        matchedUntil = -1;
        open = false;
        int at = from;
        for (int place = 0; place < shape.length(); place++, at++) {
            if (at == limit) {
                open = true;
                return;
            }
            if (Spelling.begins(bytes[at])) {
                runSpelled(shape, place, bytes, at, limit);
                return;
            }
            if (!shape.admits(place, bytes[at])) {
                return;
            }
        }
        matchedUntil = at;
    }

    /**
     * A backslash may stand for itself or begin a spelling, so there may be several ways to have come to a place. They are followed side
     * by side: trying one after the other would take exponential time for a secret of backslashes.
     */
    private void runSpelled(Shape shape, int fromPlace, byte[] bytes, int from, int limit) {
        here[0] = from;
        int ways = 1;
        for (int place = fromPlace; place < shape.length() && ways > 0; place++) {
            reached = 0;
            for (int way = 0; way < ways; way++) {
                step(shape, place, bytes, here[way], limit);
            }
            ways = reached;
            int[] swap = here;
            here = next;
            next = swap;
        }
        for (int way = 0; way < ways; way++) {
            matchedUntil = Math.max(matchedUntil, here[way]);
        }
    }

    private void step(Shape shape, int place, byte[] bytes, int at, int limit) {
        if (at == limit) {
            open = true;
            return;
        }
        if (shape.admits(place, bytes[at])) {
            reach(at + 1);
        }
        if (Spelling.begins(bytes[at])) {
            int spelling = Spelling.read(bytes, at, limit);
            if (spelling == Spelling.INCOMPLETE) {
                open = true;
            } else if (spelling != Spelling.NONE && shape.admits(place, Spelling.character(spelling))) {
                reach(at + Spelling.length(spelling));
            }
        }
    }

    private void reach(int at) {
        for (int i = reached - 1; i >= 0; i--) {
            if (next[i] == at) {
                return;
            }
        }
        if (reached == next.length) {
            next = Arrays.copyOf(next, 2 * reached);
        }
        next[reached++] = at;
    }
}

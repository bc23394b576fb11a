package io.sallyport.credential;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Finds every match of a set of shapes in bytes. Two passes: one jumps from window to window for matches that begin unspelled; the other
 * looks for the three bytes that begin a spelling, and asks of each whether it is the first spelled character of a match. Clean bytes
 * cost a fraction of a nanosecond each. Reused; not thread-safe.
 */
final class Search {

    private static final VarHandle EIGHT = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long TOPS = 0x8080808080808080L;

    private final ShapeSet shapes;
    private final Walk walk = new Walk();
    private int[] ranges = new int[8];
    private int count;
    /** Where the last byte was met that begins a spelling; -1 for none. */
    private int spelledAt;

    Search(ShapeSet shapes) {
        this.shapes = shapes;
    }

    /** Notes the ranges of all matches that lie wholly within the bytes. They may overlap. */
    void find(byte[] bytes, int from, int limit) {
        count = 0;
        spelledAt = -1;
        findUnspelled(bytes, from, limit);
        findSpelled(bytes, from, limit);
    }

    /** How many ranges were found. */
    int count() {
        return count;
    }

    /** How many of them begin in that stretch; ranges that touch or overlap are one. */
    int occurrences(int from, int before) {
        if (count == 0) {
            return 0;
        }
        long[] sorted = new long[count];
        for (int range = 0; range < count; range++) {
            sorted[range] = (long) start(range) << 32 | end(range);
        }
        Arrays.sort(sorted);
        int found = 0;
        int until = from - 1;
        for (long range : sorted) {
            int start = (int) (range >>> 32);
            if (start > until && start < before) {
                found++;
            }
            until = Math.max(until, (int) range);
        }
        return found;
    }

    /** Where the last byte stands that begins a spelling, of those that {@link #find} saw; -1 for none. */
    int spelledAt() {
        return spelledAt;
    }

    int start(int range) {
        return ranges[2 * range];
    }

    int end(int range) {
        return ranges[2 * range + 1];
    }

    /**
     * Where the first match begins that more bytes could complete or lengthen; {@code limit} for none. Asked after {@link #find}, of the
     * same bytes. Ten bytes a character are to be reckoned with only where something is spelled at all.
     */
    int openFrom(byte[] bytes, int from, int limit) {
        int most = Math.max(from, limit - shapes.longestSpelled());
        int earliest = spelledAt >= most ? most : Math.max(from, limit - shapes.longest());
        int open = limit;
        for (int start = limit - 1; start >= earliest && shapes.mayContain(bytes[start]); start--) {
            boolean maybe = start + 1 == limit || shapes.mayBegin(bytes[start], bytes[start + 1]);
            if (maybe && opens(bytes, start, limit)) {
                open = start;
            }
        }
        return open;
    }

    private boolean opens(byte[] bytes, int start, int limit) {
        for (Shape shape : shapes.beginningWith(bytes[start])) {
            walk.run(shape, bytes, start, limit);
            if (walk.open()) {
                return true;
            }
        }
        return false;
    }

    private void findUnspelled(byte[] bytes, int from, int limit) {
        int window = shapes.window();
        int last = from + window - 1;
        while (last < limit) {
            int jump = shapes.jump(bytes[last - 1], bytes[last]);
            if (jump == 0) {
                int start = last - window + 1;
                for (Shape shape : shapes.beginningWith(bytes[start])) {
                    follow(shape, bytes, start, limit);
                }
                jump = 1;
            }
            last += jump;
        }
    }

    private void findSpelled(byte[] bytes, int from, int limit) {
        int at = from;
        for (; at <= limit - Long.BYTES; at += Long.BYTES) {
            long eight = (long) EIGHT.get(bytes, at);
            long marks = zeroIn(eight ^ ONES * '%') | zeroIn(eight ^ ONES * '\\') | zeroIn(eight ^ ONES * '&');
            for (; marks != 0; marks &= marks - 1) {
                look(bytes, from, at + (Long.numberOfTrailingZeros(marks) >> 3), limit);
            }
        }
        for (; at < limit; at++) {
            look(bytes, from, at, limit);
        }
    }

    /** The top bit of each byte that is zero is set; a carry may set one more above it, which a closer look sorts out. */
    private static long zeroIn(long eight) {
        return eight - ONES & ~eight & TOPS;
    }

    /** Before the first spelled character of a match all are single bytes, so its place tells where the match would begin. */
    private void look(byte[] bytes, int from, int at, int limit) {
        if (!Spelling.begins(bytes[at])) {
            return;
        }
        spelledAt = at;
        int spelling = Spelling.read(bytes, at, limit);
        if (spelling <= 0) {
            return;
        }
        for (int standing : shapes.standing(Spelling.character(spelling))) {
            int place = standing & 0xffff;
            Shape shape = shapes.shape(standing);
            if (at - place >= from && precededBy(shape, place, bytes, at)) {
                follow(shape, bytes, at - place, limit);
            }
        }
    }

    /** Looked at backwards, because the neighbour nearly always says no. */
    private static boolean precededBy(Shape shape, int places, byte[] bytes, int at) {
        for (int back = 1; back <= places; back++) {
            if (!shape.admits(places - back, bytes[at - back])) {
                return false;
            }
        }
        return true;
    }

    private void follow(Shape shape, byte[] bytes, int start, int limit) {
        walk.run(shape, bytes, start, limit);
        if (walk.matchedUntil() >= 0) {
            if (2 * count == ranges.length) {
                ranges = Arrays.copyOf(ranges, 4 * count);
            }
            ranges[2 * count] = start;
            ranges[2 * count + 1] = walk.matchedUntil();
            count++;
        }
    }
}

package io.sallyport.credential;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Finds every match of a set of shapes in bytes. Two passes: one looks at one place in so many for a gram of a match in which nothing is
 * spelled; the other reads what is spelled, where something is, and looks for the same there. What a look costs does not depend on how
 * much a byte and its neighbours look like a match, but for a whole gram: whoever times it learns nothing by guessing one character more.
 * Reused; not thread-safe.
 */
final class Search {

    private static final VarHandle EIGHT = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final byte[] NOTHING = {};
    private static final Shape[] NO_SHAPES = {};
    private static final long ONES = 0x0101010101010101L;
    private static final long TOPS = 0x8080808080808080L;

    private final ShapeSet shapes;
    private final Walk walk = new Walk();
    private final Reading reading;
    private final Grams.Found foundUnspelled = this::foundUnspelled;
    private final Grams.Found foundSpelled = this::foundSpelled;
    private byte[] bytes = NOTHING;
    private int from;
    private int limit;
    private int[] ranges = new int[8];
    private int count;
    /** Where the last byte was met that begins a spelling; -1 for none. */
    private int spelledAt;

    /** Bytes that begin spellings, so close together that a gram may have several of them: where they begin and end, and how many. */
    private int group;

    private int groupEnd;
    private int groupSize;
    private int groupSpelled;
    private int followed;

    Search(ShapeSet shapes) {
        this.shapes = shapes;
        this.reading = new Reading(shapes.spelled(), shapes.within());
    }

    /** Notes the ranges of all matches that lie wholly within the bytes. They may overlap. */
    void find(byte[] bytes, int from, int limit) {
        this.bytes = bytes;
        this.from = from;
        this.limit = limit;
        count = 0;
        spelledAt = -1;
        findUnspelled();
        findSpelled();
        this.bytes = NOTHING;
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

    private void findUnspelled() {
        Grams grams = shapes.unspelled();
        int stride = shapes.stride();
        int at = from;
        for (; at <= limit - Long.BYTES; at += stride) {
            lookUnspelled(grams, grams.at(bytes, at), at);
        }
        for (; at <= limit - grams.length(); at += stride) {
            lookUnspelled(grams, grams.atEnd(bytes, at), at);
        }
    }

    private void lookUnspelled(Grams grams, long key, int at) {
        if (grams.has(key)) {
            grams.each(key, at, foundUnspelled);
        }
    }

    private void foundUnspelled(int what, int at) {
        int start = at - ShapeSet.place(what);
        if (start >= from) {
            follow(shapes.shape(what), start);
        }
    }

    /** Content is read only around what is spelled in it. */
    private void findSpelled() {
        groupSpelled = 0;
        groupEnd = Integer.MIN_VALUE / 2;
        int at = from;
        for (; at <= limit - Long.BYTES; at += Long.BYTES) {
            long eight = (long) EIGHT.get(bytes, at);
            long marks = zeroIn(eight ^ ONES * '%') | zeroIn(eight ^ ONES * '\\') | zeroIn(eight ^ ONES * '&');
            for (; marks != 0; marks &= marks - 1) {
                around(at + (Long.numberOfTrailingZeros(marks) >> 3));
            }
        }
        for (; at < limit; at++) {
            around(at);
        }
        readGroup();
    }

    /** The top bit of each byte that is zero is set; a carry may set one more above it, which a closer look sorts out. */
    private static long zeroIn(long eight) {
        return eight - ONES & ~eight & TOPS;
    }

    private void around(int at) {
        if (!Spelling.begins(bytes[at])) {
            return;
        }
        spelledAt = at;
        if (at - groupEnd >= shapes.reach() - 1) {
            readGroup();
            group = at;
            groupSize = 0;
            groupSpelled = 0;
        }
        int spelling = Spelling.read(bytes, at, limit);
        groupSize++;
        groupSpelled += spelling > 0 ? 1 : 0;
        groupEnd = Math.max(groupEnd, at + (spelling > 0 ? Spelling.length(spelling) : 1));
        for (Shape shape : spelling > 0 ? shapes.loose() : NO_SHAPES) {
            for (int start = Math.max(from, at - shape.length() + 1); start <= at; start++) {
                follow(shape, start);
            }
        }
    }

    private void readGroup() {
        if (groupSpelled == 0) {
            return;
        }
        boolean one = groupSize == 1 && shapes.alone() && group - Long.BYTES >= from && groupEnd + Long.BYTES <= limit;
        if (one) {
            readOne(group, groupEnd, Spelling.character(Spelling.read(bytes, group, limit)));
        } else {
            int first = Math.max(from, group - shapes.reach());
            int until = Math.min(limit, groupEnd + shapes.reach());
            reading.read(bytes, first, until, limit, foundSpelled);
        }
    }

    /** One spelled character among bytes that stand for themselves: a long run goes on before it or behind it, and may end beside it. */
    private void readOne(int at, int end, char c) {
        Grams grams = shapes.spelled();
        long before = grams.at(bytes, at - Long.BYTES);
        lookSpelled(grams, before, at - Long.BYTES);
        lookSpelled(grams, grams.shifted(before, (byte) c), at - Long.BYTES + 1);
        long behind = grams.at(bytes, end);
        lookSpelled(grams, grams.shiftedBack(behind, (byte) c), at);
        lookSpelled(grams, behind, end);
    }

    private void lookSpelled(Grams grams, long key, int at) {
        if (grams.has(key)) {
            grams.each(key, at, foundSpelled);
        }
    }

    /** What stands in the shape before the gram may take up to ten bytes for each place. */
    private void foundSpelled(int what, int at) {
        int places = ShapeSet.place(what);
        int first = Math.max(from, at - places * Spelling.LONGEST);
        for (int start = at - places; start >= first; start--) {
            follow(shapes.shape(what), start);
        }
    }

    /** For tests: how often something was looked at more closely, by what of it looked like a match. */
    int followed() {
        return followed;
    }

    private void follow(Shape shape, int start) {
        followed++;
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

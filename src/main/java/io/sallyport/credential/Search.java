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

    /** Where the stretch ends that has to be read for what is spelled in it; before {@link #readFrom} for none. */
    private int readUntil;

    private int readFrom;
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
        readFrom = from;
        readUntil = from - 1;
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
        read();
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
        int spelling = Spelling.read(bytes, at, limit);
        if (spelling <= 0) {
            return;
        }
        int begins = Math.max(from, at - shapes.reach());
        if (begins > readUntil) {
            read();
            readFrom = begins;
        }
        readUntil = Math.min(limit, at + Spelling.length(spelling) + shapes.reach());
        for (Shape shape : shapes.loose()) {
            for (int start = Math.max(from, at - shape.length() + 1); start <= at; start++) {
                follow(shape, start);
            }
        }
    }

    private void read() {
        if (readUntil >= readFrom) {
            reading.read(bytes, readFrom, readUntil, limit, foundSpelled);
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

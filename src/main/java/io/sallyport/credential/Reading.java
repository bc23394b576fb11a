package io.sallyport.credential;

import java.util.Arrays;

/**
 * Looks for grams in bytes read as what is spelled in them. Where a byte that begins spellings may have been meant for itself, what follows
 * is looked at both ways; none of the grams has such a character, so that none goes across it. Reused; not thread-safe.
 */
final class Reading {

    /** Part of no gram: what can't be part of one is read as this. */
    private static final byte NONE = (byte) 0x80;

    private final Grams grams;
    private final boolean within;
    private byte[] read = {};

    /** Where each was read, and behind the last the end. */
    private int[] places = {};

    /** @param within whether grams may begin within what reads as one spelled character */
    Reading(Grams grams, boolean within) {
        this.grams = grams;
        this.within = within;
    }

    /** @param until where to stop; what is spelled there may go on until {@code limit} */
    void read(byte[] bytes, int from, int until, int limit, Grams.Found found) {
        int count = characters(bytes, from, until, limit);
        int before = grams.length() - 1;
        long key = 0;
        for (int i = 0; i < count; i++) {
            key = grams.shifted(key, read[i]);
            if (i >= before && grams.has(key)) {
                grams.each(key, places[i - before], found);
            }
        }
        for (int i = 0; within && i < count; i++) {
            if (places[i + 1] - places[i] > 1) {
                lookWithin(bytes, i, found);
            }
        }
    }

    private int characters(byte[] bytes, int from, int until, int limit) {
        int most = until - from + 1;
        if (places.length < most) {
            places = new int[2 * most];
            read = new byte[2 * most + Long.BYTES];
        }
        int count = 0;
        int at = from;
        while (at < until) {
            places[count] = at;
            byte b = bytes[at];
            int length = 1;
            if (Spelling.begins(b)) {
                int spelling = Spelling.read(bytes, at, limit);
                b = spelling > 0 ? (byte) Spelling.character(spelling) : NONE;
                if (Spelling.begins(b)) {
                    // None of the grams has it, whichever way: so what follows may as well be read for itself.
                    b = NONE;
                } else if (b != NONE) {
                    length = Spelling.length(spelling);
                }
            }
            read[count++] = b;
            at += length;
        }
        places[count] = at;
        Arrays.fill(read, count, count + Long.BYTES, NONE);
        return count;
    }

    private void lookWithin(byte[] bytes, int index, Grams.Found found) {
        int from = places[index] + 1;
        int end = places[index + 1];
        long key = 0;
        int length = grams.length();
        for (int i = 0; i < end - from + length - 1; i++) {
            byte b = from + i < end ? bytes[from + i] : read[index + 1 + i - (end - from)];
            key = grams.shifted(key, b);
            if (i >= length - 1 && grams.has(key)) {
                grams.each(key, from + i - length + 1, found);
            }
        }
    }
}

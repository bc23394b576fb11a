package io.sallyport.credential;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import java.util.Arrays;

/**
 * Runs of up to eight characters that stand in shapes, to be asked for by the eight bytes at some place of content. Letters are told apart
 * without their case, so that one look serves both cases of hexadecimal; a closer look is for whoever asked.
 *
 * <p>A look costs the same whatever the bytes are, as long as fewer than all of them are right: what is hit by chance is decided by a
 * number that each process draws for itself.
 */
final class Grams {

    /** The most characters in one. */
    static final int LONGEST = Long.BYTES;

    /** Is told what is found. */
    interface Found {
        /** @param what the gram is known by @param at where its first byte stands */
        void found(int what, int at);
    }

    private static final VarHandle EIGHT = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long CASES = 0x2020202020202020L;
    private static final long MULTIPLIER = new SecureRandom().nextLong() | 1;

    /** So few of the bits are set that chance seldom hits one. */
    private static final int BITS_FOR_EACH = 64;

    private static final int END = -1;

    private final int length;
    private final long mask;
    private long[] keys = new long[64];
    private int[] places = new int[64];
    private int[] next = new int[64];
    private int count;
    private int shift;
    private long[] bits = {};
    private int[] heads = {};

    /** @param length characters in each, 1 to {@link #LONGEST} */
    Grams(int length) {
        this.length = length;
        this.mask = -1L >>> Long.SIZE - Byte.SIZE * length;
    }

    int length() {
        return length;
    }

    /**
     * Those that begin at some places of a shape that follow one upon another, in every way in which they may read.
     *
     * @param what what the first is known by where it is found; the others by what follows
     */
    void add(Shape shape, int from, int places, int what) {
        byte[][] characters = new byte[places + length - 1][];
        for (int i = 0; i < characters.length; i++) {
            characters[i] = shape.characters(from + i);
        }
        for (int i = 0; i < places; i++) {
            add(characters, i, 0, 0, what + i);
        }
    }

    private void add(byte[][] characters, int from, int done, long key, int what) {
        if (done == length) {
            add(key, what);
            return;
        }
        long before = -1;
        for (byte c : characters[from + done]) {
            long folded = (c | 0x20L) << Byte.SIZE * done;
            // The two cases of a letter of hexadecimal are one.
            if (folded != before) {
                add(characters, from, done + 1, key | folded, what);
            }
            before = folded;
        }
    }

    private void add(long key, int what) {
        if (count == keys.length) {
            keys = Arrays.copyOf(keys, 2 * count);
            places = Arrays.copyOf(places, 2 * count);
            next = Arrays.copyOf(next, 2 * count);
        }
        keys[count] = key;
        places[count++] = what;
    }

    /** To be called when all are added, before the first is asked for. */
    Grams ready() {
        int log = Long.SIZE - Long.numberOfLeadingZeros((long) count * BITS_FOR_EACH);
        shift = Long.SIZE - Math.max(log, 6);
        bits = new long[1 << Long.SIZE - shift - 6];
        heads = new int[bits.length];
        Arrays.fill(heads, END);
        for (int i = 0; i < count; i++) {
            int bit = bit(keys[i]);
            bits[bit >>> 6] |= 1L << bit;
            next[i] = heads[bit >>> 6];
            heads[bit >>> 6] = i;
        }
        return this;
    }

    /** What the bytes there read, for {@link #has}; eight of them must be there, although fewer may count. */
    long at(byte[] bytes, int at) {
        return ((long) EIGHT.get(bytes, at) | CASES) & mask;
    }

    /** The same, where fewer than eight bytes are left, and at least as many as count. */
    long atEnd(byte[] bytes, int at) {
        long key = 0;
        for (int i = 0; i < length; i++) {
            key |= (bytes[at + i] & 0xffL) << Byte.SIZE * i;
        }
        return (key | CASES) & mask;
    }

    /** What {@link #at} would give one byte further on, when that byte is the last of those that count. */
    long shifted(long key, byte last) {
        return key >>> Byte.SIZE | (last & 0xffL | 0x20L) << Byte.SIZE * (length - 1);
    }

    /** The same one byte further back, when that byte is the first. */
    long shiftedBack(long key, byte first) {
        return (key << Byte.SIZE | first & 0xffL | 0x20L) & mask;
    }

    /** Whether it may be one of these: nearly always false when it is not. */
    boolean has(long key) {
        int bit = bit(key);
        return (bits[bit >>> 6] >>> bit & 1) != 0;
    }

    /** Tells of each that reads so. @param at passed on */
    void each(long key, int at, Found found) {
        for (int i = heads[bit(key) >>> 6]; i != END; i = next[i]) {
            if (keys[i] == key) {
                found.found(places[i], at);
            }
        }
    }

    private int bit(long key) {
        return (int) (key * MULTIPLIER >>> shift);
    }
}

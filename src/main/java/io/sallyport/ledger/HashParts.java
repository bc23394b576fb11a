package io.sallyport.ledger;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import java.util.Arrays;

/** The parts of a run in which hashes occur, by their first eight bytes. Reused from run to run, so that appending allocates nothing. */
final class HashParts {

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    /** Agents choose their content, and with it the hash: without a secret they could choose where all of it goes. */
    private final long multiplier = new SecureRandom().nextLong() | 1;

    private final long[] keys;

    /** Of the key at the same place; 0 where there is none. */
    private final long[] parts;

    private int size;

    /** @param most how many hashes are ever put in */
    HashParts(int most) {
        keys = new long[4 * Integer.highestOneBit(most)];
        parts = new long[keys.length];
    }

    /** The first eight bytes of a hash. */
    static long key(byte[] hash) {
        return (long) LONG.get(hash, 0);
    }

    static byte[] bytes(long key) {
        return ByteBuffer.allocate(Long.BYTES).putLong(key).array();
    }

    void put(long key, long part) {
        int at = find(key);
        if (parts[at] == 0) {
            keys[at] = key;
            size++;
        }
        parts[at] |= part;
    }

    /** 0 for a key that is not there. */
    long parts(long key) {
        return parts[find(key)];
    }

    private int find(long key) {
        int at = (int) (key * multiplier >>> 40) & keys.length - 1;
        while (parts[at] != 0 && keys[at] != key) {
            at = at + 1 & keys.length - 1;
        }
        return at;
    }

    int size() {
        return size;
    }

    /** As their bytes sort. */
    long[] sorted() {
        long[] found = new long[size];
        int count = 0;
        for (int at = 0; at < keys.length; at++) {
            if (parts[at] != 0) {
                // With the sign turned, signed order is that of the bytes.
                found[count++] = keys[at] ^ Long.MIN_VALUE;
            }
        }
        Arrays.sort(found);
        for (int i = 0; i < count; i++) {
            found[i] ^= Long.MIN_VALUE;
        }
        return found;
    }

    void clear() {
        Arrays.fill(parts, 0);
        size = 0;
    }
}

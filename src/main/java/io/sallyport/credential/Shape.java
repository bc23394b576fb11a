package io.sallyport.credential;

/**
 * One form of a secret: for each place, which ASCII characters may stand there. Raw text has one character in each; hexadecimal has two
 * cases; base64 has two alphabets, and at its ends characters of which a neighbour decides some bits.
 */
final class Shape {

    private static final String HEX = "0123456789abcdef";
    private static final String BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    private final long[] low;
    private final long[] high;

    private Shape(int length) {
        low = new long[length];
        high = new long[length];
    }

    /** The bytes themselves; a form encoder writes a space as {@code +}. */
    static Shape raw(byte[] secret) {
        Shape shape = new Shape(secret.length);
        for (int i = 0; i < secret.length; i++) {
            shape.allow(i, (char) secret[i]);
            if (secret[i] == ' ') {
                shape.allow(i, '+');
            }
        }
        return shape;
    }

    static Shape hex(byte[] secret) {
        Shape shape = new Shape(2 * secret.length);
        for (int i = 0; i < secret.length; i++) {
            for (int half = 0; half < 2; half++) {
                char digit = HEX.charAt(secret[i] >> (half == 0 ? 4 : 0) & 0xf);
                shape.allow(2 * i + half, digit);
                shape.allow(2 * i + half, Character.toUpperCase(digit));
            }
        }
        return shape;
    }

    /**
     * As it stands in the base64 (RFC 4648 sections 4 and 5) of something longer.
     *
     * @param offset how many bytes stand before it, modulo 3
     */
    static Shape base64(byte[] secret, int offset) {
        int from = 8 * offset;
        int until = from + 8 * secret.length;
        int first = from / 6;
        int last = (until - 1) / 6;
        Shape shape = new Shape(last - first + 1);
        for (int digit = first; digit <= last; digit++) {
            shape.allowDigit(digit - first, known(secret, 6 * digit - from));
        }
        return shape;
    }

    /** The six bits from {@code bit} on, and above them a mask of those that the secret decides; the others are its neighbours'. */
    private static int known(byte[] secret, int bit) {
        int value = 0;
        int mask = 0;
        for (int i = bit; i < bit + 6; i++) {
            boolean inside = i >= 0 && i < 8 * secret.length;
            mask = mask << 1 | (inside ? 1 : 0);
            value = value << 1 | (inside ? secret[i >> 3] >> (7 - (i & 7)) & 1 : 0);
        }
        return mask << 6 | value;
    }

    private void allowDigit(int place, int known) {
        int mask = known >> 6;
        for (int digit = 0; digit < 64; digit++) {
            if ((digit & mask) == (known & 0x3f)) {
                allow(place, BASE64.charAt(digit));
                if (digit >= 62) {
                    allow(place, digit == 62 ? '-' : '_');
                }
            }
        }
    }

    private void allow(int place, char c) {
        if (c < 64) {
            low[place] |= 1L << c;
        } else {
            high[place] |= 1L << c;
        }
    }

    int length() {
        return low.length;
    }

    boolean admits(int place, int c) {
        return c >= 0 && c < 128 && ((c < 64 ? low[place] : high[place]) >>> c & 1) != 0;
    }

    /** Whether hardly more than one character may stand there: the two cases of one letter, or two in its place, as of both alphabets. */
    boolean definite(int place) {
        return Long.bitCount(low[place]) + Long.bitCount(high[place]) <= 2;
    }

    /** Whether a character may stand there that begins spellings as well. */
    boolean begins(int place) {
        for (byte b : Spelling.BEGINNINGS) {
            if (admits(place, b)) {
                return true;
            }
        }
        return false;
    }

    /** The characters that may stand in that place, in their order. */
    byte[] characters(int place) {
        byte[] all = new byte[Long.bitCount(low[place]) + Long.bitCount(high[place])];
        int count = 0;
        for (long left = low[place]; left != 0; left &= left - 1) {
            all[count++] = (byte) Long.numberOfTrailingZeros(left);
        }
        for (long left = high[place]; left != 0; left &= left - 1) {
            all[count++] = (byte) (Long.SIZE + Long.numberOfTrailingZeros(left));
        }
        return all;
    }
}

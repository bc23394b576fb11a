package io.sallyport.credential;

/**
 * How much of what has come has to wait for the next bytes: the printable characters at its end, and of these no more than the longest
 * match can have before its last byte. It is asked of the class of a byte alone: printable, as all bytes of all forms of all secrets are, or
 * the beginning of an escape. So whoever watches what is held back learns how long the secret is, and nothing else of it.
 */
final class Tail {

    private final int longest;

    /** @param longest places of the longest shape */
    Tail(int longest) {
        this.longest = longest;
    }

    /**
     * No match that more bytes could complete or lengthen begins before it. Such a match has fewer places than its shape, each one byte, or
     * up to ten where an escape begins.
     *
     * @param spelledAt where the last byte stands that begins an escape; below {@code from} for none
     * @return where the tail begins; {@code limit} for none
     */
    int from(byte[] bytes, int from, int limit, int spelledAt) {
        int most = Math.max(from, limit - (longest * Spelling.LONGEST - 1));
        boolean spelled = spelledAt >= most;
        int earliest = spelled ? most : Math.max(from, limit - (longest - 1));
        int tail = limit;
        int open = longest - 1;
        for (int at = limit - 1; at >= earliest && printable(bytes[at]); at--) {
            if (spelled && Spelling.begins(bytes[at])) {
                open += Spelling.LONGEST - 1;
            }
            if (limit - at <= open) {
                tail = at;
            }
        }
        return tail;
    }

    private static boolean printable(byte b) {
        return b >= ' ' && b <= '~';
    }
}

package io.sallyport.credential;

/**
 * How one ASCII character may be spelled by an encoder: {@code %2F}, {@code \}{@code u002f}, {@code \x2f}, {@code \/}, {@code &#47;},
 * {@code &#x2f;}, {@code &amp;}. Hex digits in either case. One character is read at a time, so that an encoder that escapes some
 * characters and leaves others is followed as well as one that escapes all.
 */
final class Spelling {

    /** Nothing is spelled here. */
    static final int NONE = 0;

    /** What is here may become a spelling with more bytes. */
    static final int INCOMPLETE = -1;

    private static final int LONGEST_REFERENCE = 10;
    private static final byte[][] ENTITIES = {
        bytes("&amp;"), bytes("&lt;"), bytes("&gt;"), bytes("&quot;"), bytes("&apos;")
    };
    private static final byte[] ENTITY_CHARACTERS = bytes("&<>\"'");

    /** All bytes that a spelling may be made of, but for the character itself after a backslash. */
    static final byte[] SYNTAX = bytes("%\\&#;uxX0123456789abcdefABCDEFampltgquos");

    /** The most bytes that one character takes. */
    static final int LONGEST = LONGEST_REFERENCE;

    /** What {@link #begins} is true of. */
    static final byte[] BEGINNINGS = bytes("%\\&");

    private Spelling() {}

    static boolean begins(byte first) {
        return first == '%' || first == '\\' || first == '&';
    }

    static char character(int spelling) {
        return (char) (spelling & 0xff);
    }

    static int length(int spelling) {
        return spelling >>> 8;
    }

    /** @return character and length of what is spelled at {@code at}, where a byte that {@link #begins} stands */
    static int read(byte[] bytes, int at, int limit) {
        return switch (bytes[at]) {
            case '%' -> hex(bytes, at, at + 1, 2, limit);
            case '\\' -> backslash(bytes, at, limit);
            case '&' -> reference(bytes, at, limit);
            default -> NONE;
        };
    }

    private static int backslash(byte[] bytes, int at, int limit) {
        if (at + 1 >= limit) {
            return INCOMPLETE;
        }
        byte next = bytes[at + 1];
        if (next == 'u') {
            return hex(bytes, at, at + 2, 4, limit);
        }
        if (next == 'x') {
            return hex(bytes, at, at + 2, 2, limit);
        }
        boolean punctuation = next > ' ' && next < 0x7f && !Character.isLetterOrDigit(next);
        return punctuation ? spelled(next, 2) : NONE;
    }

    private static int hex(byte[] bytes, int at, int from, int digits, int limit) {
        int value = 0;
        for (int i = from; i < from + digits; i++) {
            if (i >= limit) {
                return INCOMPLETE;
            }
            int digit = Character.digit(bytes[i], 16);
            if (digit < 0) {
                return NONE;
            }
            value = value << 4 | digit;
        }
        return spelled(value, from + digits - at);
    }

    private static int reference(byte[] bytes, int at, int limit) {
        if (at + 1 >= limit) {
            return INCOMPLETE;
        }
        return bytes[at + 1] == '#' ? numeric(bytes, at, limit) : named(bytes, at, limit);
    }

    private static int numeric(byte[] bytes, int at, int limit) {
        if (at + 2 >= limit) {
            return INCOMPLETE;
        }
        boolean hex = (bytes[at + 2] | 0x20) == 'x';
        int first = hex ? at + 3 : at + 2;
        int value = 0;
        for (int i = first; i < at + LONGEST_REFERENCE; i++) {
            if (i >= limit) {
                return INCOMPLETE;
            }
            if (bytes[i] == ';') {
                return i == first ? NONE : spelled(value, i + 1 - at);
            }
            int digit = Character.digit(bytes[i], hex ? 16 : 10);
            if (digit < 0) {
                return NONE;
            }
            value = value * (hex ? 16 : 10) + digit;
        }
        return NONE;
    }

    private static int named(byte[] bytes, int at, int limit) {
        for (int e = 0; e < ENTITIES.length; e++) {
            byte[] entity = ENTITIES[e];
            int i = 0;
            while (i < entity.length && at + i < limit && bytes[at + i] == entity[i]) {
                i++;
            }
            if (i == entity.length) {
                return spelled(ENTITY_CHARACTERS[e], i);
            }
            if (at + i == limit) {
                return INCOMPLETE;
            }
        }
        return NONE;
    }

    /** Secrets are printable ASCII: what spells anything else spells no part of one. */
    private static int spelled(int character, int length) {
        return character < ' ' || character > '~' ? NONE : length << 8 | character;
    }

    private static byte[] bytes(String ascii) {
        return ascii.getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    }
}

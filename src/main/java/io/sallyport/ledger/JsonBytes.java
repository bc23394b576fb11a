package io.sallyport.ledger;

import java.util.Arrays;

/** A growing buffer of UTF-8 that knows how RFC 8785 section 3.2.2.2 escapes a string. */
final class JsonBytes {

    private static final char[] HEX = "0123456789abcdef".toCharArray();

    /** ASCII that stands for itself in a string. */
    private static final boolean[] PLAIN = new boolean[0x80];

    static {
        Arrays.fill(PLAIN, 0x20, PLAIN.length, true);
        PLAIN['"'] = false;
        PLAIN['\\'] = false;
    }

    private byte[] bytes = new byte[2048];
    private int length;

    JsonBytes reset() {
        length = 0;
        return this;
    }

    JsonBytes raw(char ascii) {
        room(1);
        bytes[length++] = (byte) ascii;
        return this;
    }

    /** ASCII in which nothing is to be escaped. */
    @SuppressWarnings("deprecation") // for what is not ASCII; and nothing else copies without an array of its own
    JsonBytes literal(String ascii) {
        int end = ascii.length();
        room(end);
        ascii.getBytes(0, end, bytes, length);
        length += end;
        return this;
    }

    JsonBytes number(long value) {
        if (value < 0 || value > Integer.MAX_VALUE) {
            return literal(Long.toString(value));
        }
        room(10);
        int left = (int) value;
        int digits = 1;
        for (int power = left; power >= 10; power /= 10) {
            digits++;
        }
        for (int at = length + digits - 1; at >= length; at--) {
            bytes[at] = (byte) ('0' + left % 10);
            left /= 10;
        }
        length += digits;
        return this;
    }

    JsonBytes string(String text) {
        int end = text.length();
        room(Math.addExact(Math.multiplyExact(6, end), 2));
        bytes[length++] = '"';
        for (int i = plain(text); i < end; i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                ascii(c);
            } else if (!Character.isSurrogate(c)) {
                utf8(c);
            } else if (Character.isHighSurrogate(c) && i + 1 < end && Character.isLowSurrogate(text.charAt(i + 1))) {
                utf8(Character.toCodePoint(c, text.charAt(++i)));
            } else {
                // The RFC has no form for half a pair. Replacing it would let two different strings have one record.
                unicodeEscape(c);
            }
        }
        bytes[length++] = '"';
        return this;
    }

    /** Nearly every string is ASCII in which nothing is escaped. Writes as much as is so. @return the index of the first other character */
    private int plain(String text) {
        byte[] to = bytes;
        int from = length;
        int end = text.length();
        int i = 0;
        for (; i < end; i++) {
            char c = text.charAt(i);
            if (c >= PLAIN.length || !PLAIN[c]) {
                break;
            }
            to[from + i] = (byte) c;
        }
        length = from + i;
        return i;
    }

    private void ascii(char c) {
        if (c >= 0x20 && c != '"' && c != '\\') {
            bytes[length++] = (byte) c;
            return;
        }
        switch (c) {
            case '"', '\\' -> escape(c);
            case '\b' -> escape('b');
            case '\f' -> escape('f');
            case '\n' -> escape('n');
            case '\r' -> escape('r');
            case '\t' -> escape('t');
            default -> unicodeEscape(c);
        }
    }

    private void escape(char c) {
        bytes[length++] = '\\';
        bytes[length++] = (byte) c;
    }

    private void unicodeEscape(char c) {
        escape('u');
        for (int shift = 12; shift >= 0; shift -= 4) {
            bytes[length++] = (byte) HEX[(c >> shift) & 0xf];
        }
    }

    private void utf8(int codePoint) {
        if (codePoint < 0x800) {
            bytes[length++] = (byte) (0xc0 | codePoint >> 6);
        } else if (codePoint < 0x10000) {
            bytes[length++] = (byte) (0xe0 | codePoint >> 12);
            bytes[length++] = (byte) (0x80 | codePoint >> 6 & 0x3f);
        } else {
            bytes[length++] = (byte) (0xf0 | codePoint >> 18);
            bytes[length++] = (byte) (0x80 | codePoint >> 12 & 0x3f);
            bytes[length++] = (byte) (0x80 | codePoint >> 6 & 0x3f);
        }
        bytes[length++] = (byte) (0x80 | codePoint & 0x3f);
    }

    private void room(int more) {
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(length, more), Math.multiplyExact(bytes.length, 2)));
        }
    }

    byte[] toBytes() {
        return Arrays.copyOf(bytes, length);
    }
}

package io.sallyport.credential.injection;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** How a secret of printable ASCII is spelled in each place. What was encoded is the caller's to zero. */
final class Encodings {

    private static final String HEX = "0123456789ABCDEF";

    /** RFC 3986 section 2.3, besides letters and digits. */
    private static final String UNRESERVED = "-._~";

    /** RFC 3986 section 3.3, but for the semicolon: some servers cut a segment there. */
    private static final String OF_SEGMENT = UNRESERVED + "!$&'()*+,=:@";

    /** The WHATWG's URL standard, section 5.2. */
    private static final String OF_FORM = "*-._";

    private Encodings() {}

    /** A value in a query: whatever RFC 3986 reserves is escaped, a space as %20. */
    static byte[] query(byte[] value) {
        return percent(value, UNRESERVED, false);
    }

    /** What may stand in a segment of a path as it is does; slashes do not. */
    static byte[] segment(byte[] value) {
        return percent(value, OF_SEGMENT, false);
    }

    /** application/x-www-form-urlencoded: a space is a plus. */
    static byte[] form(byte[] value) {
        return percent(value, OF_FORM, true);
    }

    /** Escapes what no cookie may hold (RFC 6265 section 4.1.1), and the percent sign itself. */
    static byte[] cookie(byte[] value) {
        return percent(value, "!#$&'()*+-./:<=>?@[]^_`{|}~", false);
    }

    /** Whether a cookie can hold it as it is. */
    static boolean cookieOctets(byte[] value) {
        for (byte b : value) {
            if (b <= ' ' || b > '~' || b == '"' || b == ',' || b == ';' || b == '\\') {
                return false;
            }
        }
        return true;
    }

    /** A JSON string (RFC 8259 section 7), in its quotes. */
    static byte[] json(byte[] value) {
        byte[] room = new byte[2 * value.length + 2];
        int length = 0;
        room[length++] = '"';
        for (byte b : value) {
            if (b == '"' || b == '\\') {
                room[length++] = '\\';
            }
            room[length++] = b;
        }
        room[length++] = '"';
        byte[] encoded = Arrays.copyOf(room, length);
        Arrays.fill(room, (byte) 0);
        return encoded;
    }

    /** RFC 7617: the pair in base64. */
    static byte[] basic(byte[] user, byte[] password) {
        byte[] pair = pair(user, password);
        byte[] encoded = Base64.getEncoder().encode(pair);
        Arrays.fill(pair, (byte) 0);
        byte[] value = joined("Basic ", encoded, "");
        Arrays.fill(encoded, (byte) 0);
        return value;
    }

    static byte[] pair(byte[] user, byte[] password) {
        byte[] pair = Arrays.copyOf(user, user.length + 1 + password.length);
        pair[user.length] = ':';
        System.arraycopy(password, 0, pair, user.length + 1, password.length);
        return pair;
    }

    static byte[] joined(String before, byte[] middle, String after) {
        byte[] first = before.getBytes(StandardCharsets.ISO_8859_1);
        byte[] last = after.getBytes(StandardCharsets.ISO_8859_1);
        byte[] all = Arrays.copyOf(first, first.length + middle.length + last.length);
        System.arraycopy(middle, 0, all, first.length, middle.length);
        System.arraycopy(last, 0, all, first.length + middle.length, last.length);
        return all;
    }

    /** What escapes stand for; null where one is none. @param form whether a plus is a space */
    static @Nullable String decoded(String text, boolean form) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '%') {
                int high = i + 2 <= text.length() - 1 ? Character.digit(text.charAt(i + 1), 16) : -1;
                int low = i + 2 <= text.length() - 1 ? Character.digit(text.charAt(i + 2), 16) : -1;
                if (high < 0 || low < 0) {
                    return null;
                }
                bytes.write(high << 4 | low);
                i += 2;
            } else {
                bytes.write(form && c == '+' ? ' ' : c);
            }
        }
        return bytes.toString(StandardCharsets.ISO_8859_1);
    }

    private static byte[] percent(byte[] value, String asTheyAre, boolean plus) {
        byte[] room = new byte[3 * value.length];
        int length = 0;
        for (byte b : value) {
            char c = (char) (b & 0xff);
            boolean alphanumeric = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
            if (alphanumeric || asTheyAre.indexOf(c) >= 0) {
                room[length++] = b;
            } else if (plus && c == ' ') {
                room[length++] = '+';
            } else {
                room[length++] = '%';
                room[length++] = (byte) HEX.charAt(c >> 4);
                room[length++] = (byte) HEX.charAt(c & 15);
            }
        }
        byte[] encoded = Arrays.copyOf(room, length);
        Arrays.fill(room, (byte) 0);
        return encoded;
    }
}

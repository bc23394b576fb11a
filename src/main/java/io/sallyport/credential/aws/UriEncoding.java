package io.sallyport.credential.aws;

import java.nio.charset.StandardCharsets;

/** Percent-encoding as AWS canonicalises with it: unreserved characters as they are (RFC 3986 section 2.3), all else as {@code %XX}. */
final class UriEncoding {

    private static final String HEX = "0123456789ABCDEF";

    private UriEncoding() {}

    /** Everything but unreserved characters, percent signs too. */
    static String encode(String plain) {
        return encode(plain, false, false);
    }

    /** The same, slashes kept. */
    static String encodePath(String plain) {
        return encode(plain, true, false);
    }

    /** What is escaped already stays so; the rest is escaped where it has to be. */
    static String complete(String escaped, boolean keepSlashes) {
        return encode(escaped, keepSlashes, true);
    }

    private static String encode(String text, boolean keepSlashes, boolean keepEscapes) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        StringBuilder out = new StringBuilder(bytes.length + 16);
        for (int i = 0; i < bytes.length; i++) {
            int octet = bytes[i] & 0xff;
            if (keepEscapes && octet == '%' && i + 2 < bytes.length && escape(bytes, i) >= 0) {
                octet = escape(bytes, i);
                i += 2;
                append(out, octet, false);
            } else {
                append(out, octet, keepSlashes);
            }
        }
        return out.toString();
    }

    private static void append(StringBuilder out, int octet, boolean keepSlashes) {
        if (unreserved(octet) || (keepSlashes && octet == '/')) {
            out.append((char) octet);
        } else {
            out.append('%').append(HEX.charAt(octet >> 4)).append(HEX.charAt(octet & 15));
        }
    }

    private static int escape(byte[] bytes, int percent) {
        int high = Character.digit(bytes[percent + 1], 16);
        int low = Character.digit(bytes[percent + 2], 16);
        return high < 0 || low < 0 ? -1 : high << 4 | low;
    }

    private static boolean unreserved(int c) {
        return (c >= 'A' && c <= 'Z')
                || (c >= 'a' && c <= 'z')
                || (c >= '0' && c <= '9')
                || c == '-'
                || c == '.'
                || c == '_'
                || c == '~';
    }
}

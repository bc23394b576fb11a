package io.sallyport.http;

/** What a character is, by tables instead of locales. */
final class Ascii {

    private static final boolean[] TOKEN = new boolean[128];
    private static final boolean[] UNRESERVED = new boolean[128];

    static {
        for (char c = '0'; c <= 'z'; c++) {
            boolean alphanumeric = c <= '9' || (c >= 'A' && c <= 'Z') || c >= 'a';
            TOKEN[c] = alphanumeric;
            UNRESERVED[c] = alphanumeric;
        }
        for (char c : "!#$%&'*+-.^_`|~".toCharArray()) {
            TOKEN[c] = true;
        }
        for (char c : "-._~".toCharArray()) {
            UNRESERVED[c] = true;
        }
    }

    private Ascii() {}

    /** RFC 9110 section 5.6.2. */
    static boolean token(int c) {
        return c >= 0 && c < 128 && TOKEN[c];
    }

    static boolean token(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!token(text.charAt(i))) {
                return false;
            }
        }
        return !text.isEmpty();
    }

    /** RFC 3986 section 2.3. */
    static boolean unreserved(int c) {
        return c >= 0 && c < 128 && UNRESERVED[c];
    }

    static int lower(int c) {
        return c >= 'A' && c <= 'Z' ? c + 32 : c;
    }

    /** 0 to 15, or -1. */
    static int hex(int c) {
        if (c >= '0' && c <= '9') {
            return c - '0';
        }
        int low = lower(c);
        return low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
    }

    /** The octet that two hex digits at an index stand for, or -1. */
    static int octet(String text, int at) {
        if (at + 2 > text.length()) {
            return -1;
        }
        int high = hex(text.charAt(at));
        int low = hex(text.charAt(at + 1));
        return high < 0 || low < 0 ? -1 : high << 4 | low;
    }

    /** A decimal number without sign, leading zeros or white space; -1 for anything else and for more than {@code max}. */
    static int number(String text, int from, int to, int max) {
        if (from >= to || (text.charAt(from) == '0' && to - from > 1)) {
            return -1;
        }
        long value = 0;
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return -1;
            }
            value = value * 10 + (c - '0');
            if (value > max) {
                return -1;
            }
        }
        return (int) value;
    }

    /** Whether all of it is visible: no space, no control character, nothing beyond ASCII. */
    static boolean printable(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) <= ' ' || text.charAt(i) > '~') {
                return false;
            }
        }
        return true;
    }
}

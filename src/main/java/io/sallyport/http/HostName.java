package io.sallyport.http;

import java.net.IDN;

/**
 * The one canonical form of a host: A-labels, lower case, one trailing dot off, IP literals in one spelling. Non-ASCII names go
 * through the JDK's IDNA (RFC 3490, close to UTS 46 without the characters whose meaning changed between the two, which are refused):
 * who needs a newer letter writes the A-label.
 */
public final class HostName {

    private static final int MAX_NAME = 253;
    private static final int MAX_LABEL = 63;

    private HostName() {}

    /**
     * @param raw as in a CONNECT target, a Host field or a document; an IPv6 literal with or without brackets
     * @return malformed for empty or over-long labels (63) and names (253), percent escapes, white space, and numeric spellings of
     *     IPv4 addresses other than four decimal octets
     */
    public static Parsed<String> canonical(String raw) {
        if (raw.isEmpty()) {
            return Parsed.malformed("the host is empty");
        }
        if (raw.charAt(0) == '[' || raw.indexOf(':') >= 0) {
            return ipv6(raw);
        }
        for (int i = 0; i < raw.length(); i++) {
            if (raw.charAt(i) > 126) {
                return international(raw);
            }
        }
        return ascii(raw);
    }

    private static Parsed<String> ipv6(String raw) {
        boolean opened = raw.charAt(0) == '[';
        boolean closed = raw.charAt(raw.length() - 1) == ']';
        String inner = opened && closed ? raw.substring(1, raw.length() - 1) : raw;
        if (opened != closed || inner.indexOf(':') < 0) {
            return Parsed.malformed("the host is not a well-formed IPv6 literal");
        }
        return IpLiteral.parse(inner).then(literal -> Parsed.valid(literal.toString()));
    }

    /**
     * Sharp s, final sigma and the joiners name one host in IDNA 2003 and another in IDNA 2008. Guessing would send a credential to
     * somebody else, so they must be written out.
     */
    private static Parsed<String> international(String raw) {
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c == 'ß' || c == 'ẞ' || c == 'ς' || c == '\u200c' || c == '\u200d') {
                return Parsed.malformed(
                        "the host has a letter that resolvers read in two ways; write the A-label (xn--…)");
            }
        }
        try {
            // The result is checked like any other name: compatibility mapping can make a slash or a percent sign out
            // of one letter.
            return ascii(IDN.toASCII(raw));
        } catch (IllegalArgumentException e) {
            return Parsed.malformed("the host is not a valid international name; write the A-label (xn--…)");
        }
    }

    private static Parsed<String> ascii(String raw) {
        int end = raw.endsWith(".") ? raw.length() - 1 : raw.length();
        if (end == 0 || end > MAX_NAME) {
            return Parsed.malformed("the host is empty or longer than " + MAX_NAME + " characters");
        }
        boolean upper = false;
        int labelStart = 0;
        for (int i = 0; i <= end; i++) {
            char c = i == end ? '.' : raw.charAt(i);
            if (c != '.') {
                if (!letterDigitHyphen(c)) {
                    return Parsed.malformed(
                            "the host has a character that no name has; letters, digits, '-', '_' and '.' are allowed");
                }
                upper |= c >= 'A' && c <= 'Z';
            } else if (!label(raw, labelStart, i)) {
                return Parsed.malformed(
                        "the host has an empty label, one longer than " + MAX_LABEL + ", or one with '-' at an end");
            } else {
                labelStart = i + 1;
            }
        }
        String name = end == raw.length() ? raw : raw.substring(0, end);
        return numericEnd(name) ? ipv4(name) : Parsed.valid(upper ? lower(name) : name);
    }

    private static boolean letterDigitHyphen(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    }

    private static boolean label(String raw, int from, int to) {
        return to > from && to - from <= MAX_LABEL && raw.charAt(from) != '-' && raw.charAt(to - 1) != '-';
    }

    /**
     * Whether somebody's resolver would read the name as a number: its last label is digits, or hexadecimal. {@code 127.1},
     * {@code 2130706433} and {@code 0x7f.1} are loopback to inet_aton.
     */
    private static boolean numericEnd(String name) {
        int from = name.lastIndexOf('.') + 1;
        boolean hex = name.startsWith("0x", from) || name.startsWith("0X", from);
        for (int i = hex ? from + 2 : from; i < name.length(); i++) {
            char c = name.charAt(i);
            if (hex ? Ascii.hex(c) < 0 : c < '0' || c > '9') {
                return false;
            }
        }
        return true;
    }

    private static Parsed<String> ipv4(String name) {
        return switch (IpLiteral.parse(name)) {
            case Parsed.Valid<IpLiteral>(IpLiteral literal) -> Parsed.valid(literal.toString());
            case Parsed.Malformed<IpLiteral> _ ->
                Parsed.malformed(
                        "an IPv4 address is four decimal octets without leading zeros; other spellings are not allowed");
        };
    }

    private static String lower(String name) {
        StringBuilder text = new StringBuilder(name.length());
        for (int i = 0; i < name.length(); i++) {
            text.append((char) Ascii.lower(name.charAt(i)));
        }
        return text.toString();
    }
}

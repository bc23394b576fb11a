package io.sallyport.http;

import java.util.Optional;

/** What a field line may look like on the wire (RFC 9110 section 5, RFC 9112 section 5): the one check that every listener makes. */
public final class FieldSyntax {

    /** Lines of one head; more is a 431. */
    public static final int MAX_LINES = 128;

    private FieldSyntax() {}

    /** A line without its line end. Folded lines and white space before the colon are malformed: parsers differ on both. */
    public static Parsed<Field> parseLine(String line) {
        if (line.startsWith(" ") || line.startsWith("\t")) {
            return Parsed.malformed("a field line is folded");
        }
        int colon = line.indexOf(':');
        if (colon < 0) {
            return Parsed.malformed("a field line has no colon");
        }
        Field field = new Field(line.substring(0, colon), trimmed(line, colon + 1));
        return problem(field).<Parsed<Field>>map(Parsed::malformed).orElseGet(() -> Parsed.valid(field));
    }

    /** Why a line can't be forwarded; empty where it can. Never quotes a value. */
    public static Optional<String> problem(Field field) {
        String name = field.name();
        if (!Ascii.token(name)) {
            return Optional.of("a field name has a character that is not allowed in it");
        }
        if (name.indexOf('_') >= 0 && meansFraming(name)) {
            return Optional.of("a field name spells one that delimits or routes the message with '_'");
        }
        String value = field.value();
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if ((c < ' ' && c != '\t') || c == 127 || c > 255) {
                return Optional.of("the value of " + name + " has a control character");
            }
        }
        return Optional.empty();
    }

    /** The first problem of a head's fields, their number included; empty for none. */
    public static Optional<String> problem(Fields fields) {
        if (fields.size() > MAX_LINES) {
            return Optional.of("there are more than " + MAX_LINES + " field lines");
        }
        for (Field line : fields) {
            Optional<String> problem = problem(line);
            if (problem.isPresent()) {
                return problem;
            }
        }
        return Optional.empty();
    }

    /** A method, or a field name: RFC 9110 section 5.6.2. */
    public static boolean isToken(String text) {
        return Ascii.token(text);
    }

    /** Gateways that speak CGI read {@code Content_Length} as Content-Length; what we did not judge by it must not go there. */
    private static boolean meansFraming(String name) {
        String dashed = name.replace('_', '-');
        return dashed.equalsIgnoreCase("Content-Length")
                || dashed.equalsIgnoreCase("Transfer-Encoding")
                || dashed.equalsIgnoreCase("Proxy-Authorization")
                || dashed.equalsIgnoreCase("Proxy-Connection");
    }

    private static String trimmed(String line, int from) {
        int start = from;
        int end = line.length();
        while (start < end && space(line.charAt(start))) {
            start++;
        }
        while (end > start && space(line.charAt(end - 1))) {
            end--;
        }
        return line.substring(start, end);
    }

    private static boolean space(char c) {
        return c == ' ' || c == '\t';
    }
}

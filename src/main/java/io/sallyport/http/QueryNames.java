package io.sallyport.http;

/**
 * Walks the parameters of a query. {@code &} and {@code ;} both divide, since origins differ; a name ends before {@code =} and, as some
 * read arrays, before {@code [}.
 */
final class QueryNames {

    private final String query;
    private int start;
    private int end = -1;

    QueryNames(String query) {
        this.query = query;
    }

    /** Goes to the next parameter; false after the last. */
    boolean advance() {
        if (end >= query.length()) {
            return false;
        }
        start = end + 1;
        end = start;
        while (end < query.length() && !divides(query.charAt(end))) {
            end++;
        }
        return true;
    }

    static boolean divides(char c) {
        return c == '&' || c == ';';
    }

    int start() {
        return start;
    }

    int end() {
        return end;
    }

    /** True where only {@code ;} divides the parameter from a neighbour. */
    boolean besideSemicolon() {
        return (start > 0 && query.charAt(start - 1) == ';') || (end < query.length() && query.charAt(end) == ';');
    }

    /** Where the whole name ends. */
    int nameEnd() {
        int equals = query.indexOf('=', start);
        return equals < 0 || equals > end ? end : equals;
    }

    /** The name in its most decoded reading, without an array's brackets and without blanks at its ends, as PHP reads it. */
    String plainName() {
        int to = nameEnd();
        String name = PathReadings.decoded(query.substring(start, to));
        if (name.indexOf('%') >= 0 || name.indexOf('+') >= 0) {
            name = name.replace("%20", " ").replace('+', ' ').strip();
        }
        int bracket = name.indexOf('[');
        return bracket < 0 ? name : name.substring(0, bracket);
    }
}

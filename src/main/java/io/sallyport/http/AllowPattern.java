package io.sallyport.http;

/** A line of {@code allow} or {@code never}: {@code METHOD[,METHOD] PATH}. */
public final class AllowPattern {

    private final String text;

    private AllowPattern(String text) {
        this.text = text;
    }

    /** As written in {@code allow}: {@code **} only as the last segment. */
    public static Parsed<AllowPattern> parseAllow(String text) {
        throw new IllegalStateException("to be written: " + text);
    }

    /** As written in {@code never}: {@code **} may stand anywhere. */
    public static Parsed<AllowPattern> parseNever(String text) {
        throw new IllegalStateException("to be written: " + text);
    }

    @Override
    public String toString() {
        return text;
    }
}

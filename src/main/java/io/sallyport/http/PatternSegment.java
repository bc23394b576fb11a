package io.sallyport.http;

/** One step of a path pattern. The declaration order is the order of precision: the earlier kind is the narrower one. */
public sealed interface PatternSegment {

    /** Exactly this segment, in canonical form. */
    record Literal(String text) implements PatternSegment {}

    /** {@code pre*fix}: at least one character stands for the star. At least one of the two is not empty. */
    record Partial(String prefix, String suffix) implements PatternSegment {}

    /** {@code *}: one segment of at least one character. */
    record Any() implements PatternSegment {}

    /** {@code **}: last, one segment or more, the first of which may be empty; elsewhere any number, none included. */
    record Rest() implements PatternSegment {}

    /** 0 for the narrowest kind to 3 for the widest. */
    default int rank() {
        return switch (this) {
            case Literal _ -> 0;
            case Partial _ -> 1;
            case Any _ -> 2;
            case Rest _ -> 3;
        };
    }

    /** Whether it matches {@code path[from, to)}, a segment without its slashes. */
    default boolean matches(String path, int from, int to, boolean foldCase) {
        int length = to - from;
        return switch (this) {
            case Literal(String text) -> length == text.length() && path.regionMatches(foldCase, from, text, 0, length);
            case Partial(String prefix, String suffix) ->
                length > prefix.length() + suffix.length()
                        && path.regionMatches(foldCase, from, prefix, 0, prefix.length())
                        && path.regionMatches(foldCase, to - suffix.length(), suffix, 0, suffix.length());
            case Any _ -> length > 0;
            case Rest _ -> true;
        };
    }
}

package io.sallyport.http;

import java.util.ArrayList;
import java.util.List;

/**
 * The parameters of a query, or of a form's content, which is written alike (application/x-www-form-urlencoded). They are found by name in
 * every spelling that {@link CredentialSlots} knows, and nothing is decoded but names.
 */
public final class Parameters {

    /**
     * One parameter.
     *
     * @param start where its name begins
     * @param valueStart where its value begins; {@code end} where it has none
     * @param end after its value
     */
    public record Place(int start, int valueStart, int end) {

        public String value(String text) {
            return text.substring(valueStart, end);
        }
    }

    private Parameters() {}

    /** Every parameter of that name in any spelling, in order. */
    public static List<Place> named(String text, String name) {
        List<Place> found = new ArrayList<>();
        QueryNames names = new QueryNames(text);
        while (names.advance()) {
            String plain = names.plainName();
            if (FoldedNames.same(name, plain, 0, plain.length())) {
                found.add(new Place(names.start(), Math.min(names.nameEnd() + 1, names.end()), names.end()));
            }
        }
        return found;
    }

    /** What is left without every parameter of that name in any spelling; empty where nothing is. */
    public static String without(String text, String name) {
        StringBuilder kept = new StringBuilder(text.length());
        int from = 0;
        for (Place place : named(text, name)) {
            kept.append(text, from, place.start());
            // The divider behind it goes with it.
            from = Math.min(place.end() + 1, text.length());
        }
        if (from == 0) {
            return text;
        }
        kept.append(text, from, text.length());
        int end = kept.length();
        while (end > 0 && QueryNames.divides(kept.charAt(end - 1))) {
            end--;
        }
        return kept.substring(0, end);
    }
}

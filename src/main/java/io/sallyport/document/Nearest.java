package io.sallyport.document;

import java.util.Collection;

/** Finds what somebody probably meant to write. */
final class Nearest {

    private Nearest() {}

    /** {@code (did you mean X?)} with a leading blank, or nothing when nothing is near. */
    static String hint(String written, Collection<String> allowed) {
        String nearest = "";
        int least = Math.min(2, Math.max(1, written.length() / 3)) + 1;
        for (String candidate : allowed) {
            int distance = distance(written.toLowerCase(java.util.Locale.ROOT).replace('_', '-'), candidate);
            if (distance < least) {
                least = distance;
                nearest = candidate;
            }
        }
        return nearest.isEmpty() ? "" : " (did you mean " + nearest + "?)";
    }

    /** Levenshtein's: how many characters to put in, leave out or change. */
    private static int distance(String left, String right) {
        int[] row = new int[right.length() + 1];
        for (int j = 0; j <= right.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= left.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= right.length(); j++) {
                int changed = diagonal + (left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(changed, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[right.length()];
    }
}

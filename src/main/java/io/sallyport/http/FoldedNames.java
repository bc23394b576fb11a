package io.sallyport.http;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A set of names that is asked in any spelling: case, {@code -}, {@code _}, {@code .} and blanks do not count, as they do not for
 * gateways that turn fields and parameters into variables. Asking allocates nothing.
 */
final class FoldedNames {

    private final @Nullable String[] table;
    private final List<String> endings;

    private FoldedNames(@Nullable String[] table, List<String> endings) {
        this.table = table;
        this.endings = endings;
    }

    static FoldedNames of(Collection<String> names) {
        return of(names, List.of());
    }

    /** @param endings folded already; a name that ends in one is in the set */
    static FoldedNames of(Collection<String> names, List<String> endings) {
        @Nullable String[] table = new String[Math.max(4, Integer.highestOneBit(names.size()) * 4)];
        for (String name : names) {
            int slot = hash(name, 0, name.length()) & table.length - 1;
            while (table[slot] != null) {
                slot = slot + 1 & table.length - 1;
            }
            table[slot] = name;
        }
        return new FoldedNames(table, List.copyOf(endings));
    }

    @Nullable
    String find(String name) {
        return find(name, 0, name.length());
    }

    /** The name as it was put in (an ending: with a leading {@code …}), or null. */
    @Nullable
    String find(String text, int from, int to) {
        int slot = hash(text, from, to) & table.length - 1;
        for (String known = table[slot]; known != null; known = table[slot]) {
            if (same(known, text, from, to)) {
                return known;
            }
            slot = slot + 1 & table.length - 1;
        }
        for (String ending : endings) {
            if (endsWith(text, from, to, ending)) {
                return "…" + ending;
            }
        }
        return null;
    }

    /** Whether two spellings are one name. */
    static boolean same(String known, String text, int from, int to) {
        int i = 0;
        int j = from;
        while (true) {
            while (i < known.length() && ignored(known.charAt(i))) {
                i++;
            }
            while (j < to && ignored(text.charAt(j))) {
                j++;
            }
            if (i == known.length() || j == to) {
                return i == known.length() && j == to;
            }
            if (Ascii.lower(known.charAt(i++)) != Ascii.lower(text.charAt(j++))) {
                return false;
            }
        }
    }

    static boolean isIn(Collection<String> names, String text, int from, int to) {
        for (String name : names) {
            if (same(name, text, from, to)) {
                return true;
            }
        }
        return false;
    }

    /** @param ending folded already */
    static boolean endsIn(String text, String ending) {
        return endsWith(text, 0, text.length(), ending);
    }

    private static boolean endsWith(String text, int from, int to, String ending) {
        int i = ending.length() - 1;
        for (int j = to - 1; j >= from && i >= 0; j--) {
            char c = text.charAt(j);
            if (!ignored(c) && Ascii.lower(c) != ending.charAt(i--)) {
                return false;
            }
        }
        return i < 0;
    }

    private static int hash(String text, int from, int to) {
        int hash = 0;
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if (!ignored(c)) {
                hash = 31 * hash + Ascii.lower(c);
            }
        }
        return hash ^ hash >>> 16;
    }

    private static boolean ignored(char c) {
        return c == '-' || c == '_' || c == '.' || c == ' ' || c == '+';
    }

    @Override
    public String toString() {
        return Arrays.toString(table) + endings;
    }
}

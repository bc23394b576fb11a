package io.sallyport.ledger;

import java.util.Arrays;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * One flat JSON object in the form of RFC 8785: members sorted, no white space, the shortest escapes. Members are put in any order; absent
 * is written as no member. Written by hand because it stands on the path of every request, before its first byte leaves; reused from entry
 * to entry, for one thread.
 */
final class CanonicalObject {

    private static final int MOST_MEMBERS = 40;

    private final String[] names = new String[MOST_MEMBERS];
    private final Object[] values = new Object[MOST_MEMBERS];
    private int size;
    private final JsonBytes out = new JsonBytes();

    CanonicalObject clear() {
        Arrays.fill(values, 0, size, null);
        size = 0;
        return this;
    }

    CanonicalObject put(String name, @Nullable String value) {
        return value == null ? this : insert(name, value);
    }

    CanonicalObject put(String name, long value) {
        return insert(name, value);
    }

    CanonicalObject put(String name, boolean value) {
        return insert(name, value);
    }

    /** In the order given. */
    CanonicalObject put(String name, Collection<String> values) {
        return insert(name, values);
    }

    /** Kept sorted. Names are ASCII, so Java's order of strings is the RFC's order of UTF-16 code units. */
    private CanonicalObject insert(String name, Object value) {
        int at = size;
        while (at > 0 && names[at - 1].compareTo(name) >= 0) {
            if (names[at - 1].equals(name)) {
                throw new IllegalStateException("two members with the name " + name);
            }
            names[at] = names[at - 1];
            values[at] = values[at - 1];
            at--;
        }
        names[at] = name;
        values[at] = value;
        size++;
        return this;
    }

    /** The value of a text member; null when there is none. */
    @Nullable
    String text(String name) {
        return value(name) instanceof String text ? text : null;
    }

    /** The value of a number member; null when there is none. */
    @Nullable
    Long number(String name) {
        return value(name) instanceof Long number ? number : null;
    }

    private @Nullable Object value(String name) {
        for (int i = 0; i < size; i++) {
            if (names[i].equals(name)) {
                return values[i];
            }
        }
        return null;
    }

    byte[] bytes() {
        out.reset().raw('{');
        for (int i = 0; i < size; i++) {
            if (i > 0) {
                out.raw(',');
            }
            out.string(names[i]).raw(':');
            write(values[i]);
        }
        return out.raw('}').toBytes();
    }

    private void write(Object value) {
        switch (value) {
            case String text -> out.string(text);
            case Collection<?> list -> writeList(list);
            default -> out.literal(value.toString());
        }
    }

    private void writeList(Collection<?> list) {
        out.raw('[');
        boolean first = true;
        for (Object element : list) {
            if (!first) {
                out.raw(',');
            }
            out.string((String) element);
            first = false;
        }
        out.raw(']');
    }
}

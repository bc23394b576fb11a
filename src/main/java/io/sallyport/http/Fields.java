package io.sallyport.http;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Predicate;

/** The field lines of a head in their order, immutable; every change is a new value. */
public final class Fields implements Iterable<Field> {

    public static final Fields EMPTY = new Fields(List.of());

    private final List<Field> lines;

    /** @param lines that nobody else changes any more */
    private Fields(List<Field> lines) {
        this.lines = lines;
    }

    public static Fields of(List<Field> lines) {
        return new Fields(List.copyOf(lines));
    }

    /** Names and values in turn, for tests and constants. */
    public static Fields of(String... namesAndValues) {
        List<Field> lines = new ArrayList<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            lines.add(new Field(namesAndValues[i], namesAndValues[i + 1]));
        }
        return of(lines);
    }

    public Optional<String> first(String name) {
        for (Field line : lines) {
            if (line.is(name)) {
                return Optional.of(line.value());
            }
        }
        return Optional.empty();
    }

    public List<String> all(String name) {
        List<String> values = List.of();
        for (Field line : lines) {
            if (line.is(name)) {
                values = values.isEmpty() ? new ArrayList<>(2) : values;
                values.add(line.value());
            }
        }
        return values.isEmpty() ? values : Collections.unmodifiableList(values);
    }

    public boolean has(String name) {
        for (Field line : lines) {
            if (line.is(name)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a field that lists its values (RFC 9110 section 5.6.1) has that one among them; compared without regard to case. */
    public boolean lists(String name, String element) {
        for (Field line : lines) {
            if (line.is(name) && listed(line.value(), element)) {
                return true;
            }
        }
        return false;
    }

    private static boolean listed(String value, String element) {
        int start = 0;
        while (start <= value.length()) {
            int comma = value.indexOf(',', start);
            int end = comma < 0 ? value.length() : comma;
            int from = start;
            int to = end;
            while (from < to && value.charAt(from) <= ' ') {
                from++;
            }
            while (to > from && value.charAt(to - 1) <= ' ') {
                to--;
            }
            if (to - from == element.length() && value.regionMatches(true, from, element, 0, element.length())) {
                return true;
            }
            start = end + 1;
        }
        return false;
    }

    public Fields without(Predicate<Field> unwanted) {
        int count = lines.size();
        for (int first = 0; first < count; first++) {
            if (unwanted.test(lines.get(first))) {
                return rest(first, unwanted);
            }
        }
        return this;
    }

    /** Each line is tested once: a test may take notes. @param first that is unwanted */
    private Fields rest(int first, Predicate<Field> unwanted) {
        List<Field> kept = new ArrayList<>(lines.size());
        kept.addAll(lines.subList(0, first));
        for (int i = first + 1; i < lines.size(); i++) {
            if (!unwanted.test(lines.get(i))) {
                kept.add(lines.get(i));
            }
        }
        return new Fields(kept);
    }

    public Fields without(String name) {
        return without(line -> line.is(name));
    }

    public Fields plus(Field line) {
        List<Field> more = new ArrayList<>(lines.size() + 1);
        more.addAll(lines);
        more.add(line);
        return new Fields(more);
    }

    /** Replaces every line of that name by this one, at the end. */
    public Fields with(Field line) {
        List<Field> others = new ArrayList<>(lines.size() + 1);
        for (Field other : lines) {
            if (!other.is(line.name())) {
                others.add(other);
            }
        }
        others.add(line);
        return new Fields(others);
    }

    public int size() {
        return lines.size();
    }

    @Override
    public Iterator<Field> iterator() {
        return new Lines(lines);
    }

    /** Can't remove. */
    private static final class Lines implements Iterator<Field> {
        private final List<Field> lines;
        private int at;

        Lines(List<Field> lines) {
            this.lines = lines;
        }

        @Override
        public boolean hasNext() {
            return at < lines.size();
        }

        @Override
        public Field next() {
            if (at >= lines.size()) {
                throw new NoSuchElementException();
            }
            return lines.get(at++);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Fields that && lines.equals(that.lines);
    }

    @Override
    public int hashCode() {
        return lines.hashCode();
    }

    @Override
    public String toString() {
        return lines.toString();
    }
}

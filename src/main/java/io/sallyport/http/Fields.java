package io.sallyport.http;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The field lines of a head in their order, immutable; every change is a new value. */
public final class Fields implements Iterable<Field> {

    public static final Fields EMPTY = new Fields(List.of());

    private final List<Field> lines;

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
        return lines.stream().filter(line -> line.is(name)).map(Field::value).toList();
    }

    public boolean has(String name) {
        return first(name).isPresent();
    }

    public Fields without(Predicate<Field> unwanted) {
        List<Field> kept = new ArrayList<>(lines.size());
        for (Field line : lines) {
            if (!unwanted.test(line)) {
                kept.add(line);
            }
        }
        return kept.size() == lines.size() ? this : new Fields(List.copyOf(kept));
    }

    public Fields without(String name) {
        return without(line -> line.is(name));
    }

    public Fields plus(Field line) {
        List<Field> more = new ArrayList<>(lines);
        more.add(line);
        return new Fields(List.copyOf(more));
    }

    /** Replaces every line of that name by this one, at the end. */
    public Fields with(Field line) {
        return without(line.name()).plus(line);
    }

    public int size() {
        return lines.size();
    }

    @Override
    public Iterator<Field> iterator() {
        return lines.iterator();
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

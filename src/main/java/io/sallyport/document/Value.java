package io.sallyport.document;

import io.sallyport.document.Reading.Read;
import io.sallyport.document.Reading.Unreadable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A key's value where a document may choose between shapes: a scalar, a list or a mapping. */
public sealed interface Value {

    Place place();

    /** Says that something is wrong with this value. */
    default void problem(String what) {
        place().problem(what);
    }

    record Scalar(Place place, Object scalar) implements Value {

        /** Empty when it does not read as that form: then the problem has been said. */
        public <T> Optional<T> as(Form<T> form) {
            return switch (form.read(scalar)) {
                case Read<T>(T value) -> Optional.of(value);
                case Unreadable<T>(String what) -> {
                    problem(what);
                    yield Optional.empty();
                }
            };
        }
    }

    record Listing(Place place, List<Value> items) implements Value {

        /** The items that read as that form; those that do not have been said. */
        public <T> List<T> as(Form<T> form) {
            List<T> read = new ArrayList<>();
            for (Value item : items) {
                if (item instanceof Scalar scalar) {
                    scalar.as(form).ifPresent(read::add);
                } else {
                    item.problem("is " + item.shape() + "; allowed: a single value");
                }
            }
            return read;
        }
    }

    record Mapping(Place place, Keys keys) implements Value {}

    default String shape() {
        return switch (this) {
            case Scalar ignored -> "a single value";
            case Listing ignored -> "a list";
            case Mapping ignored -> "a mapping";
        };
    }

    /** Empty for what has no value: then the problem has been said. */
    static Optional<Value> of(Place place, @org.jspecify.annotations.Nullable Object raw) {
        switch (raw) {
            case null -> {
                place.problem("has no value; leave the key out, or give it one");
                return Optional.empty();
            }
            case Map<?, ?> map -> {
                return Optional.of(new Mapping(place, new Keys(place, map)));
            }
            case List<?> list -> {
                List<Value> items = new ArrayList<>();
                for (int i = 0; i < list.size(); i++) {
                    of(place.item(i), list.get(i)).ifPresent(items::add);
                }
                return Optional.of(new Listing(place, items));
            }
            default -> {
                return Optional.of(new Scalar(place, raw));
            }
        }
    }
}

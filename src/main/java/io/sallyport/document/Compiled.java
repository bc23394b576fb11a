package io.sallyport.document;

import java.util.List;
import java.util.function.Function;

/** What became of a document: a value that is right as a whole, or everything that is wrong with it. */
public sealed interface Compiled<T> {

    record Ok<T>(T value) implements Compiled<T> {}

    /** @param problems at least one */
    record Rejected<T>(List<Problem> problems) implements Compiled<T> {

        public Rejected {
            problems = List.copyOf(problems);
            if (problems.isEmpty()) {
                throw new IllegalArgumentException("a document is rejected for a reason");
            }
        }
    }

    default <U> Compiled<U> map(Function<? super T, ? extends U> change) {
        return switch (this) {
            case Ok<T>(T value) -> new Ok<>(change.apply(value));
            case Rejected<T>(List<Problem> problems) -> new Rejected<>(problems);
        };
    }
}

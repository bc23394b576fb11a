package io.sallyport.http;

import java.util.function.Function;

/** The outcome of a parse: a value, or why there is none. A refusal is a normal answer here, never an exception. */
public sealed interface Parsed<T> {

    record Valid<T>(T value) implements Parsed<T> {}

    /** @param reason one sentence for the person or agent that sent it; never quotes a secret */
    record Malformed<T>(String reason) implements Parsed<T> {}

    static <T> Parsed<T> valid(T value) {
        return new Valid<>(value);
    }

    static <T> Parsed<T> malformed(String reason) {
        return new Malformed<>(reason);
    }

    default <U> Parsed<U> then(Function<? super T, Parsed<U>> next) {
        return switch (this) {
            case Valid<T>(T value) -> next.apply(value);
            case Malformed<T>(String reason) -> malformed(reason);
        };
    }

    /** The value of what is known to be valid, as a constant in code is. */
    default T orElseThrow() {
        return switch (this) {
            case Valid<T>(T value) -> value;
            case Malformed<T>(String reason) -> throw new IllegalArgumentException(reason);
        };
    }
}

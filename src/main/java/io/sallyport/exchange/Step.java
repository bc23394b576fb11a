package io.sallyport.exchange;

import java.util.function.Function;
import java.util.function.UnaryOperator;

/** A threshold on the way from a request to a grant: passed with a value, or refused. */
sealed interface Step<T> {

    record Passed<T>(T value) implements Step<T> {}

    record Refused<T>(Refusal refusal) implements Step<T> {}

    static <T> Step<T> passed(T value) {
        return new Passed<>(value);
    }

    static <T> Step<T> refused(Refusal refusal) {
        return new Refused<>(refusal);
    }

    default <U> Step<U> then(Function<? super T, Step<U>> next) {
        return switch (this) {
            case Passed<T>(T value) -> next.apply(value);
            case Refused<T>(Refusal refusal) -> refused(refusal);
        };
    }

    /** Says more about a refusal, as soon as it is known. */
    default Step<T> refusedAs(UnaryOperator<Refusal> known) {
        return switch (this) {
            case Passed<T> passed -> passed;
            case Refused<T>(Refusal refusal) -> refused(known.apply(refusal));
        };
    }
}

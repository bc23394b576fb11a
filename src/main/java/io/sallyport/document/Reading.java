package io.sallyport.document;

/** One scalar read: its value, or one sentence that says what is wrong and what is allowed. */
public sealed interface Reading<T> {

    record Read<T>(T value) implements Reading<T> {}

    /** @param what follows the place: {@code "15m" is not a time; allowed: …} */
    record Unreadable<T>(String what) implements Reading<T> {}

    static <T> Reading<T> of(T value) {
        return new Read<>(value);
    }

    static <T> Reading<T> unreadable(String what) {
        return new Unreadable<>(what);
    }
}

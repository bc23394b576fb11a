package io.sallyport.document;

import io.sallyport.document.Reading.Read;
import io.sallyport.document.Reading.Unreadable;
import java.util.function.Function;

/** How a scalar is written in a document, and what it then means. The stock of them is {@link Forms}. */
@FunctionalInterface
public interface Form<T> {

    /** @param scalar as the parser gave it: a {@code String}, {@code Number} or {@code Boolean} */
    Reading<T> read(Object scalar);

    /** This form, read further. */
    default <U> Form<U> then(Function<? super T, Reading<U>> next) {
        return scalar -> switch (read(scalar)) {
            case Read<T>(T value) -> next.apply(value);
            case Unreadable<T>(String what) -> Reading.unreadable(what);
        };
    }
}

package io.sallyport.http;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A form in the coding of queries, or JSON: which of the two shows at the first character, since tools send JSON under any type and servers
 * take it.
 */
final class FormOrJsonWatch implements ContentWatch {

    private final boolean form;
    private final Function<String, @Nullable String> fields;
    private final Function<String, @Nullable String> members;
    private @Nullable ContentWatch chosen;

    /** @param form whether the type says so */
    FormOrJsonWatch(
            boolean form, Function<String, @Nullable String> fields, Function<String, @Nullable String> members) {
        this.form = form;
        this.fields = fields;
        this.members = members;
    }

    @Override
    public Optional<Found> sees(ByteBuffer piece) {
        ContentWatch watch = chosen;
        if (watch == null) {
            int first = first(piece);
            if (first < 0) {
                return Optional.empty();
            }
            watch = first == '{' || first == '['
                    ? new JsonWatch(members)
                    : form ? new FormWatch(fields) : new NothingWatch();
            chosen = watch;
        }
        return watch.sees(piece);
    }

    @Override
    public Optional<Found> ended() {
        return chosen == null ? Optional.empty() : chosen.ended();
    }

    /** Past white space and a byte order mark. */
    private static int first(ByteBuffer piece) {
        for (int i = piece.position(); i < piece.limit(); i++) {
            int c = piece.get(i) & 0xff;
            if (c > ' ' && c != 0xef && c != 0xbb && c != 0xbf) {
                return c;
            }
        }
        return -1;
    }

    private record NothingWatch() implements ContentWatch {

        @Override
        public Optional<Found> sees(ByteBuffer piece) {
            return Optional.empty();
        }

        @Override
        public Optional<Found> ended() {
            return Optional.empty();
        }
    }
}

package io.sallyport.http;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The fields of {@code application/x-www-form-urlencoded}, read as {@link QueryNames} reads a query's. */
final class FormWatch implements ContentWatch {

    /** Of a longer name or value the end counts: names are known by their endings too. */
    private static final int LONGEST = 512;

    private final Function<String, @Nullable String> slots;
    private final StringBuilder name = new StringBuilder();
    private final StringBuilder value = new StringBuilder();
    private boolean inValue;
    private boolean action;

    FormWatch(Function<String, @Nullable String> slots) {
        this.slots = slots;
    }

    @Override
    public Optional<Found> sees(ByteBuffer piece) {
        for (int i = piece.position(); i < piece.limit(); i++) {
            char c = (char) (piece.get(i) & 0xff);
            if (QueryNames.divides(c)) {
                Optional<Found> found = ended();
                if (found.isPresent()) {
                    return found;
                }
            } else if (inValue) {
                if (action) {
                    keep(value, c);
                }
            } else if (c == '=') {
                Optional<Found> found = named();
                if (found.isPresent()) {
                    return found;
                }
                inValue = true;
            } else if (c > ' ') {
                keep(name, c);
            }
        }
        return Optional.empty();
    }

    /** A field ends. */
    @Override
    public Optional<Found> ended() {
        Optional<Found> found = action
                ? CredentialActions.named(PathReadings.decoded(value.toString()))
                        .map(Found.Action::new)
                : Optional.empty();
        name.setLength(0);
        value.setLength(0);
        inValue = false;
        action = false;
        return found;
    }

    private Optional<Found> named() {
        QueryNames names = new QueryNames(name.toString());
        names.advance();
        String plain = names.plainName();
        action = FoldedNames.same(CredentialActions.PARAMETER, plain, 0, plain.length());
        return Optional.ofNullable(slots.apply(plain)).map(Found.Slot::new);
    }

    private static void keep(StringBuilder text, char c) {
        text.append(c);
        if (text.length() > 2 * LONGEST) {
            text.delete(0, LONGEST);
        }
    }
}

package io.sallyport.http;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The fields of {@code multipart/form-data} (RFC 7578): of each part the head, line by line; of its content nothing. */
final class MultipartWatch implements ContentWatch {

    /** Of a line of a part's head; a longer one has its beginning looked at. */
    private static final int LONGEST = 2048;

    /** White space that may stand behind a boundary (RFC 2046 section 5.1.1), of which more makes no difference to any reader met. */
    private static final int PADDING = 256;

    private final String delimiter;
    private final Function<String, @Nullable String> slots;
    private final StringBuilder line = new StringBuilder();
    private boolean inHead;

    MultipartWatch(String boundary, Function<String, @Nullable String> slots) {
        this.delimiter = "--" + boundary;
        this.slots = slots;
    }

    @Override
    public Optional<Found> sees(ByteBuffer piece) {
        int most = most();
        for (int i = piece.position(); i < piece.limit(); i++) {
            char c = (char) (piece.get(i) & 0xff);
            if (c == '\n') {
                Optional<Found> found = lineEnded();
                if (found.isPresent()) {
                    return found;
                }
                line.setLength(0);
                most = most();
            } else if (c != '\r' && line.length() < most) {
                line.append(c);
            }
        }
        return Optional.empty();
    }

    private int most() {
        return inHead ? LONGEST : delimiter.length() + PADDING;
    }

    private Optional<Found> lineEnded() {
        if (!inHead) {
            inHead = line.indexOf(delimiter) == 0
                    && line.substring(delimiter.length()).isBlank();
            return Optional.empty();
        }
        if (line.isEmpty()) {
            inHead = false;
            return Optional.empty();
        }
        // A folded line is looked at as one of its own: a name may stand there.
        String disposition = ";" + line.substring(Math.max(line.indexOf(";") + 1, 0));
        for (String parameter : new String[] {"name", "name*"}) {
            Optional<Found> found = ContentSlots.parameter(disposition, parameter)
                    .map(name -> slots.apply(plain(name)))
                    .map(Found.Slot::new);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    /** Without the character set of an extended parameter (RFC 8187), without escapes and an array's brackets. */
    private static String plain(String name) {
        QueryNames names = new QueryNames(
                name.substring(name.lastIndexOf('\'') + 1).replace('&', '_').replace(';', '_'));
        names.advance();
        return names.plainName();
    }

    @Override
    public Optional<Found> ended() {
        return Optional.empty();
    }
}

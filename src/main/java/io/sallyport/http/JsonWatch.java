package io.sallyport.http;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The outermost members of JSON (RFC 8259): of the object, or of each object of the array that it is. */
final class JsonWatch implements ContentWatch {

    /** No name of a credential is longer, escapes included. */
    private static final int LONGEST = 256;

    private final Function<String, @Nullable String> slots;
    private final StringBuilder text = new StringBuilder();
    private int depth;
    private boolean array;
    private boolean inString;
    private boolean escaped;
    private boolean named;

    JsonWatch(Function<String, @Nullable String> slots) {
        this.slots = slots;
    }

    @Override
    public Optional<Found> sees(ByteBuffer piece) {
        for (int i = piece.position(); i < piece.limit(); i++) {
            char c = (char) (piece.get(i) & 0xff);
            if (inString) {
                string(c);
            } else if (c == ':' && named) {
                named = false;
                String slot = slots.apply(unescaped());
                if (slot != null) {
                    return Optional.of(new Found.Slot(slot));
                }
            } else if (c > ' ') {
                named = false;
                outside(c);
            }
        }
        return Optional.empty();
    }

    private void string(char c) {
        if (escaped) {
            escaped = false;
        } else if (c == '\\') {
            escaped = true;
        } else if (c == '"') {
            inString = false;
            named = depth == (array ? 2 : 1);
            return;
        }
        if (text.length() < LONGEST) {
            text.append(c);
        }
    }

    private void outside(char c) {
        switch (c) {
            case '"' -> {
                inString = true;
                text.setLength(0);
            }
            case '{' -> depth++;
            case '[' -> {
                array |= depth == 0;
                depth++;
            }
            case '}', ']' -> {
                depth--;
                // One text after another, as some APIs take.
                array &= depth > 0;
            }
            default -> {}
        }
    }

    private String unescaped() {
        if (text.indexOf("\\") < 0) {
            return text.toString();
        }
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\' && i + 1 < text.length()) {
                c = text.charAt(++i);
                if (c == 'u' && i + 4 < text.length()) {
                    c = unit(text.substring(i + 1, i + 5));
                    i += 4;
                }
            }
            plain.append(c);
        }
        return plain.toString();
    }

    private static char unit(String digits) {
        try {
            return (char) Integer.parseInt(digits, 16);
        } catch (NumberFormatException e) {
            return '?';
        }
    }

    @Override
    public Optional<Found> ended() {
        return Optional.empty();
    }
}

package io.sallyport.credential;

import io.sallyport.grant.TaskTokens;
import io.sallyport.http.Field;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Knows task tokens of this broker by what they all begin with, raw or in the encodings that {@link SecretShapes} lists. A token has no
 * business in a request's content or an answer: whoever reads it there could use it from the right place, and it does not matter whether
 * its grant still stands.
 */
public final class TokenMarks {

    private static final byte[] NOTHING = {};

    private final TaskTokens tokens;
    private volatile Known known;

    public TokenMarks(TaskTokens tokens) {
        this.tokens = tokens;
        this.known = Known.of(tokens.beginnings());
    }

    /** Prepared for one set of keys; what a search needs is reused on its thread. */
    private record Known(
            List<String> beginnings,
            ShapeSet shapes,
            OpenEnd openEnd,
            ThreadLocal<Search> search,
            ThreadLocal<byte[]> room) {

        static Known of(List<String> beginnings) {
            ShapeSet shapes = new ShapeSet(beginnings.stream()
                    .flatMap(text -> SecretShapes.of(text.getBytes(StandardCharsets.US_ASCII)).stream())
                    .toList());
            return new Known(
                    beginnings,
                    shapes,
                    new OpenEnd(shapes),
                    ThreadLocal.withInitial(() -> new Search(shapes)),
                    ThreadLocal.withInitial(() -> NOTHING));
        }

        byte[] room(int length) {
            byte[] bytes = room.get();
            if (bytes.length < length) {
                bytes = new byte[Math.max(length, 4096)];
                room.set(bytes);
            }
            return bytes;
        }
    }

    /** The list changes with the keys, and is the same one until then. */
    private Known known() {
        Known now = known;
        List<String> beginnings = tokens.beginnings();
        if (now.beginnings() != beginnings) {
            now = Known.of(beginnings);
            known = now;
        }
        return now;
    }

    /** Whether a task token stands in this field value, target or other whole text. */
    public boolean in(String text) {
        Known now = known();
        if (text.length() < now.shapes().window()) {
            return false;
        }
        byte[] bytes = now.room(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            bytes[i] = c < 0x80 ? (byte) c : (byte) 0x80;
        }
        Search search = now.search().get();
        search.find(bytes, 0, text.length());
        return search.count() > 0;
    }

    /** In either half: a token is made of characters that a name may have, too. */
    public boolean in(Field line) {
        return in(line.value()) || in(line.name());
    }

    /** For the content of one request. */
    public Watch watch() {
        return new Watch(known());
    }

    /** For one answer: masks task tokens besides what {@code secrets} masks. */
    public Scrubber over(Scrubber secrets) {
        Known now = known();
        return new TokenScrubber(secrets, now.shapes(), now.openEnd());
    }

    /** Looks at one content as it comes. What it has called clean holds no beginning of a token that is whole. Not thread-safe. */
    public static final class Watch {

        private final Known known;
        private byte[] tail = NOTHING;

        private Watch(Known known) {
            this.known = known;
        }

        /** @param piece the next one; left as it is @return whether a task token stands in what has come, ended by this piece */
        public boolean sees(ByteBuffer piece) {
            int length = tail.length + piece.remaining();
            byte[] bytes = known.room(length);
            System.arraycopy(tail, 0, bytes, 0, tail.length);
            piece.get(piece.position(), bytes, tail.length, piece.remaining());
            Search search = known.search().get();
            search.find(bytes, 0, length);
            int open = known.openEnd().from(bytes, 0, length, search.spelledAt());
            tail = open == length ? NOTHING : Arrays.copyOfRange(bytes, open, length);
            return search.count() > 0;
        }
    }
}

package io.sallyport.credential;

import io.sallyport.credential.injection.Needle;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Seeks a placeholder in the forms in which a secret is sought. What a search needs is made for each: few requests need one. */
final class PlaceholderNeedle implements Needle {

    private static final byte[] NOTHING = {};

    private final ShapeSet shapes;
    private final OpenEnd openEnd;

    PlaceholderNeedle(String text) {
        this.shapes = new ShapeSet(SecretShapes.of(text.getBytes(StandardCharsets.US_ASCII)));
        this.openEnd = new OpenEnd(shapes);
    }

    @Override
    public boolean in(String text) {
        return text.length() >= shapes.window() && in(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    @Override
    public boolean in(byte[] content) {
        Search search = new Search(shapes);
        search.find(content, 0, content.length);
        return search.count() > 0;
    }

    @Override
    public PlaceholderWatch watch() {
        return new Watch(shapes, openEnd);
    }

    private static final class Watch implements PlaceholderWatch {
        private final Search search;
        private final OpenEnd openEnd;
        private byte[] tail = NOTHING;

        Watch(ShapeSet shapes, OpenEnd openEnd) {
            this.search = new Search(shapes);
            this.openEnd = openEnd;
        }

        @Override
        public boolean sees(ByteBuffer piece) {
            int length = tail.length + piece.remaining();
            byte[] bytes = Arrays.copyOf(tail, length);
            piece.get(piece.position(), bytes, tail.length, piece.remaining());
            search.find(bytes, 0, length);
            int open = openEnd.from(bytes, 0, length, search.spelledAt());
            tail = open == length ? NOTHING : Arrays.copyOfRange(bytes, open, length);
            return search.count() > 0;
        }
    }
}

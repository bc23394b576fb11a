package io.sallyport.credential;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Masks whatever has the shape of a secret, byte for byte, so that lengths and framing stay right. Every byte of every match is masked;
 * where two overlap or one contains the other, both are.
 */
final class MaskingScrubber implements Scrubber {

    private static final byte MASK = '*';
    private static final byte[] NOTHING = {};

    private final ShapeSet shapes;
    private final Search search;
    private final Tail tail;
    private byte[] held = NOTHING;

    /** How many of the held bytes belong to a match that began before them. */
    private int owed;

    private byte[] scratch = NOTHING;
    private int masks;

    MaskingScrubber(ShapeSet shapes) {
        this.shapes = shapes;
        this.search = new Search(shapes);
        this.tail = new Tail(shapes.longest());
    }

    @Override
    public int masks() {
        return masks;
    }

    @Override
    public String text(String value) {
        if (value.length() < shapes.window()) {
            return value;
        }
        byte[] bytes = new byte[value.length()];
        for (int i = 0; i < bytes.length; i++) {
            char c = value.charAt(i);
            // What is beyond ASCII is part of no secret, and must keep its place.
            bytes[i] = c < 0x80 ? (byte) c : (byte) 0x80;
        }
        search.find(bytes, 0, bytes.length);
        if (search.count() == 0) {
            return value;
        }
        StringBuilder text = new StringBuilder(value);
        masks += search.occurrences(0, bytes.length);
        for (int range = 0; range < search.count(); range++) {
            for (int i = search.start(range); i < search.end(range); i++) {
                text.setCharAt(i, (char) MASK);
            }
        }
        return text.toString();
    }

    @Override
    public ByteBuffer push(ByteBuffer content, boolean last) {
        boolean inPlace = held.length == 0 && content.hasArray();
        ByteBuffer whole = inPlace ? content.slice() : joined(content);
        byte[] bytes = whole.array();
        int from = whole.arrayOffset();
        int limit = from + whole.limit();
        search.find(bytes, from, limit);
        int until = last ? limit : tail.from(bytes, from, limit, search.spelledAt());
        int owedBefore = owed;
        masks += search.occurrences(from + owedBefore, until);
        int heldBefore = held.length;
        hold(bytes, from + owedBefore, until, limit);
        ByteBuffer passed;
        if (search.count() > 0 || owedBefore > 0) {
            passed = mask(whole, owedBefore, until - from);
        } else {
            // Clean content goes on as it came, uncopied where nothing was held before it.
            passed = (heldBefore == 0 ? content : whole).slice().limit(until - from);
        }
        content.position(content.limit());
        return passed;
    }

    /** What was held back and what came now, in one array of our own. */
    private ByteBuffer joined(ByteBuffer content) {
        int length = held.length + content.remaining();
        own(length);
        System.arraycopy(held, 0, scratch, 0, held.length);
        content.get(content.position(), scratch, held.length, content.remaining());
        return ByteBuffer.wrap(scratch, 0, length);
    }

    /** Keeps what is not decided, unmasked, and how much of it is masked already by a match that began before. */
    private void hold(byte[] bytes, int owedUntil, int until, int limit) {
        int end = Math.max(until, owedUntil);
        for (int range = 0; range < search.count(); range++) {
            if (search.start(range) < until) {
                end = Math.max(end, search.end(range));
            }
        }
        held = until == limit ? NOTHING : Arrays.copyOfRange(bytes, until, limit);
        owed = end - until;
    }

    private ByteBuffer mask(ByteBuffer whole, int owedBefore, int length) {
        int from = whole.arrayOffset();
        if (whole.array() != scratch) {
            // The caller's array is not ours to write in.
            own(whole.limit());
            System.arraycopy(whole.array(), from, scratch, 0, whole.limit());
        }
        Arrays.fill(scratch, 0, owedBefore, MASK);
        for (int range = 0; range < search.count(); range++) {
            Arrays.fill(scratch, search.start(range) - from, search.end(range) - from, MASK);
        }
        return ByteBuffer.wrap(scratch, 0, length).slice();
    }

    private void own(int length) {
        if (scratch.length < length) {
            scratch = new byte[Math.max(length, 2 * scratch.length)];
        }
    }
}

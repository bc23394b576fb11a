package io.sallyport.credential;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Masks task tokens in one answer, after the secrets. What is known of a token is how it begins, which is no secret; the rest is all that
 * follows in its alphabet, and in the escapes that its beginning was written with. So nothing has to be held back: the beginning may have
 * passed when the rest comes, and the rest is what counts.
 */
final class TokenScrubber implements Scrubber {

    private static final byte MASK = '*';
    private static final byte[] NOTHING = {};
    private static final boolean[] ALPHABET = new boolean[256];

    static {
        for (char c : "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.+/=".toCharArray()) {
            ALPHABET[c] = true;
        }
    }

    private final Scrubber secrets;
    private final Search search;
    private final OpenEnd openEnd;
    private final int shortest;
    /** What has passed and may be the beginning of a token. */
    private byte[] tail = NOTHING;

    /** Whether the last bytes that passed were a token's, which may go on. */
    private boolean running;

    /** Which characters begin escapes in it: the bits of 1 percent, 2 backslash, 4 ampersand. */
    private int escapes;

    private byte[] scratch = NOTHING;
    private int masks;

    TokenScrubber(Scrubber secrets, ShapeSet shapes, OpenEnd openEnd) {
        this.secrets = secrets;
        this.search = new Search(shapes);
        this.openEnd = openEnd;
        this.shortest = shapes.window();
    }

    @Override
    public int masks() {
        return masks + secrets.masks();
    }

    @Override
    public String text(String value) {
        String clean = secrets.text(value);
        if (clean.length() < shortest) {
            return clean;
        }
        byte[] bytes = new byte[clean.length()];
        for (int i = 0; i < bytes.length; i++) {
            char c = clean.charAt(i);
            bytes[i] = c < 0x80 ? (byte) c : (byte) 0x80;
        }
        search.find(bytes, 0, bytes.length);
        if (search.count() == 0) {
            return clean;
        }
        StringBuilder text = new StringBuilder(clean);
        for (int range = 0; range < search.count(); range++) {
            int escaped = escapes(bytes, search.start(range), search.end(range));
            int end = end(bytes, search.end(range), bytes.length, escaped);
            for (int i = search.start(range); i < end; i++) {
                text.setCharAt(i, (char) MASK);
            }
        }
        masks++;
        return text.toString();
    }

    @Override
    public ByteBuffer push(ByteBuffer content, boolean last) {
        ByteBuffer in = secrets.push(content, last);
        boolean inPlace = tail.length == 0 && in.hasArray();
        byte[] bytes = inPlace ? in.array() : joined(in);
        int from = inPlace ? in.arrayOffset() + in.position() : 0;
        int fresh = from + tail.length;
        int limit = fresh + in.remaining();
        search.find(bytes, from, limit);
        int begun = running ? end(bytes, fresh, limit, escapes) : fresh;
        boolean clean = search.count() == 0 && begun == fresh;
        if (fresh < limit) {
            running = running && begun == limit;
        }
        ByteBuffer passed = clean ? in : masked(bytes, fresh, limit, begun);
        int open = openEnd.from(bytes, from, limit, search.spelledAt());
        tail = open == limit ? NOTHING : Arrays.copyOfRange(bytes, open, limit);
        return passed;
    }

    /** @param fresh where the bytes begin that have not passed yet @param begun where a token ends that began before them */
    private ByteBuffer masked(byte[] bytes, int fresh, int limit, int begun) {
        byte[] out = Arrays.copyOfRange(bytes, fresh, limit);
        Arrays.fill(out, 0, begun - fresh, MASK);
        for (int range = 0; range < search.count(); range++) {
            int escaped = escapes(bytes, search.start(range), search.end(range));
            int until = end(bytes, search.end(range), limit, escaped);
            if (until > fresh) {
                Arrays.fill(out, Math.max(search.start(range) - fresh, 0), until - fresh, MASK);
            }
            if (until == limit) {
                running = true;
                escapes = escaped;
            }
        }
        masks++;
        return ByteBuffer.wrap(out);
    }

    private byte[] joined(ByteBuffer in) {
        int length = tail.length + in.remaining();
        if (scratch.length < length) {
            scratch = new byte[Math.max(length, 2 * scratch.length)];
        }
        System.arraycopy(tail, 0, scratch, 0, tail.length);
        in.get(in.position(), scratch, tail.length, in.remaining());
        return scratch;
    }

    private static int end(byte[] bytes, int from, int limit, int escapes) {
        int at = from;
        while (at < limit && (ALPHABET[bytes[at] & 0xff] || escaped(bytes[at], escapes))) {
            at++;
        }
        return at;
    }

    private static boolean escaped(byte b, int escapes) {
        return switch (b) {
            case '%' -> (escapes & 1) != 0;
            case '\\' -> (escapes & 2) != 0;
            case '&', '#', ';' -> (escapes & 4) != 0;
            default -> false;
        };
    }

    private static int escapes(byte[] bytes, int from, int until) {
        int found = 0;
        for (int i = from; i < until; i++) {
            found |= switch (bytes[i]) {
                case '%' -> 1;
                case '\\' -> 2;
                case '&' -> 4;
                default -> 0;
            };
        }
        return found;
    }
}

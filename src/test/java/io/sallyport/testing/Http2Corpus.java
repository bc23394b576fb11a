package io.sallyport.testing;

import static io.sallyport.testing.Http2Frame.CONTINUATION;
import static io.sallyport.testing.Http2Frame.DATA;
import static io.sallyport.testing.Http2Frame.END_HEADERS;
import static io.sallyport.testing.Http2Frame.END_STREAM;
import static io.sallyport.testing.Http2Frame.HEADERS;
import static io.sallyport.testing.Http2Frame.PADDED;
import static io.sallyport.testing.Http2Frame.PING;
import static io.sallyport.testing.Http2Frame.PRIORITY;
import static io.sallyport.testing.Http2Frame.RST_STREAM;
import static io.sallyport.testing.Http2Frame.SETTINGS;
import static io.sallyport.testing.Http2Frame.WINDOW_UPDATE;

import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;

/**
 * Frames of HTTP/2 in every shape that the protocol leaves open, and in those that it does not: seeded, so that a find stays found. What
 * {@link #message}, {@link #interleaved} and {@link #disturbed} do is allowed and changes no message; what {@link #mutant} does may.
 */
public final class Http2Corpus {

    private static final int WITH_PRIORITY = 0x20;

    private Http2Corpus() {}

    /**
     * One message, in pieces and padding by chance. Each step is frames that have to stand together.
     *
     * @param block the header block, not depending on any table
     */
    public static List<List<Http2Frame>> message(int stream, byte[] block, byte[] content, Random random) {
        List<List<Http2Frame>> steps = new ArrayList<>();
        boolean bare = content.length == 0 && random.nextBoolean();
        steps.add(head(stream, block, bare, random));
        if (bare) {
            return steps;
        }
        int at = 0;
        while (at < content.length) {
            int length = Math.min(content.length - at, random.nextInt(random.nextInt(4) == 0 ? 1_500 : 40));
            boolean last = at + length == content.length && random.nextBoolean();
            steps.add(List.of(data(stream, Arrays.copyOfRange(content, at, at + length), last, random)));
            at += length;
            if (last) {
                return steps;
            }
        }
        steps.add(List.of(data(stream, new byte[0], true, random)));
        return steps;
    }

    private static List<Http2Frame> head(int stream, byte[] block, boolean last, Random random) {
        List<Http2Frame> frames = new ArrayList<>();
        boolean whole = random.nextInt(3) > 0;
        int cut = whole ? block.length : random.nextInt(block.length + 1);
        boolean priority = random.nextInt(4) == 0;
        ByteArrayOutputStream first = new ByteArrayOutputStream();
        if (priority) {
            first.writeBytes(new byte[] {0, 0, 0, 0, (byte) random.nextInt(256)});
        }
        first.write(block, 0, cut);
        int flags = (last ? END_STREAM : 0) | (whole ? END_HEADERS : 0) | (priority ? WITH_PRIORITY : 0);
        frames.add(padded(new Http2Frame(HEADERS, flags, stream, first.toByteArray()), random));
        while (!whole) {
            int next = random.nextInt(3) > 0 ? block.length : cut + random.nextInt(block.length - cut + 1);
            // Ten of them at most: many small ones are a flood.
            whole = next == block.length || frames.size() > 8;
            next = whole ? block.length : next;
            byte[] piece = Arrays.copyOfRange(block, cut, next);
            frames.add(new Http2Frame(CONTINUATION, whole ? END_HEADERS : 0, stream, piece));
            cut = next;
        }
        return frames;
    }

    private static Http2Frame data(int stream, byte[] content, boolean last, Random random) {
        return padded(new Http2Frame(DATA, last ? END_STREAM : 0, stream, content), random);
    }

    private static Http2Frame padded(Http2Frame frame, Random random) {
        if (random.nextInt(3) > 0) {
            return frame;
        }
        int padding = random.nextInt(random.nextBoolean() ? 4 : 256);
        byte[] payload = new byte[1 + frame.payload().length + padding];
        payload[0] = (byte) padding;
        System.arraycopy(frame.payload(), 0, payload, 1, frame.payload().length);
        return new Http2Frame(frame.type(), frame.flags() | PADDED, frame.stream(), payload);
    }

    /** All messages, each in its own order, among one another by chance; heads begin in the order of their streams. */
    public static List<List<Http2Frame>> interleaved(List<List<List<Http2Frame>>> messages, Random random) {
        List<Queue<List<Http2Frame>>> left = new ArrayList<>();
        messages.forEach(message -> left.add(new ArrayDeque<>(message)));
        List<List<Http2Frame>> all = new ArrayList<>();
        int begun = 0;
        while (left.stream().anyMatch(steps -> !steps.isEmpty())) {
            int which = random.nextInt(Math.min(left.size(), begun + 1));
            List<Http2Frame> step = left.get(which).poll();
            if (step != null) {
                all.add(step);
                begun = Math.max(begun, which + 1);
            }
        }
        return all;
    }

    /** With frames in between that say nothing about any message. */
    public static List<Http2Frame> disturbed(List<List<Http2Frame>> steps, int streams, Random random) {
        List<Http2Frame> all = new ArrayList<>();
        for (List<Http2Frame> step : steps) {
            while (random.nextInt(5) == 0) {
                all.add(noise(random.nextInt(streams) * 2 + 1, random));
            }
            all.addAll(step);
        }
        return all;
    }

    private static Http2Frame noise(int stream, Random random) {
        return switch (random.nextInt(6)) {
            case 0 -> new Http2Frame(PING, 0, 0, new byte[8]);
            case 1 -> Http2Frame.number(WINDOW_UPDATE, 0, 1 + random.nextInt(1_000));
            case 2 -> new Http2Frame(PRIORITY, 0, stream, new byte[] {0, 0, 0, 0, (byte) random.nextInt(256)});
            case 3 -> new Http2Frame(0x40 + random.nextInt(100), random.nextInt(256), stream, new byte[3]);
            case 4 -> new Http2Frame(SETTINGS, Http2Frame.ACK, 0, new byte[0]);
            default -> Http2Frame.settings(0x55, random.nextInt(1 << 16));
        };
    }

    /** The same, with one to four things done to it: to frames, or to bytes. */
    public static byte[] mutant(List<Http2Frame> frames, Random random) {
        List<Http2Frame> some = new ArrayList<>(frames);
        for (int i = random.nextInt(3); i > 0; i--) {
            mutate(some, random);
        }
        byte[] bytes = bytes(some);
        for (int i = random.nextInt(3); i > 0 && bytes.length > 0; i--) {
            bytes = mutated(bytes, random);
        }
        return bytes;
    }

    private static void mutate(List<Http2Frame> frames, Random random) {
        if (frames.isEmpty()) {
            return;
        }
        int at = random.nextInt(frames.size());
        int other = random.nextInt(frames.size());
        Http2Frame frame = frames.get(at);
        byte[] payload = frame.payload();
        switch (random.nextInt(13)) {
            case 0 -> frames.remove(at);
            case 1 -> frames.add(other, frame);
            case 2 -> frames.set(at, frames.set(other, frame));
            case 3 -> frames.set(at, with(frame, frame.type(), frame.flags() ^ 1 << random.nextInt(8), frame.stream()));
            case 4 -> frames.set(at, with(frame, random.nextInt(12), frame.flags(), frame.stream()));
            case 5 -> frames.set(at, with(frame, frame.type(), frame.flags(), stream(frames, random)));
            case 6 -> frames.set(at, payload(frame, Arrays.copyOf(payload, random.nextInt(payload.length + 1))));
            case 7 -> frames.set(at, payload(frame, Arrays.copyOf(payload, payload.length + random.nextInt(300))));
            case 8 -> frames.add(at, Http2Frame.number(RST_STREAM, stream(frames, random), random.nextInt(16)));
            case 9 -> frames.add(at, Http2Frame.number(WINDOW_UPDATE, stream(frames, random), odd(random)));
            case 10 -> frames.add(at, Http2Frame.settings(random.nextInt(10), odd(random)));
            case 11 -> frames.add(at, new Http2Frame(CONTINUATION, random.nextInt(8), stream(frames, random), payload));
            default -> frames.add(at, noise(stream(frames, random), random));
        }
    }

    private static Http2Frame with(Http2Frame frame, int type, int flags, int stream) {
        return new Http2Frame(type, flags, stream, frame.payload());
    }

    private static Http2Frame payload(Http2Frame frame, byte[] payload) {
        return new Http2Frame(frame.type(), frame.flags(), frame.stream(), payload);
    }

    /** One that is there, a neighbour of one, or none. */
    private static int stream(List<Http2Frame> frames, Random random) {
        int some = frames.get(random.nextInt(frames.size())).stream();
        return switch (random.nextInt(6)) {
            case 0 -> 0;
            case 1 -> some + 1;
            case 2 -> some + 2;
            default -> some;
        };
    }

    private static int odd(Random random) {
        return switch (random.nextInt(6)) {
            case 0 -> 0;
            case 1 -> Integer.MAX_VALUE;
            case 2 -> -1;
            case 3 -> 1;
            case 4 -> 16_383 + random.nextInt(3);
            default -> random.nextInt();
        };
    }

    /** A byte is another one, a stretch is gone, is there twice, or changes places with the next one. */
    public static byte[] mutated(byte[] in, Random random) {
        int a = random.nextInt(in.length);
        int b = Math.min(in.length, a + 1 + random.nextInt(30));
        int c = Math.min(in.length, b + 1 + random.nextInt(30));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(in, 0, a);
        switch (random.nextInt(6)) {
            case 0 -> {
                out.write(random.nextInt(256));
                out.write(in, a + 1, in.length - a - 1);
            }
            case 1 -> {
                out.write(in[a] ^ 1 << random.nextInt(8));
                out.write(in, a + 1, in.length - a - 1);
            }
            case 2 -> out.write(in, b, in.length - b);
            case 3 -> {
                out.write(in, a, b - a);
                out.write(in, a, in.length - a);
            }
            case 4 -> {
                out.write(in, b, c - b);
                out.write(in, a, b - a);
                out.write(in, c, in.length - c);
            }
            // The rest never comes.
            default -> {}
        }
        return out.toByteArray();
    }

    public static byte[] bytes(List<Http2Frame> frames) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        frames.forEach(frame -> out.writeBytes(frame.bytes()));
        return out.toByteArray();
    }

    /** In pieces: mostly large ones, or one write would be one byte. */
    public static List<byte[]> cut(byte[] bytes, Random random) {
        List<byte[]> parts = new ArrayList<>();
        for (int at = 0; at < bytes.length; ) {
            int end = Math.min(bytes.length, at + 1 + random.nextInt(random.nextInt(3) == 0 ? 12 : 2_000));
            parts.add(Arrays.copyOfRange(bytes, at, end));
            at = end;
        }
        return parts;
    }
}

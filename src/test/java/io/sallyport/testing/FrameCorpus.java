package io.sallyport.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Random;

/** Conversations in WebSocket frames, seeded: messages in pieces with control frames between, and what may be done to them. */
public final class FrameCorpus {

    private FrameCorpus() {}

    /**
     * Right ones.
     *
     * @param words what payload is made of, whole or in part
     */
    public static byte[] frames(boolean masked, String[] words, Random random) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            byte[] message = text(words, random.nextInt(40) == 0 ? 70_000 : 600, random);
            int opcode = 1 + random.nextInt(2);
            int at = 0;
            boolean last;
            do {
                if (random.nextInt(4) == 0) {
                    int control = random.nextBoolean() ? Frames.PING : Frames.PONG;
                    all.writeBytes(frame(masked, control, text(words, 125, random)));
                }
                int end = random.nextInt(3) == 0 ? message.length : at + random.nextInt(message.length - at + 1);
                last = end == message.length && random.nextInt(4) > 0;
                all.writeBytes(frame(masked, (last ? 0x80 : 0) | opcode, Arrays.copyOfRange(message, at, end)));
                opcode = 0;
                at = end;
            } while (!last);
        }
        if (random.nextInt(3) == 0) {
            all.writeBytes(frame(masked, Frames.CLOSE, random.nextBoolean() ? new byte[0] : Frames.code(1000)));
        }
        return all.toByteArray();
    }

    private static byte[] frame(boolean masked, int first, byte[] payload) {
        return masked ? Frames.masked(first, payload) : Frames.plain(first, payload);
    }

    private static byte[] text(String[] words, int most, Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(most > 1_000 ? 3_000 : 8); i > 0; i--) {
            String word = words[random.nextInt(words.length)];
            int cut = random.nextInt(3) == 0 ? random.nextInt(word.length() + 1) : 0;
            text.append(random.nextBoolean() ? word.substring(cut) : word.substring(0, word.length() - cut));
        }
        return text.substring(0, Math.min(most, text.length())).getBytes(ISO_8859_1);
    }

    /** With up to three things done to it. */
    public static byte[] mutant(byte[] frames, Random random) {
        byte[] bytes = frames;
        for (int i = random.nextInt(4); i > 0 && bytes.length > 0; i--) {
            bytes = Http2Corpus.mutated(bytes, random);
        }
        return bytes;
    }
}

package io.sallyport.testing;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** WebSocket frames, written and read byte for byte and without any opinion, so that a test can write wrong ones. */
public final class Frames {

    public static final int TEXT = 0x81;
    public static final int BINARY = 0x82;
    public static final int CLOSE = 0x88;
    public static final int PING = 0x89;
    public static final int PONG = 0x8a;

    private Frames() {}

    /** @param first FIN, reserved bits and opcode @param payload unmasked */
    public record Frame(int first, boolean masked, byte[] payload) {

        public String text() {
            return new String(payload, StandardCharsets.ISO_8859_1);
        }

        /** Status code of a Close; -1 where it has none. */
        public int code() {
            return payload.length < 2 ? -1 : (payload[0] & 0xff) << 8 | payload[1] & 0xff;
        }
    }

    /** As a client sends it. */
    public static byte[] masked(int first, byte[] payload) {
        return frame(first, payload, new byte[] {0x12, 0x34, (byte) 0xab, 0x7f});
    }

    public static byte[] masked(int first, String payload) {
        return masked(first, payload.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** As a server sends it. */
    public static byte[] plain(int first, byte[] payload) {
        return frame(first, payload, null);
    }

    public static byte[] plain(int first, String payload) {
        return plain(first, payload.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** @return a Close with this code */
    public static byte[] code(int code) {
        return new byte[] {(byte) (code >> 8), (byte) code};
    }

    private static byte[] frame(int first, byte[] payload, byte @org.jspecify.annotations.Nullable [] key) {
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(bytes);
            int mask = key == null ? 0 : 0x80;
            out.writeByte(first);
            if (payload.length < 126) {
                out.writeByte(mask | payload.length);
            } else if (payload.length < 65_536) {
                out.writeByte(mask | 126);
                out.writeShort(payload.length);
            } else {
                out.writeByte(mask | 127);
                out.writeLong(payload.length);
            }
            if (key == null) {
                out.write(payload);
            } else {
                out.write(key);
                for (int i = 0; i < payload.length; i++) {
                    out.writeByte(payload[i] ^ key[i % 4]);
                }
            }
            return bytes.toByteArray();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    /** The next frame; where its payload is cut off, what there is of it. */
    public static Frame read(InputStream from) throws IOException {
        DataInputStream in = new DataInputStream(from);
        int first = in.readUnsignedByte();
        int second = in.readUnsignedByte();
        long length = second & 0x7f;
        if (length == 126) {
            length = in.readUnsignedShort();
        } else if (length == 127) {
            length = in.readLong();
        }
        boolean masked = second >= 0x80;
        byte[] key = masked ? in.readNBytes(4) : new byte[4];
        byte[] payload = in.readNBytes((int) Math.min(length, Integer.MAX_VALUE));
        for (int i = 0; i < payload.length; i++) {
            payload[i] ^= key[i % 4];
        }
        return new Frame(first, masked, payload);
    }

    /** The next frame an agent gets. */
    public static Frame read(RawClient agent) {
        try {
            return read(agent.input());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a server answers for a key. */
    public static String accept(String key) {
        try {
            byte[] text = (key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").getBytes(StandardCharsets.US_ASCII);
            return Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("SHA-1").digest(text));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}

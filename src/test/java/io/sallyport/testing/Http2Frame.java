package io.sallyport.testing;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** One frame of HTTP/2 (RFC 9113 section 4.1), sensible or not. */
public record Http2Frame(int type, int flags, int stream, byte[] payload) {

    public static final int DATA = 0;
    public static final int HEADERS = 1;
    public static final int PRIORITY = 2;
    public static final int RST_STREAM = 3;
    public static final int SETTINGS = 4;
    public static final int PUSH_PROMISE = 5;
    public static final int PING = 6;
    public static final int GOAWAY = 7;
    public static final int WINDOW_UPDATE = 8;
    public static final int CONTINUATION = 9;

    public static final int END_STREAM = 1;
    public static final int ACK = 1;
    public static final int END_HEADERS = 4;
    public static final int PADDED = 8;

    public static final int HEADER_TABLE_SIZE = 1;
    public static final int MAX_CONCURRENT_STREAMS = 3;
    public static final int INITIAL_WINDOW_SIZE = 4;

    /** What a client's connection begins with (RFC 9113 section 3.4). */
    public static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

    /** @param pairs of identifier and value */
    public static Http2Frame settings(int... pairs) {
        ByteBuffer payload = ByteBuffer.allocate(pairs.length * 3);
        for (int i = 0; i < pairs.length; i += 2) {
            payload.putShort((short) pairs[i]).putInt(pairs[i + 1]);
        }
        return new Http2Frame(SETTINGS, 0, 0, payload.array());
    }

    /** A RST_STREAM, a WINDOW_UPDATE: what has a number for its payload. */
    public static Http2Frame number(int type, int stream, int number) {
        return new Http2Frame(
                type, 0, stream, ByteBuffer.allocate(4).putInt(number).array());
    }

    /** The next one of a connection. */
    public static Http2Frame read(DataInputStream in) throws IOException {
        int first = in.read();
        if (first < 0) {
            throw new EOFException("the connection has ended");
        }
        int length = first << 16 | in.readUnsignedShort();
        int type = in.readUnsignedByte();
        int flags = in.readUnsignedByte();
        int stream = in.readInt() & Integer.MAX_VALUE;
        byte[] payload = new byte[length];
        in.readFully(payload);
        return new Http2Frame(type, flags, stream, payload);
    }

    public static byte[] bytes(int type, int flags, int stream, byte[] payload) {
        return new Http2Frame(type, flags, stream, payload).bytes();
    }

    /** As it stands on the wire. */
    public byte[] bytes() {
        return ByteBuffer.allocate(9 + payload.length)
                .put((byte) (payload.length >> 16))
                .putShort((short) payload.length)
                .put((byte) type)
                .put((byte) flags)
                .putInt(stream)
                .put(payload)
                .array();
    }

    /** The error of a RST_STREAM or a GOAWAY; the number of a WINDOW_UPDATE. */
    public int code() {
        return ByteBuffer.wrap(payload).getInt(type == GOAWAY ? 4 : 0);
    }

    public boolean has(int flag) {
        return (flags & flag) != 0;
    }
}

package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * The head of a WebSocket frame (RFC 6455 section 5.2).
 *
 * @param first its first byte: FIN, three reserved bits, opcode
 * @param length of the payload in bytes, 0 to 2^63 - 1; below zero where the top bit was set
 * @param lengthBytes that the length took: 0, 2 or 8 beyond the second byte
 * @param key the masking key; null where the payload is not masked
 */
record FrameHead(
        int first, long length, int lengthBytes, @Nullable Integer key) {

    static final int CONTINUATION = 0;
    static final int TEXT = 1;
    static final int BINARY = 2;
    static final int CLOSE = 8;
    static final int PING = 9;
    static final int PONG = 10;

    /** The longest payload of a control frame, in bytes. */
    static final int CONTROL = 125;

    private static final int MASKED = 0x80;

    /** Without a key. @param last of its message @param length in bytes */
    static FrameHead of(boolean last, int opcode, int length) {
        int lengthBytes = length <= CONTROL ? 0 : length <= 0xffff ? 2 : 8;
        return new FrameHead((last ? 0x80 : 0) | opcode, length, lengthBytes, null);
    }

    /** Takes one head off; null when more must arrive, and then nothing is taken. */
    static @Nullable FrameHead read(ByteBuf in) {
        int at = in.readerIndex();
        if (in.readableBytes() < 2) {
            return null;
        }
        int second = in.getUnsignedByte(at + 1);
        int lengthBytes = switch (second & 0x7f) {
            case 126 -> 2;
            case 127 -> 8;
            default -> 0;
        };
        boolean masked = (second & MASKED) != 0;
        if (in.readableBytes() < 2 + lengthBytes + (masked ? 4 : 0)) {
            return null;
        }
        int first = in.readUnsignedByte();
        in.skipBytes(1);
        long length = switch (lengthBytes) {
            case 2 -> in.readUnsignedShort();
            case 8 -> in.readLong();
            default -> second & 0x7f;
        };
        return new FrameHead(first, length, lengthBytes, masked ? in.readInt() : null);
    }

    /** Writes it with another key; null for none. */
    void write(ByteBuf out, @Nullable Integer otherKey) {
        out.writeByte(first);
        int mask = otherKey == null ? 0 : MASKED;
        switch (lengthBytes) {
            case 2 -> out.writeByte(mask | 126).writeShort((int) length);
            case 8 -> out.writeByte(mask | 127).writeLong(length);
            default -> out.writeByte(mask | (int) length);
        }
        if (otherKey != null) {
            out.writeInt(otherKey);
        }
    }

    boolean last() {
        return (first & 0x80) != 0;
    }

    int opcode() {
        return first & 0x0f;
    }

    boolean control() {
        return (first & 0x08) != 0;
    }

    /** What is wrong with it by itself; null for nothing. @param masked whether its sender has to mask */
    @Nullable
    String problem(boolean masked) {
        if ((first & 0x70) != 0) {
            return "a reserved bit of a frame is set, and no extension was agreed on";
        }
        if ((key != null) != masked) {
            return masked ? "a frame of the client is not masked" : "a frame of the server is masked";
        }
        return switch (opcode()) {
            case CONTINUATION, TEXT, BINARY ->
                minimal() ? null : "the length of a frame is not written in the shortest way, or beyond 63 bits";
            case CLOSE, PING, PONG ->
                last() && length >= 0 && length <= CONTROL && lengthBytes == 0
                        ? null
                        : "a control frame is fragmented, or longer than 125 bytes";
            default -> "a frame has an unknown opcode";
        };
    }

    private boolean minimal() {
        return switch (lengthBytes) {
            case 2 -> length > CONTROL;
            case 8 -> length > 0xffff;
            default -> true;
        };
    }
}

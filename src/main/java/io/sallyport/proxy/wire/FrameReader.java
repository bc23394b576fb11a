package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.ByteToMessageDecoder;
import org.jspecify.annotations.Nullable;

/**
 * Cuts one direction of a WebSocket into frames (RFC 6455 section 5), strictly: what the two ends might read differently is no frame. It
 * does not look whether text is UTF-8; that changes no boundary and is the ends' affair.
 */
final class FrameReader {

    /** Who gets what was cut. */
    interface Sink {
        /** A frame of data begins; its payload follows in pieces, none where it is empty. */
        void data(FrameHead head);

        /**
         * A piece of its payload, as it came: masked, where its sender masks.
         *
         * @param from where in the payload it stands; the key's first byte belongs to 0
         * @param ends true when the frame ends with it; told once for every frame, with an empty piece where need be
         */
        void payload(FrameHead head, ByteBuf piece, long from, boolean ends);

        /** A whole control frame. @param payload plain, whether or not it was masked */
        void control(FrameHead head, byte[] payload);
    }

    private final boolean masked;
    private final Sink sink;
    private ByteBuf rest = Unpooled.EMPTY_BUFFER;
    private @Nullable FrameHead current;
    private long done;
    private boolean withinMessage;
    private boolean closed;
    private @Nullable String problem;

    /** @param masked true for what a client sends */
    FrameReader(boolean masked, Sink sink) {
        this.masked = masked;
        this.sink = sink;
    }

    /** Whether a Close frame was read: nothing counts after it. */
    boolean closed() {
        return closed;
    }

    /** Why nothing more can be read; null while it can. */
    @Nullable
    String problem() {
        return problem;
    }

    /** Takes the piece over. */
    void read(ByteBufAllocator alloc, ByteBuf piece) {
        rest = ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(alloc, rest, piece);
        while (problem == null && !closed && step()) {
            // each step has its effect
        }
        if (problem != null || closed || !rest.isReadable()) {
            release();
        }
    }

    void release() {
        rest.release();
        rest = Unpooled.EMPTY_BUFFER;
    }

    private boolean step() {
        FrameHead head = current;
        if (head == null) {
            return begin(FrameHead.read(rest));
        }
        return head.control() ? control(head) : payload(head);
    }

    private boolean begin(@Nullable FrameHead head) {
        if (head == null) {
            return false;
        }
        problem = head.problem(masked);
        if (problem == null && !head.control() && (head.opcode() == FrameHead.CONTINUATION) != withinMessage) {
            problem = withinMessage
                    ? "a message begins within another"
                    : "a frame goes on with a message that nobody began";
        }
        if (problem != null) {
            return false;
        }
        current = head;
        done = 0;
        if (!head.control()) {
            withinMessage = !head.last();
            sink.data(head);
        }
        return true;
    }

    private boolean payload(FrameHead head) {
        int length = (int) Math.min(head.length() - done, rest.readableBytes());
        boolean ends = done + length == head.length();
        if (length == 0 && !ends) {
            return false;
        }
        long from = done;
        done += length;
        if (ends) {
            current = null;
        }
        sink.payload(head, rest.readSlice(length), from, ends);
        return true;
    }

    private boolean control(FrameHead head) {
        if (rest.readableBytes() < head.length()) {
            return false;
        }
        byte[] payload = new byte[(int) head.length()];
        rest.readBytes(payload);
        if (head.key() != null) {
            for (int i = 0; i < payload.length; i++) {
                payload[i] ^= (byte) (head.key() >>> 24 - 8 * (i & 3));
            }
        }
        current = null;
        if (head.opcode() == FrameHead.CLOSE) {
            if (!goodClose(payload)) {
                problem = "a Close frame has no valid status code";
                return false;
            }
            closed = true;
        }
        sink.control(head, payload);
        return true;
    }

    /** RFC 6455 section 7.4: those that may stand on the wire, with what IANA has added. */
    private static boolean goodClose(byte[] payload) {
        if (payload.length == 0) {
            return true;
        }
        if (payload.length == 1) {
            return false;
        }
        int code = (payload[0] & 0xff) << 8 | payload[1] & 0xff;
        boolean defined = code >= 1000 && code <= 1014 && code != 1004 && code != 1005 && code != 1006;
        return defined || (code >= 3000 && code <= 4999);
    }
}

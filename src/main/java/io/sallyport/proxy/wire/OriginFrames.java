package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sallyport.credential.Scrubber;
import io.sallyport.proxy.Admission;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What the destination says on a WebSocket, on its way to the agent. A message's payload goes through the scrubber as one, whatever frames
 * it comes in, so that a secret can't be split between them. Masking keeps lengths, so a message of one frame keeps its frame: whatever is
 * held back waits for the message's end at most. A message of several is cut anew, as whoever stands between may where no extension was
 * agreed on (RFC 6455 section 5.4): each frame has what may go on, so that no control frame waits behind what may not.
 */
final class OriginFrames implements FrameReader.Sink {

    private final AgentStream agent;
    private final Scrubber scrubber;
    private final boolean scrubbing;
    private final FrameReader reader = new FrameReader(false, this);
    private ByteBuf out = Unpooled.EMPTY_BUFFER;
    private long payloadBytes;

    /** Whether the agent got the head of a frame whose payload is not whole yet. */
    private boolean begun;

    /** Whether this message comes in several frames that are cut anew. */
    private boolean cutAnew;

    /** Opcode of the next frame that is cut anew. */
    private int opcode;

    OriginFrames(AgentStream agent, Admission admission) {
        this.agent = agent;
        this.scrubber = admission.scrubber();
        this.scrubbing = admission.credentialed();
    }

    /** Takes the piece over. @return what is wrong with it; null for nothing */
    @Nullable
    String read(ByteBuf piece) {
        if (reader.problem() != null || reader.closed()) {
            piece.release();
            return null;
        }
        out = agent.alloc().buffer(piece.readableBytes() + 64);
        reader.read(agent.alloc(), piece);
        ByteBuf written = out;
        out = Unpooled.EMPTY_BUFFER;
        if (written.isReadable()) {
            agent.content(written);
        } else {
            written.release();
        }
        return reader.problem();
    }

    /** Whether a Close frame went by. */
    boolean closed() {
        return reader.closed();
    }

    /** Whether a frame of our own may follow what the agent got so far. */
    boolean betweenFrames() {
        return !begun;
    }

    /** Bytes of payload that came, control frames' too. */
    long payloadBytes() {
        return payloadBytes;
    }

    void release() {
        reader.release();
    }

    @Override
    public void data(FrameHead head) {
        if (head.opcode() != FrameHead.CONTINUATION) {
            cutAnew = scrubbing && !head.last();
            opcode = head.opcode();
        }
        if (!cutAnew) {
            begun = true;
            head.write(out, null);
        }
    }

    @Override
    public void payload(FrameHead head, ByteBuf piece, long from, boolean ends) {
        payloadBytes += piece.readableBytes();
        begun &= !ends;
        boolean messageEnds = ends && head.last();
        if (!scrubbing) {
            out.writeBytes(piece);
            return;
        }
        // What the scrubber returns is its own until the next call, so it is written at once.
        ByteBuffer[] parts = piece.isReadable() ? piece.nioBuffers() : new ByteBuffer[] {ByteBuffer.allocate(0)};
        for (int i = 0; i < parts.length; i++) {
            boolean last = messageEnds && i == parts.length - 1;
            pass(scrubber.push(parts[i], last), last);
        }
    }

    private void pass(ByteBuffer payload, boolean last) {
        if (cutAnew && (last || payload.hasRemaining())) {
            FrameHead.of(last, opcode, payload.remaining()).write(out, null);
            opcode = FrameHead.CONTINUATION;
        }
        out.writeBytes(payload);
    }

    @Override
    public void control(FrameHead head, byte[] payload) {
        payloadBytes += payload.length;
        head.write(out, null);
        // The status code of a Close is no text.
        int text = head.opcode() == FrameHead.CLOSE ? Math.min(2, payload.length) : 0;
        out.writeBytes(payload, 0, text);
        String plain = new String(payload, text, payload.length - text, StandardCharsets.ISO_8859_1);
        out.writeCharSequence(scrubbing ? scrubber.text(plain) : plain, StandardCharsets.ISO_8859_1);
    }

    /** A Close frame of the broker's own. @param code of RFC 6455 section 7.4 @param reason ASCII, at most 123 bytes */
    static ByteBuf close(int code, String reason) {
        ByteBuf frame = Unpooled.buffer(4 + reason.length());
        frame.writeByte(0x80 | FrameHead.CLOSE).writeByte(2 + reason.length()).writeShort(code);
        frame.writeCharSequence(reason, StandardCharsets.US_ASCII);
        return frame;
    }
}

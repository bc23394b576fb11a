package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sallyport.credential.Scrubber;
import io.sallyport.proxy.Admission;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * What the destination says on a WebSocket, on its way to the agent. A message's payload goes through the scrubber as one, whatever frames
 * it comes in, so that a secret can't be split between them. Masking keeps lengths, so the frames stay as they are: what the scrubber holds
 * back delays what stands behind it, until the message's end at the latest.
 */
final class OriginFrames implements FrameReader.Sink {

    /** What may wait behind bytes that are held back: many small frames there are not worth the memory. */
    private static final int MOST_WAITING = 64 * 1024;

    /** @param at how much payload of the direction goes before it */
    private record Waiting(long at, ByteBuf bytes) {}

    private final AgentStream agent;
    private final Scrubber scrubber;
    private final boolean scrubbing;
    private final FrameReader reader = new FrameReader(false, this);
    private final Queue<Waiting> waiting = new ArrayDeque<>();
    private int waitingBytes;
    private ByteBuf out = Unpooled.EMPTY_BUFFER;
    private long came;
    private long passed;
    private long controlBytes;

    /** Whether the agent got the head of a frame whose payload is not whole yet. */
    private boolean begun;

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
        return reader.problem() == null && waitingBytes > MOST_WAITING
                ? "too many frames wait behind what may be the beginning of a secret"
                : reader.problem();
    }

    /** Whether a Close frame went by. */
    boolean closed() {
        return reader.closed();
    }

    /** Whether a frame of our own may follow what the agent got so far. */
    boolean betweenFrames() {
        return passed == came && waiting.isEmpty() && !begun;
    }

    /** Bytes of payload that came, control frames' too. */
    long payloadBytes() {
        return came + controlBytes;
    }

    void release() {
        reader.release();
        waiting.forEach(next -> next.bytes().release());
        waiting.clear();
    }

    @Override
    public void data(FrameHead head) {
        begun = true;
        ByteBuf bytes = agent.alloc().buffer(10);
        head.write(bytes, null);
        inTurn(bytes);
    }

    @Override
    public void payload(FrameHead head, ByteBuf piece, long from, boolean ends) {
        came += piece.readableBytes();
        begun = !ends;
        boolean messageEnds = ends && head.last();
        if (!scrubbing) {
            pass(piece);
            return;
        }
        // What the scrubber returns is its own until the next call, so it is written at once.
        ByteBuffer[] parts = piece.isReadable() ? piece.nioBuffers() : new ByteBuffer[] {ByteBuffer.allocate(0)};
        for (int i = 0; i < parts.length; i++) {
            pass(Unpooled.wrappedBuffer(scrubber.push(parts[i], messageEnds && i == parts.length - 1)));
        }
    }

    @Override
    public void control(FrameHead head, byte[] payload) {
        controlBytes += payload.length;
        ByteBuf bytes = agent.alloc().buffer(2 + payload.length);
        head.write(bytes, null);
        // The status code of a Close is no text.
        int text = head.opcode() == FrameHead.CLOSE ? Math.min(2, payload.length) : 0;
        bytes.writeBytes(payload, 0, text);
        String plain = new String(payload, text, payload.length - text, StandardCharsets.ISO_8859_1);
        bytes.writeCharSequence(scrubbing ? scrubber.text(plain) : plain, StandardCharsets.ISO_8859_1);
        inTurn(bytes);
    }

    /** Takes it over: it goes behind the payload that came before it. */
    private void inTurn(ByteBuf bytes) {
        if (passed == came && waiting.isEmpty()) {
            out.writeBytes(bytes);
            bytes.release();
        } else {
            waitingBytes += bytes.readableBytes();
            waiting.add(new Waiting(came, bytes));
        }
    }

    /** Payload that may go on, with what waited for it in between. */
    private void pass(ByteBuf payload) {
        while (true) {
            Waiting next = waiting.peek();
            if (next == null) {
                passed += payload.readableBytes();
                out.writeBytes(payload);
                return;
            }
            int before = (int) Math.min(payload.readableBytes(), next.at() - passed);
            passed += before;
            out.writeBytes(payload, before);
            if (passed < next.at()) {
                return;
            }
            waiting.remove();
            waitingBytes -= next.bytes().readableBytes();
            out.writeBytes(next.bytes());
            next.bytes().release();
        }
    }

    /** A Close frame of the broker's own. @param code of RFC 6455 section 7.4 @param reason ASCII, at most 123 bytes */
    static ByteBuf close(int code, String reason) {
        ByteBuf frame = Unpooled.buffer(4 + reason.length());
        frame.writeByte(0x80 | FrameHead.CLOSE).writeByte(2 + reason.length()).writeShort(code);
        frame.writeCharSequence(reason, StandardCharsets.US_ASCII);
        return frame;
    }
}

package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.security.SecureRandom;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the agent says on a WebSocket, on its way into windows. The content that is recorded is the payload, unmasked: framing and mask
 * are transfer coding, as chunks are. The mask is made anew, because its four bytes a frame would otherwise be a way out past the record;
 * all else of a frame stays as it is.
 */
final class AgentFrames implements FrameReader.Sink {

    private static final SecureRandom RANDOM = new SecureRandom();

    private final ContentGatherer gatherer;
    private final ByteBufAllocator alloc;
    private final EmptyFrames empty;
    private final FrameReader reader = new FrameReader(true, this);
    private ByteBuf out = Unpooled.EMPTY_BUFFER;
    private int key;
    private boolean flooded;
    private boolean released;

    /** @param nanos monotonic */
    AgentFrames(ContentGatherer gatherer, ByteBufAllocator alloc, LongSupplier nanos) {
        this.gatherer = gatherer;
        this.alloc = alloc;
        this.empty = new EmptyFrames(nanos);
    }

    /** Takes the piece over. @return what is wrong with it; null for nothing */
    @Nullable
    String read(ByteBuf piece) {
        if (released || flooded || reader.problem() != null || reader.closed()) {
            piece.release();
            return null;
        }
        out = alloc.buffer(piece.readableBytes() + 64);
        reader.read(alloc, piece);
        ByteBuf coded = out;
        out = Unpooled.EMPTY_BUFFER;
        if (flooded) {
            coded.release();
            return "there are more than " + EmptyFrames.MOST + " frames without payload in a minute";
        }
        gatherer.hold(coded);
        if (reader.closed()) {
            gatherer.end();
        }
        return reader.problem();
    }

    /** Whether a Close frame was read. */
    boolean closed() {
        return reader.closed();
    }

    /** Nothing of what comes from now on is read. */
    void release() {
        released = true;
        reader.release();
    }

    @Override
    public void data(FrameHead head) {
        begin(head);
    }

    @Override
    public void payload(FrameHead head, ByteBuf piece, long from, boolean ends) {
        Integer old = head.key();
        int at = out.writerIndex();
        out.writeBytes(piece);
        Mask.apply(out, at, old == null ? 0 : old, from);
        recorded(at, from);
    }

    @Override
    public void control(FrameHead head, byte[] payload) {
        begin(head);
        int at = out.writerIndex();
        out.writeBytes(payload);
        recorded(at, 0);
    }

    private void begin(FrameHead head) {
        flooded |= head.length() == 0 && !empty.another();
        key = RANDOM.nextInt();
        head.write(out, key);
    }

    /** What stands in the clear from there on is content; it leaves masked. */
    private void recorded(int at, long from) {
        gatherer.note(out.slice(at, out.writerIndex() - at));
        Mask.apply(out, at, key, from);
    }
}

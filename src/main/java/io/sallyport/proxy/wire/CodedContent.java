package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.sallyport.proxy.coding.CodingFault;
import io.sallyport.proxy.coding.Codings;
import io.sallyport.proxy.coding.Decoder;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** Content that is decoded on its way to the agent. What expands waits as it came, and is decoded as the agent takes it. */
final class CodedContent {

    /** In bytes: what is decoded at a time. */
    private static final int STEP = 16 * 1024;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final Decoder decoder;
    private final Queue<ByteBuf> coded = new ArrayDeque<>();
    private boolean closed;

    CodedContent(Codings codings) {
        decoder = new Decoder(codings);
    }

    /** Takes the piece over. */
    void add(ByteBuf piece) {
        if (piece.isReadable() && !closed) {
            coded.add(piece);
        } else {
            piece.release();
        }
    }

    /** @return what comes next of it, decoded; null when more has to come first */
    @Nullable
    ByteBuf next(ByteBufAllocator alloc) throws CodingFault {
        ByteBuf out = alloc.directBuffer(STEP, STEP);
        boolean passed = false;
        try {
            ByteBuffer room = out.nioBuffer(0, STEP);
            do {
                decode(room);
            } while (room.hasRemaining() && !coded.isEmpty());
            out.writerIndex(room.position());
            passed = out.isReadable();
            return passed ? out : null;
        } finally {
            if (!passed) {
                out.release();
            }
        }
    }

    private void decode(ByteBuffer room) throws CodingFault {
        ByteBuf piece = coded.peek();
        ByteBuffer in = piece == null ? NOTHING : piece.nioBuffer();
        int came = in.remaining();
        decoder.decode(in, room);
        if (piece != null) {
            piece.skipBytes(came - in.remaining());
            if (!piece.isReadable()) {
                coded.remove().release();
            }
        }
    }

    /** Whether it could end here: asked when {@link #next} has no more. */
    boolean whole() {
        return decoder.whole();
    }

    /** Lets go of all that waits. Idempotent. */
    void release() {
        if (!closed) {
            closed = true;
            coded.forEach(ByteBuf::release);
            coded.clear();
            decoder.close();
        }
    }
}

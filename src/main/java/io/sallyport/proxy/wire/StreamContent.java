package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.sallyport.http.Framing;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Content of one HTTP/2 request that has come and that nobody has taken yet: never more than the stream's window, which opens again only
 * with what is taken.
 */
final class StreamContent {

    /** A smaller piece is copied: kept as it came, it would hold a whole buffer of the connection, and a frame may have one byte. */
    private static final int SMALL = 1024;

    private static final int GATHERED = 8 * 1024;

    private final Queue<ByteBuf> waiting = new ArrayDeque<>();
    private final ByteBufAllocator alloc;
    private @Nullable ByteBuf gathered;
    private long promised = -1;
    private long received;

    StreamContent(ByteBufAllocator alloc) {
        this.alloc = alloc;
    }

    void delimitedBy(Framing framing) {
        promised = framing instanceof Framing.Length(long length) ? length : -1;
    }

    /**
     * Counts what came, before it is used (RFC 9113 section 8.1.1).
     *
     * @return why this can't be the content that the head promised; null where it can
     */
    @Nullable
    String count(int bytes, boolean end) {
        received += bytes;
        if (promised < 0 || (received <= promised && (!end || received == promised))) {
            return null;
        }
        return received > promised
                ? "more has come than its content-length says"
                : "it ends before its content-length is reached";
    }

    /** Leaves the piece to the caller, and keeps what is in it. */
    void keep(ByteBuf piece) {
        int size = piece.readableBytes();
        ByteBuf room = gathered;
        if (room != null && room.writableBytes() >= size) {
            room.writeBytes(piece);
        } else if (size < SMALL) {
            gathered = alloc.buffer(GATHERED, GATHERED).writeBytes(piece);
            waiting.add(gathered);
        } else {
            gathered = null;
            waiting.add(piece.retain());
        }
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** The next piece, the caller's to release; null for none. */
    @Nullable
    ByteBuf take() {
        ByteBuf next = waiting.poll();
        if (next == gathered) {
            gathered = null;
        }
        return next;
    }

    /** Lets go of everything. @return the bytes that were held */
    int drop() {
        int dropped = 0;
        for (ByteBuf piece = take(); piece != null; piece = take()) {
            dropped += piece.readableBytes();
            piece.release();
        }
        return dropped;
    }
}

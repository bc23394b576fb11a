package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/**
 * Pieces of content, put one behind the other without copying them. Small ones are copied together: each would keep the whole buffer that
 * it was read into, and a peer that sends single bytes would have the hop hold thousands of bytes for each.
 */
final class Pieces {

    private static final int SMALL = 4 * 1024;
    private static final int ROOM = 4 * SMALL;

    /** Beyond so many pieces the library copies them together. */
    private static final int MOST = 1024;

    private @Nullable CompositeByteBuf whole;
    private @Nullable ByteBuf tail;
    private int size;

    int size() {
        return size;
    }

    /** Takes the piece over. */
    void add(ByteBuf piece) {
        int length = piece.readableBytes();
        size += length;
        if (length >= SMALL) {
            join();
            put(piece);
            return;
        }
        try {
            ByteBuf room = tail;
            if (room == null || room.writableBytes() < length) {
                join();
                room = piece.alloc().buffer(ROOM);
                tail = room;
            }
            room.writeBytes(piece);
        } finally {
            piece.release();
        }
    }

    private void join() {
        ByteBuf small = tail;
        if (small != null) {
            tail = null;
            put(small);
        }
    }

    private void put(ByteBuf piece) {
        if (whole == null) {
            whole = piece.alloc().compositeBuffer(MOST);
        }
        whole.addComponent(true, piece);
    }

    /** All of them; the caller releases it. */
    ByteBuf take() {
        size = 0;
        ByteBuf only = tail;
        if (whole == null && only != null) {
            tail = null;
            return only;
        }
        join();
        ByteBuf all = whole == null ? Unpooled.EMPTY_BUFFER : whole;
        whole = null;
        return all;
    }
}

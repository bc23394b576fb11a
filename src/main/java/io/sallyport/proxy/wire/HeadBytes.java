package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.concurrent.FastThreadLocal;
import io.sallyport.http.Field;
import java.util.Arrays;

/**
 * A head while it is written: bytes of the thread's own, which go into a buffer in one piece. Character by character into memory outside
 * the heap costs four times as much.
 */
final class HeadBytes {

    private static final FastThreadLocal<HeadBytes> OF_THREAD = new FastThreadLocal<>() {
        @Override
        protected HeadBytes initialValue() {
            return new HeadBytes();
        }
    };

    /** A larger one is not kept: its text stays in memory until the next, and most are small. */
    private static final int KEPT = 16 * 1024;

    private byte[] bytes = new byte[1024];
    private int length;

    private HeadBytes() {}

    /** Empty. */
    static HeadBytes ofThisThread() {
        HeadBytes head = OF_THREAD.get();
        head.length = 0;
        return head;
    }

    HeadBytes field(Field line) {
        return value(line.name()).text(": ").value(line.value()).end();
    }

    /** Text of ours. */
    HeadBytes text(String ascii) {
        int size = ascii.length();
        room(size);
        for (int i = 0; i < size; i++) {
            bytes[length + i] = (byte) ascii.charAt(i);
        }
        length += size;
        return this;
    }

    /** One byte per character. A line end here would begin a field of somebody else's choice: that is a fault of ours. */
    HeadBytes value(String text) {
        int size = text.length();
        room(size);
        for (int i = 0; i < size; i++) {
            char c = text.charAt(i);
            if (c == '\r' || c == '\n' || c == 0 || c > 255) {
                throw new IllegalStateException("a head can't hold character " + (int) c);
            }
            bytes[length + i] = (byte) c;
        }
        length += size;
        return this;
    }

    HeadBytes number(long number) {
        return text(Long.toString(number));
    }

    HeadBytes end() {
        return text("\r\n");
    }

    ByteBuf in(ByteBufAllocator alloc) {
        ByteBuf out = alloc.buffer(length).writeBytes(bytes, 0, length);
        if (bytes.length > KEPT) {
            bytes = new byte[KEPT];
        }
        return out;
    }

    private void room(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
        }
    }
}

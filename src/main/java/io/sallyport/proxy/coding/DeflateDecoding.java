package io.sallyport.proxy.coding;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** deflate: the zlib format, as RFC 9110 section 8.4.1.2 has it, and bare DEFLATE, which some servers take it for and all clients read. */
final class DeflateDecoding implements Decoding {

    private final ByteBuffer start = ByteBuffer.allocate(2);
    private @Nullable Inflation inflation;
    private boolean ended;

    @Override
    public void decode(ByteBuffer in, ByteBuffer out) throws CodingFault {
        while (inflation == null && in.hasRemaining()) {
            start.put(in.get());
            if (!start.hasRemaining()) {
                start.flip();
                inflation = new Inflation(!zlib());
            }
        }
        if (inflation != null && !ended && start.hasRemaining()) {
            ended = inflation.decode(start, out);
        }
        if (inflation != null && !ended && !start.hasRemaining()) {
            ended = inflation.decode(in, out);
        }
        if (ended && (in.hasRemaining() || start.hasRemaining())) {
            throw new CodingFault("something stands behind the compressed data");
        }
    }

    /** RFC 1950 section 2.2: the method, and a check over both bytes. */
    private boolean zlib() {
        int both = start.get(0) << 8 | start.get(1) & 0xff;
        return (start.get(0) & 0x0f) == 8 && (both & 0xffff) % 31 == 0;
    }

    @Override
    public boolean whole() {
        return ended || (inflation == null && start.position() == 0);
    }

    @Override
    public void close() {
        if (inflation != null) {
            inflation.close();
        }
    }
}

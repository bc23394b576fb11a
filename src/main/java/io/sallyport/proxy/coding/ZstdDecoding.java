package io.sallyport.proxy.coding;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import java.nio.ByteBuffer;

/** zstd (RFC 8878), one frame or several. As a content coding its window is at most 8 MiB (RFC 9659). */
final class ZstdDecoding implements Decoding {

    private static final int INPUT = 16 * 1024;
    private static final int WINDOW_LOG = 23;

    private final ZstdDecompressCtx context = new ZstdDecompressCtx().setLongMax(WINDOW_LOG);
    private final ByteBuffer input = ByteBuffer.allocateDirect(INPUT).limit(0);
    private boolean between = true;

    @Override
    public void decode(ByteBuffer in, ByteBuffer out) throws CodingFault {
        while (out.hasRemaining()) {
            if (!input.hasRemaining()) {
                fill(in);
            }
            int taken = input.position();
            int given = out.position();
            // A frame that has ended is no unfinished one, though nothing is asked of it: the next call would begin
            // another.
            if (between && !input.hasRemaining()) {
                return;
            }
            try {
                between = context.decompressDirectByteBufferStream(out, input);
            } catch (ZstdException e) {
                throw new CodingFault("the compressed data is corrupt, or needs a window beyond 8 MiB");
            }
            boolean stands = taken == input.position() && given == out.position();
            if (stands && (input.hasRemaining() || !in.hasRemaining())) {
                return;
            }
        }
    }

    private void fill(ByteBuffer in) {
        int length = Math.min(INPUT, in.remaining());
        input.clear().limit(length);
        input.put(in.slice(in.position(), length)).flip();
        in.position(in.position() + length);
    }

    @Override
    public boolean whole() {
        return between && !input.hasRemaining();
    }

    @Override
    public void close() {
        context.close();
    }
}

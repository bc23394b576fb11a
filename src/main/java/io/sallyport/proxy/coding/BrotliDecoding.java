package io.sallyport.proxy.coding;

import com.aayushatharva.brotli4j.decoder.DecoderJNI;
import java.io.IOException;
import java.nio.ByteBuffer;

/** br (RFC 7932), by Google's own decoder. Its window is what the stream asks for, at most 16 MiB. */
final class BrotliDecoding implements Decoding {

    private static final int INPUT = 16 * 1024;
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final DecoderJNI.Wrapper decoder;
    /** What is decoded and not taken yet: a view of the decoder's own memory, until it is given more. */
    private ByteBuffer ready = NOTHING;

    private boolean began;

    BrotliDecoding() {
        try {
            decoder = new DecoderJNI.Wrapper(INPUT);
        } catch (IOException e) {
            throw new IllegalStateException("the decoder of brotli can't begin", e);
        }
    }

    @Override
    public void decode(ByteBuffer in, ByteBuffer out) throws CodingFault {
        while (out.hasRemaining()) {
            if (ready.hasRemaining()) {
                take(out);
            } else if (decoder.hasOutput()) {
                ready = decoder.pull();
            } else if (!goOn(in)) {
                return;
            }
        }
    }

    private void take(ByteBuffer out) {
        int length = Math.min(ready.remaining(), out.remaining());
        out.put(ready.slice(ready.position(), length));
        ready.position(ready.position() + length);
    }

    /** @return false where it needs more than there is */
    private boolean goOn(ByteBuffer in) throws CodingFault {
        switch (decoder.getStatus()) {
            case DONE -> {
                if (in.hasRemaining()) {
                    throw new CodingFault("something stands behind the compressed data");
                }
                return false;
            }
            case OK -> decoder.push(0);
            case NEEDS_MORE_OUTPUT -> ready = decoder.pull();
            case NEEDS_MORE_INPUT -> {
                if (!in.hasRemaining()) {
                    return false;
                }
                began = true;
                ByteBuffer input = decoder.getInputBuffer();
                input.clear();
                int length = Math.min(input.remaining(), in.remaining());
                input.put(in.slice(in.position(), length));
                in.position(in.position() + length);
                decoder.push(length);
            }
            case ERROR -> throw new CodingFault("the compressed data is corrupt");
        }
        return true;
    }

    @Override
    public boolean whole() {
        return !began || (decoder.getStatus() == DecoderJNI.Status.DONE && !ready.hasRemaining());
    }

    @Override
    public void close() {
        ready = NOTHING;
        decoder.destroy();
    }
}

package io.sallyport.proxy.coding;

import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** DEFLATE (RFC 1951) from buffer to buffer, the part that gzip and deflate share. */
final class Inflation implements AutoCloseable {

    private final Inflater inflater;

    /** @param bare false where the zlib format (RFC 1950) stands around it, which is then checked too */
    Inflation(boolean bare) {
        inflater = new Inflater(bare);
    }

    /** @return whether the stream has ended, and {@code in} stands behind it */
    boolean decode(ByteBuffer in, ByteBuffer out) throws CodingFault {
        inflater.setInput(in);
        try {
            while (!inflater.finished() && out.hasRemaining()) {
                if (inflater.inflate(out) == 0 && !inflater.finished()) {
                    if (inflater.needsDictionary() || !inflater.needsInput()) {
                        throw new CodingFault("a dictionary is needed that nobody has");
                    }
                    break;
                }
            }
            return inflater.finished();
        } catch (DataFormatException e) {
            throw new CodingFault("the compressed data is corrupt");
        }
    }

    /** Begins anew. */
    void reset() {
        inflater.reset();
    }

    @Override
    public void close() {
        inflater.end();
    }
}

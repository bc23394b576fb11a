package io.sallyport.proxy.coding;

import java.nio.ByteBuffer;

/** Takes one coding off, as bytes come: whatever the bytes so far tell is told. Not thread-safe. */
interface Decoding extends AutoCloseable {

    /**
     * Goes on with {@code in} until it is used up and all that it tells is out, or until there is no room left; after that it is called
     * again with more room, and perhaps with nothing in.
     *
     * @param in read from its position on
     * @param out direct, with room; written from its position on
     * @throws CodingFault where the bytes are not of this coding; it is not to be called again then
     */
    void decode(ByteBuffer in, ByteBuffer out) throws CodingFault;

    /** Whether the coding could end here: asked when all that came is out. No bytes at all are whole. */
    boolean whole();

    /** Lets go of memory that is not the heap's. */
    @Override
    void close();
}

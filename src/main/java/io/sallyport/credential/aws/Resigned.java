package io.sallyport.credential.aws;

import java.nio.ByteBuffer;

/** What becomes of a piece of an upload. */
public sealed interface Resigned {

    /** May leave; empty while a chunk is not whole. */
    record Piece(ByteBuffer bytes) implements Resigned {}

    /** Nothing more may leave. */
    record Refused(String reason) implements Resigned {}
}

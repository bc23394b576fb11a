package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBuf;
import io.sallyport.http.Fields;
import java.util.Locale;

/**
 * Where the messages of a gRPC stream end: each has a head of five bytes, the last four of which are its length. A message is a whole to
 * whoever waits for it, so nothing of it may wait for the next one.
 */
final class MessageEnds {

    private static final int HEAD = 5;

    private int headLeft = HEAD;
    private long left;

    /** Whether an answer's content is such a stream: gRPC, and gRPC-Web in bytes. */
    static boolean in(Fields fields) {
        return fields.first("content-type")
                .map(type -> type.toLowerCase(Locale.ROOT).split(";", 2)[0].strip())
                .filter(type -> type.equals("application/grpc")
                        || type.startsWith("application/grpc+")
                        || type.equals("application/grpc-web")
                        || type.startsWith("application/grpc-web+"))
                .isPresent();
    }

    /** Takes the readable bytes up to the end of the message that they belong to, or all of them. */
    ByteBuf next(ByteBuf piece) {
        int start = piece.readerIndex();
        while (headLeft > 0 && piece.isReadable()) {
            int part = piece.readUnsignedByte();
            headLeft--;
            // The first byte is a flag.
            left = headLeft == HEAD - 1 ? 0 : left << 8 | part;
        }
        if (headLeft == 0) {
            int length = (int) Math.min(left, piece.readableBytes());
            piece.skipBytes(length);
            left -= length;
        }
        return piece.slice(start, piece.readerIndex() - start);
    }

    /** Whether what was taken last ended a message; asked once. */
    boolean ended() {
        boolean whole = headLeft == 0 && left == 0;
        headLeft = whole ? HEAD : headLeft;
        return whole;
    }
}

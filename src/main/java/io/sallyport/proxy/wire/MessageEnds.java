package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBuf;
import io.sallyport.http.Fields;
import java.util.Locale;

/**
 * Where the messages of a gRPC stream end: each has a head of five bytes, the last four of which are its length. A message is a whole to
 * whoever waits for it, so nothing of it may wait for the next one. Content whose heads are none is not such a stream, whatever it is
 * called: nothing ends in it before the answer does.
 */
final class MessageEnds {

    private static final int HEAD = 5;

    /** What the first byte of a head may have set: compressed, and in gRPC-Web that it is the trailers. */
    private static final int FLAGS = 0x81;

    private int headLeft = HEAD;
    private long left;
    private boolean lost;

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
            boolean first = headLeft == HEAD - 1;
            lost |= first && (part & ~FLAGS) != 0;
            left = first ? 0 : left << 8 | part;
        }
        if (lost) {
            piece.skipBytes(piece.readableBytes());
        } else if (headLeft == 0) {
            int length = (int) Math.min(left, piece.readableBytes());
            piece.skipBytes(length);
            left -= length;
        }
        return piece.slice(start, piece.readerIndex() - start);
    }

    /** Whether what was taken last ended a message; asked once. */
    boolean ended() {
        boolean whole = !lost && headLeft == 0 && left == 0;
        headLeft = whole ? HEAD : headLeft;
        return whole;
    }
}

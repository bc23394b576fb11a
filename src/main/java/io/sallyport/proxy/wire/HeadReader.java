package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * Finds the end of a head in what has arrived so far. Lines end with CR LF and nothing else: a parser that takes a bare line feed for an
 * end sees other fields than one that does not.
 */
final class HeadReader {

    static final int HEAD_LIMIT = 64 * 1024;

    sealed interface Found {
        record Incomplete() implements Found {}

        /** @param text all lines, each with its CR LF, without the empty one; one character per byte */
        record Complete(String text) implements Found {}

        record TooLarge() implements Found {}

        record Malformed(String reason) implements Found {}
    }

    private static final Found INCOMPLETE = new Found.Incomplete();

    private int scanned;
    private int lineStart;

    /** Consumes the head when it is complete, and nothing otherwise. */
    Found read(ByteBuf in) {
        if (lineStart == 0) {
            skipEmptyLine(in);
        }
        int start = in.readerIndex();
        while (true) {
            int feed = in.indexOf(start + scanned, in.writerIndex(), (byte) '\n');
            if (feed < 0) {
                scanned = in.readableBytes();
                return scanned > HEAD_LIMIT ? new Found.TooLarge() : INCOMPLETE;
            }
            int end = feed - start;
            if (end > HEAD_LIMIT) {
                return new Found.TooLarge();
            }
            if (end == lineStart || in.getByte(feed - 1) != '\r') {
                return new Found.Malformed("a line of the head does not end with CR LF");
            }
            if (end - lineStart == 1) {
                return complete(in, lineStart);
            }
            lineStart = end + 1;
            scanned = lineStart;
        }
    }

    private Found complete(ByteBuf in, int length) {
        String text = in.toString(in.readerIndex(), length, StandardCharsets.ISO_8859_1);
        in.skipBytes(length + 2);
        scanned = 0;
        lineStart = 0;
        return new Found.Complete(text);
    }

    /** RFC 9112 section 2.2: one empty line before a head is let pass, for clients that end a body with one too many. */
    private void skipEmptyLine(ByteBuf in) {
        if (scanned == 0
                && in.readableBytes() >= 2
                && in.getByte(in.readerIndex()) == '\r'
                && in.getByte(in.readerIndex() + 1) == '\n') {
            in.skipBytes(2);
        }
    }
}

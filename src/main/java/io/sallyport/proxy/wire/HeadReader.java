package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBuf;
import io.sallyport.http.FieldSyntax;
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

        /** @param what there is too much of, in words */
        record TooLarge(String what) implements Found {}

        record Malformed(String reason) implements Found {}
    }

    private static final Found INCOMPLETE = new Found.Incomplete();
    private static final Found TOO_LONG = new Found.TooLarge("the head is larger than 64 KiB");
    private static final Found TOO_MANY =
            new Found.TooLarge("the head has more than " + FieldSyntax.MAX_LINES + " field lines");

    private int scanned;
    private int lineStart;
    private int lines;
    private boolean skipped;

    /** Consumes the head when it is complete, and nothing otherwise. */
    Found read(ByteBuf in) {
        while (true) {
            int start = in.readerIndex();
            int feed = in.indexOf(start + scanned, in.writerIndex(), (byte) '\n');
            if (feed < 0) {
                scanned = in.readableBytes();
                return scanned > HEAD_LIMIT ? TOO_LONG : INCOMPLETE;
            }
            int end = feed - start;
            if (end > HEAD_LIMIT) {
                return TOO_LONG;
            }
            if (end == lineStart || in.getByte(feed - 1) != '\r') {
                return new Found.Malformed("a line of the head does not end with CR LF");
            }
            if (end == 1) {
                if (skipped) {
                    return new Found.Malformed("there is more than one empty line before the head");
                }
                skipEmptyLine(in);
                continue;
            }
            if (end - lineStart == 1) {
                return complete(in, lineStart);
            }
            // The first line is none of fields. Found while they come: they need not all be here, and are not split
            // first.
            if (++lines > FieldSyntax.MAX_LINES + 1) {
                return TOO_MANY;
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
        lines = 0;
        skipped = false;
        return new Found.Complete(text);
    }

    /**
     * RFC 9112 section 2.2: one empty line before a head is let pass, for clients that end a body with one too many. A second one is
     * malformed: a peer that sends nothing else could stay for ever without having begun a head.
     */
    private void skipEmptyLine(ByteBuf in) {
        in.skipBytes(2);
        skipped = true;
        scanned = 0;
    }
}

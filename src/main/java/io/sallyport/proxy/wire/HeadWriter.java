package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.sallyport.http.Field;
import io.sallyport.http.Fields;
import io.sallyport.http.Framing;
import io.sallyport.http.RequestHead;
import java.nio.charset.StandardCharsets;

/** Writes heads and chunks (RFC 9112). The framing is written from its value, never copied from a field. */
final class HeadWriter {

    private static final ByteBuf CRLF = constant("\r\n");
    private static final ByteBuf LAST_CHUNK = constant("0\r\n\r\n");

    private HeadWriter() {}

    static ByteBuf request(ByteBufAllocator alloc, RequestHead head) {
        ByteBuf out = alloc.buffer(512);
        ascii(out, head.method());
        out.writeByte(' ');
        ascii(out, head.target().text());
        ascii(out, " HTTP/1.1\r\n");
        fields(out, head.fields(), true);
        framing(out, head.framing());
        return out.writeBytes(CRLF.duplicate());
    }

    /**
     * @param framing towards the agent; with {@link Framing.None} a Content-Length stays as it is: it describes what HEAD would have got
     * @param connection {@code close}, {@code keep-alive}, or empty for what the version means anyway
     */
    static ByteBuf answer(
            ByteBufAllocator alloc, int status, String reason, Fields fields, Framing framing, String connection) {
        ByteBuf out = alloc.buffer(512);
        ascii(out, "HTTP/1.1 ");
        ascii(out, Integer.toString(status));
        out.writeByte(' ');
        text(out, reason);
        out.writeBytes(CRLF.duplicate());
        fields(out, fields, !(framing instanceof Framing.None) || status < 200 || status == 204);
        framing(out, framing);
        if (!connection.isEmpty()) {
            ascii(out, "Connection: ");
            ascii(out, connection);
            out.writeBytes(CRLF.duplicate());
        }
        return out.writeBytes(CRLF.duplicate());
    }

    /** One chunk with its size line and end. Takes the content over. */
    static ByteBuf chunk(ByteBufAllocator alloc, ByteBuf content) {
        ByteBuf size = alloc.buffer(18);
        ascii(size, Integer.toHexString(content.readableBytes()));
        size.writeBytes(CRLF.duplicate());
        return alloc.compositeBuffer(3)
                .addComponent(true, size)
                .addComponent(true, content)
                .addComponent(true, CRLF.duplicate());
    }

    static ByteBuf lastChunk() {
        return LAST_CHUNK.duplicate();
    }

    static ByteBuf lastChunk(ByteBufAllocator alloc, Fields trailers) {
        if (trailers.size() == 0) {
            return lastChunk();
        }
        ByteBuf out = alloc.buffer(128);
        ascii(out, "0\r\n");
        fields(out, trailers, true);
        return out.writeBytes(CRLF.duplicate());
    }

    private static void framing(ByteBuf out, Framing framing) {
        switch (framing) {
            case Framing.None ignored -> {}
            case Framing.Length(long length) -> ascii(out, "Content-Length: " + length + "\r\n");
            case Framing.Chunked ignored -> ascii(out, "Transfer-Encoding: chunked\r\n");
            case Framing.UntilClose ignored -> {}
        }
    }

    private static void fields(ByteBuf out, Fields fields, boolean withoutLength) {
        for (Field line : fields) {
            if (withoutLength && line.is("Content-Length")) {
                continue;
            }
            text(out, line.name());
            ascii(out, ": ");
            text(out, line.value());
            out.writeBytes(CRLF.duplicate());
        }
    }

    /** One byte per character. A line end here would begin a field of somebody else's choice: that is a fault of ours. */
    private static void text(ByteBuf out, String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\r' || c == '\n' || c == 0 || c > 255) {
                throw new IllegalStateException("a field can't hold character " + (int) c);
            }
        }
        out.writeCharSequence(text, StandardCharsets.ISO_8859_1);
    }

    private static void ascii(ByteBuf out, String text) {
        ByteBufUtil.writeAscii(out, text);
    }

    private static ByteBuf constant(String text) {
        return Unpooled.unreleasableBuffer(Unpooled.directBuffer(text.length())
                .writeBytes(text.getBytes(StandardCharsets.US_ASCII))
                .asReadOnly());
    }
}

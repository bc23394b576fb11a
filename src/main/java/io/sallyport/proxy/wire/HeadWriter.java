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
        HeadBytes out = HeadBytes.ofThisThread();
        out.value(head.method()).text(" ").value(head.target().text()).text(" HTTP/1.1\r\n");
        fields(out, head.fields(), true);
        framing(out, head.framing());
        return out.end().in(alloc);
    }

    /**
     * @param framing towards the agent; with {@link Framing.None} a Content-Length stays as it is: it describes what HEAD would have got
     * @param connection {@code close}, {@code keep-alive}, or empty for what the version means anyway
     */
    static ByteBuf answer(
            ByteBufAllocator alloc, int status, String reason, Fields fields, Framing framing, String connection) {
        HeadBytes out = HeadBytes.ofThisThread();
        out.text("HTTP/1.1 ").number(status).text(" ").value(reason).end();
        fields(out, fields, !(framing instanceof Framing.None) || status < 200 || status == 204);
        framing(out, framing);
        if (!connection.isEmpty()) {
            out.text("Connection: ").value(connection).end();
        }
        return out.end().in(alloc);
    }

    /** One chunk with its size line and end. Takes the content over. */
    static ByteBuf chunk(ByteBufAllocator alloc, ByteBuf content) {
        ByteBuf size = alloc.buffer(18);
        ByteBufUtil.writeAscii(size, Integer.toHexString(content.readableBytes()));
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
        HeadBytes out = HeadBytes.ofThisThread().text("0\r\n");
        fields(out, trailers, true);
        return out.end().in(alloc);
    }

    private static void framing(HeadBytes out, Framing framing) {
        switch (framing) {
            case Framing.None ignored -> {}
            case Framing.Length(long length) ->
                out.text("Content-Length: ").number(length).end();
            case Framing.Chunked ignored -> out.text("Transfer-Encoding: chunked\r\n");
            case Framing.UntilClose ignored -> {}
        }
    }

    private static void fields(HeadBytes out, Fields fields, boolean withoutLength) {
        for (Field line : fields) {
            if (!withoutLength || !line.is("Content-Length")) {
                out.field(line);
            }
        }
    }

    private static ByteBuf constant(String text) {
        return Unpooled.unreleasableBuffer(Unpooled.directBuffer(text.length())
                .writeBytes(text.getBytes(StandardCharsets.US_ASCII))
                .asReadOnly());
    }
}

package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2EventAdapter;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;
import java.nio.charset.StandardCharsets;

/**
 * What a destination sends on an HTTP/2 connection, each frame to the request that it is about. ORIGIN and ALTSVC are none of it: a
 * destination does not say what else its connection is for.
 */
final class Http2UpstreamFrames extends Http2EventAdapter {

    /** Characters of a GOAWAY's words that are kept. */
    private static final int WORDS = 200;

    private final Http2Upstream connection;

    Http2UpstreamFrames(Http2Upstream connection) {
        this.connection = connection;
    }

    @Override
    public void onHeadersRead(
            ChannelHandlerContext ctx,
            int streamId,
            Http2Headers headers,
            int streamDependency,
            short weight,
            boolean exclusive,
            int padding,
            boolean endStream)
            throws Http2Exception {
        Http2UpstreamStream stream = connection.of(streamId);
        if (stream != null) {
            stream.headers(headers, endStream);
        }
    }

    /** Bytes that nobody waits for are taken at once: their window is not to be lost to the others. */
    @Override
    public int onDataRead(ChannelHandlerContext ctx, int streamId, ByteBuf data, int padding, boolean endOfStream) {
        Http2UpstreamStream stream = connection.of(streamId);
        int length = data.readableBytes();
        return padding + (stream == null ? length : stream.data(data, endOfStream));
    }

    @Override
    public void onRstStreamRead(ChannelHandlerContext ctx, int streamId, long errorCode) throws Http2Exception {
        Http2UpstreamStream stream = connection.of(streamId);
        if (stream != null) {
            stream.reset(errorCode);
        }
    }

    @Override
    public void onSettingsRead(ChannelHandlerContext ctx, Http2Settings settings) throws Http2Exception {
        connection.settled(Boolean.TRUE.equals(settings.connectProtocolEnabled()));
    }

    /** It was told that we take none. */
    @Override
    public void onPushPromiseRead(
            ChannelHandlerContext ctx, int streamId, int promisedStreamId, Http2Headers headers, int padding)
            throws Http2Exception {
        throw Http2Exception.connectionError(Http2Error.PROTOCOL_ERROR, "a push that was declined");
    }

    @Override
    public void onGoAwayReceived(int lastStreamId, long errorCode, ByteBuf debugData) {
        String words = debugData.toString(
                debugData.readerIndex(), Math.min(WORDS, debugData.readableBytes()), StandardCharsets.US_ASCII);
        connection.goAway(lastStreamId, errorCode, words.replaceAll("[^ -~]", "?"));
    }

    @Override
    public void onStreamClosed(Http2Stream stream) {
        Http2UpstreamStream request = connection.of(stream);
        if (request != null) {
            request.closed(connection.beyond(stream));
        }
    }
}

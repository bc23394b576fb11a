package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;
import io.sallyport.proxy.Refusal;
import io.sallyport.proxy.RefusalError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP/2 connection to a destination, with as many requests at one time as it takes. It is for one {@link UpstreamKey}, whatever
 * other names its certificate has: a request for another origin never rides on it. All on one event loop.
 */
final class Http2Upstream extends Http2ConnectionHandler {

    private final UpstreamKey key;
    private final UpstreamPool pool;
    private final Http2Connection.PropertyKey ours;
    private final WatchedFrames frames;
    private final UpstreamAge age;
    private final UpstreamRoom room;
    private final List<Http2UpstreamStream> touched = new ArrayList<>();
    private @Nullable ChannelHandlerContext context;
    private @Nullable Refusal cause;

    Http2Upstream(Http2UpstreamCodec codec, UpstreamKey key, UpstreamPool pool) {
        super(codec.decoder(), codec.encoder(), codec.settings());
        this.key = key;
        this.pool = pool;
        this.frames = codec.frames();
        this.age = codec.age();
        this.room = new UpstreamRoom(pool.versions().streamsAtFirst(key.origin()));
        this.ours = connection().newKey();
        Http2UpstreamFrames listener = new Http2UpstreamFrames(this);
        connection().addListener(listener);
        decoder().frameListener(listener);
    }

    static Http2Upstream to(UpstreamKey key, UpstreamPool pool) {
        return new Http2UpstreamBuilder(key, pool).build();
    }

    UpstreamKey key() {
        return key;
    }

    boolean alive() {
        return context != null && context.channel().isActive() && cause == null;
    }

    /** Whether another request may begin on it. */
    boolean takesAnother() {
        return alive() && room.forAnother();
    }

    /** Whether a WebSocket may begin on it. */
    boolean takesSocket() {
        return alive() && room.forSocket();
    }

    void inASecond(Runnable then) {
        context().executor().schedule(then, 1, TimeUnit.SECONDS);
    }

    Http2UpstreamStream another() {
        room.entered();
        return new Http2UpstreamStream(this);
    }

    /** It takes no more requests, and ends with the last that it has. */
    void retire() {
        room.close();
        pool.remove(this);
        endIfUnused();
    }

    /** @param now monotonic nanoseconds */
    void sweep(long now, Duration idle) {
        switch (age.swept(now, room.used(), idle)) {
            case NOTHING -> {}
            case SIGN_OF_LIFE -> {
                encoder().writePing(context(), false, 0, context().newPromise());
                flush();
            }
            case END_OF_PATIENCE ->
                fail(Refusal.of(RefusalError.UPSTREAM_TIMEOUT, "the destination gives no sign of life"));
            case RETIREMENT -> retire();
        }
    }

    /** @return the stream; null when none can be begun any more */
    @Nullable
    Http2Stream begin(Http2UpstreamStream request) {
        int id = connection().local().incrementAndGetNextStreamId();
        try {
            Http2Stream stream = connection().local().createStream(id, false);
            stream.setProperty(ours, request);
            return stream;
        } catch (Http2Exception refused) {
            retire();
            return null;
        }
    }

    ChannelFuture writeHead(int stream, Http2Headers headers, boolean last) {
        frames.earn(0);
        return encoder()
                .writeHeaders(context(), stream, headers, 0, last, context().newPromise());
    }

    ChannelFuture writeContent(int stream, ByteBuf bytes, boolean last) {
        frames.earn(bytes.readableBytes());
        return encoder().writeData(context(), stream, bytes, 0, last, context().newPromise());
    }

    ChannelFuture nothing() {
        return context().newSucceededFuture();
    }

    void flush() {
        flush(context());
    }

    /** Lets the destination send as many bytes more. */
    void credit(Http2Stream stream, int bytes) {
        try {
            if (connection().local().flowController().consumeBytes(stream, bytes)) {
                flush();
            }
        } catch (Http2Exception fault) {
            onError(context(), true, fault);
        }
    }

    /** The stream's content came; whoever has it hears when no more is there just now. */
    void touch(Http2UpstreamStream stream) {
        if (touched.isEmpty() || touched.getLast() != stream) {
            touched.add(stream);
        }
    }

    /**
     * Ends one stream at once. What Netty holds of it is dropped with it. Bytes that have left us for a socket that takes no more can't be
     * told from others': then nothing stops them but the end of the whole connection.
     *
     * @param unsent true when some of the request may still be on its way
     */
    void cut(Http2Stream stream, Http2Error why, boolean unsent) {
        encoder().writeRstStream(context(), stream.id(), why.code(), context().newPromise());
        // Not when the RST_STREAM has left, as Netty would have it: until then a window update would let more of it go.
        stream.close();
        flush();
        if (unsent && Pending.bytes(context().channel()) > 0) {
            fail(UpstreamFaults.broken(null));
        }
    }

    /** A request has no more to do with this connection. */
    void left() {
        room.left();
        endIfUnused();
    }

    private void endIfUnused() {
        if (!room.used() && room.closed() && context != null) {
            context.channel().close();
        }
    }

    /** Why the connection broke, for those of its streams that end with it. */
    Refusal cause() {
        return cause == null ? UpstreamFaults.broken(null) : cause;
    }

    /** @param sockets whether it takes WebSockets (RFC 8441 section 3); once said, it stays so */
    void settled(boolean sockets) {
        pool.versions().http2(key.origin(), room.settled(connection().local().maxActiveStreams(), sockets));
        // The destination may allow a table as large as it likes; how much memory ours takes is our affair.
        try {
            var headers = encoder().configuration().headersConfiguration();
            headers.maxHeaderTableSize(Math.min(headers.maxHeaderTableSize(), Http2UpstreamBuilder.TABLE));
        } catch (Http2Exception fault) {
            onError(context(), true, fault);
        }
    }

    /** Whether the destination has said that it does nothing about this stream. */
    boolean beyond(Http2Stream stream) {
        return room.beyond(stream.id());
    }

    /**
     * The destination takes no more requests.
     *
     * @param last that it may have acted upon
     * @param words of its own
     */
    void goAway(int last, long code, String words) {
        room.closedBehind(last);
        if (code != Http2Error.NO_ERROR.code()) {
            cause = Refusal.of(RefusalError.UPSTREAM_RESET, "the destination ended the connection")
                    .because(UpstreamFaults.code(code) + (words.isEmpty() ? "" : ": " + words));
        }
        if (code == Http2Error.HTTP_1_1_REQUIRED.code()) {
            needsHttp1();
        }
        pool.remove(this);
    }

    /** Its requests are to be made in HTTP/1.1. */
    void needsHttp1() {
        pool.versions().http1Required(key.origin());
        room.close();
        pool.remove(this);
    }

    @Nullable
    Http2UpstreamStream of(@Nullable Http2Stream stream) {
        return stream == null ? null : stream.getProperty(ours);
    }

    @Nullable
    Http2UpstreamStream of(int stream) {
        return of(connection().stream(stream));
    }

    /** Breaks the connection off. */
    private void fail(Refusal why) {
        cause = why;
        pool.remove(this);
        Reset.channel(context().channel());
    }

    private ChannelHandlerContext context() {
        if (context == null) {
            throw new IllegalStateException("not in a pipeline");
        }
        return context;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) throws Exception {
        context = ctx;
        super.handlerAdded(ctx);
        // Whoever does not take its answer has its own window; the connection's must not be a second one, for all.
        connection()
                .local()
                .flowController()
                .incrementWindowSize(connection().connectionStream(), Http2UpstreamBuilder.CONNECTION_WINDOW);
        ctx.flush();
        Channel channel = ctx.channel();
        // Frames of one stream stand before those of another: reading never stops, sending is what windows stop.
        channel.config().setAutoRead(true);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
        age.heard();
        super.channelRead(ctx, message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
        for (int i = 0; i < touched.size(); i++) {
            touched.get(i).paused();
        }
        touched.clear();
        super.channelReadComplete(ctx);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) throws Exception {
        pool.gone(this);
        super.channelInactive(ctx);
    }

    @Override
    protected void onConnectionError(
            ChannelHandlerContext ctx, boolean outbound, Throwable fault, @Nullable Http2Exception http2) {
        Hop.fault(http2 == null ? fault : new io.netty.handler.codec.DecoderException(http2));
        pool.remove(this);
        if (http2 == null && fault instanceof java.io.IOException) {
            // Nothing can be written any more. What it had to say comes first; then it ends by itself, or is ended.
            inASecond(() -> ctx.close());
            return;
        }
        if (cause == null) {
            cause = Refusal.of(RefusalError.UPSTREAM_MALFORMED, "the destination's HTTP/2 is malformed")
                    .because(String.valueOf(fault.getMessage()));
        }
        super.onConnectionError(ctx, outbound, fault, http2);
    }

    @Override
    protected void onStreamError(
            ChannelHandlerContext ctx, boolean outbound, Throwable fault, Http2Exception.StreamException http2) {
        Http2UpstreamStream stream = of(http2.streamId());
        try {
            frames.streamError(stream == null);
        } catch (Http2Exception tooMany) {
            onConnectionError(ctx, outbound, tooMany, tooMany);
            return;
        }
        if (stream == null) {
            super.onStreamError(ctx, outbound, fault, http2);
        } else if (outbound && cause != null) {
            // What waited to be written goes with the connection, and for its reason.
            stream.closed(false);
        } else {
            stream.broke(outbound, http2);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable fault) throws Exception {
        if (io.netty.handler.codec.http2.Http2CodecUtil.getEmbeddedHttp2Exception(fault) != null) {
            super.exceptionCaught(ctx, fault);
            return;
        }
        Hop.fault(fault);
        if (cause == null) {
            cause = UpstreamFaults.broken(fault);
        }
        ctx.close();
    }
}

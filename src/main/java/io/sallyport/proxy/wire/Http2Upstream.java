package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
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

    /** However many the destination takes. */
    private static final int STREAMS_AT_MOST = 1_000;

    /** After this it takes no more requests, so that a destination that moves is found where it is. */
    private static final Duration LIFETIME = Duration.ofHours(1);

    /** Silence while somebody waits, after which the destination is asked for a sign of life. gRPC servers cut whoever asks more often. */
    private static final Duration SILENCE = Duration.ofMinutes(6);

    /** How long it may take to give one. */
    private static final Duration SIGN_OF_LIFE = Duration.ofSeconds(20);

    private final UpstreamKey key;
    private final UpstreamPool pool;
    private final Http2Connection.PropertyKey ours;
    private final FrameFlood flood;
    private final List<Http2UpstreamStream> touched = new ArrayList<>();
    private @Nullable ChannelHandlerContext context;
    private @Nullable Refusal cause;
    private int open;
    private int lastTouched = Integer.MAX_VALUE;
    private final int atFirst;
    private boolean settled;
    private boolean takesSockets;
    private boolean retired;
    private boolean heard;
    private long bornAt;
    private long heardAt;
    private long idleAt;
    private long askedAt;

    Http2Upstream(
            Http2ConnectionDecoder decoder,
            Http2ConnectionEncoder encoder,
            Http2Settings settings,
            UpstreamKey key,
            UpstreamPool pool) {
        super(decoder, encoder, settings);
        this.key = key;
        this.pool = pool;
        this.flood = new FrameFlood();
        this.atFirst = pool.versions().streamsAtFirst(key.origin());
        this.ours = encoder.connection().newKey();
        Http2UpstreamFrames frames = new Http2UpstreamFrames(this, flood);
        encoder.connection().addListener(frames);
        decoder.frameListener(frames);
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
        int most = settled ? Math.min(connection().local().maxActiveStreams(), STREAMS_AT_MOST) : atFirst;
        return alive() && !retired && !connection().goAwayReceived() && open < most;
    }

    /** Whether a WebSocket may begin on it. */
    boolean takesSocket() {
        return takesSockets && takesAnother();
    }

    void inASecond(Runnable then) {
        context().executor().schedule(then, 1, TimeUnit.SECONDS);
    }

    Http2UpstreamStream another() {
        open++;
        return new Http2UpstreamStream(this);
    }

    /** It takes no more requests, and ends with the last that it has. */
    void retire() {
        retired = true;
        pool.remove(this);
        endIfUnused();
    }

    /** @param now monotonic nanoseconds */
    void sweep(long now, Duration idle) {
        flood.sweep();
        if (bornAt == 0 || heard) {
            bornAt = bornAt == 0 ? now : bornAt;
            heardAt = now;
            askedAt = 0;
            heard = false;
        }
        if (open > 0) {
            idleAt = 0;
            if (askedAt != 0 && now - askedAt > SIGN_OF_LIFE.toNanos()) {
                fail(Refusal.of(RefusalError.UPSTREAM_TIMEOUT, "the destination gives no sign of life"));
            } else if (askedAt == 0 && now - heardAt > SILENCE.toNanos()) {
                askedAt = now;
                encoder().writePing(context(), false, 0, context().newPromise());
                flush();
            }
        } else {
            idleAt = idleAt == 0 ? now : idleAt;
        }
        if (now - bornAt > LIFETIME.toNanos() || (idleAt != 0 && now - idleAt > idle.toNanos())) {
            retire();
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
        return encoder()
                .writeHeaders(context(), stream, headers, 0, last, context().newPromise());
    }

    ChannelFuture writeContent(int stream, ByteBuf bytes, boolean last) {
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
        if (unsent && pending() > 0) {
            fail(UpstreamFaults.broken(null));
        }
    }

    private long pending() {
        ChannelOutboundBuffer buffer = context().channel().unsafe().outboundBuffer();
        return buffer == null ? 0 : buffer.totalPendingWriteBytes();
    }

    /** A request has no more to do with this connection. */
    void left() {
        open--;
        endIfUnused();
    }

    private void endIfUnused() {
        if (open == 0 && (retired || connection().goAwayReceived()) && context != null) {
            context.channel().close();
        }
    }

    /** Why the connection broke, for those of its streams that end with it. */
    Refusal cause() {
        return cause == null ? UpstreamFaults.broken(null) : cause;
    }

    /** @param sockets whether it takes WebSockets (RFC 8441 section 3); once said, it stays so */
    void settled(boolean sockets) {
        settled = true;
        takesSockets |= sockets;
        pool.versions().http2(key.origin(), Math.min(connection().local().maxActiveStreams(), STREAMS_AT_MOST));
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
        return stream.id() > lastTouched;
    }

    /**
     * The destination takes no more requests.
     *
     * @param last that it may have acted upon
     * @param words of its own
     */
    void goAway(int last, long code, String words) {
        lastTouched = last;
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
        retired = true;
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
        heard = true;
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

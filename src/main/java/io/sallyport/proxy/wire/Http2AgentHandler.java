package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameAdapter;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.handler.timeout.IdleStateEvent;
import io.sallyport.grant.Grant;
import io.sallyport.proxy.Entrance;
import io.sallyport.proxy.Refusal;
import io.sallyport.proxy.RefusalError;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One agent's HTTP/2 connection, or what goes on inside its tunnel: many requests at a time, each on a stream of its own. Frames, HPACK and
 * windows are the library's; it is not read on while the peer takes nothing, so that what it makes us answer can't pile up.
 */
final class Http2AgentHandler extends Http2ConnectionHandler implements GrantsConnection.Occupant {

    /** A peer that got its GOAWAY and all its answers closes by itself; closing first could cost it what is still on the way. */
    private static final long LINGER_SECONDS = 1;

    /** For streams that run when no more are taken. */
    private static final long RETIREMENT_SECONDS = 30;

    private final Hop hop;
    private final Entrance entrance;
    private final Http2Codec codec;
    private final StreamOpening opening;
    private final ConnectionWatch watch;
    private final List<Http2AgentStream> touched = new ArrayList<>();
    private @Nullable ChannelHandlerContext context;
    private boolean inRead;
    private boolean flushDue;
    private boolean readDue;
    private boolean retiring;

    private Http2AgentHandler(Hop hop, Entrance entrance, Http2Codec codec) {
        super(codec.decoder(), codec.encoder(), codec.settings(), true, false);
        this.hop = hop;
        this.entrance = entrance;
        this.codec = codec;
        this.opening = new StreamOpening(hop, this, entrance);
        this.watch = new ConnectionWatch(hop, this);
        decoder().frameListener(new Frames());
        encoder().flowController().listener(this::writabilityChanged);
        connection().addListener(new Streams());
    }

    static Http2AgentHandler of(Hop hop, Entrance entrance) {
        return new Http2AgentHandler(
                hop, entrance, Http2Codec.server(hop.settings().http2(), hop.clock()));
    }

    Hop hop() {
        return hop;
    }

    private ChannelHandlerContext context() {
        if (context == null) {
            throw new IllegalStateException("not in a pipeline");
        }
        return context;
    }

    Channel channel() {
        return context().channel();
    }

    EventLoop loop() {
        return channel().eventLoop();
    }

    ByteBufAllocator alloc() {
        return context().alloc();
    }

    long nanos() {
        return hop.nanos();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) throws Exception {
        context = ctx;
        super.handlerAdded(ctx);
        codec.openConnectionWindow();
        ctx.flush();
        watch.begin(ctx);
        ctx.read();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
        inRead = true;
        super.channelRead(ctx, message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        discardSomeReadBytes();
        for (int i = 0; i < touched.size(); i++) {
            touched.get(i).paused();
        }
        touched.clear();
        inRead = false;
        watch.read(codec.frames().takeSeen(), actualReadableBytes() > 0);
        flush(ctx);
        read();
    }

    private void read() {
        readDue = !context().channel().isWritable();
        if (!readDue) {
            context().read();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) throws Exception {
        super.channelWritabilityChanged(ctx);
        if (readDue) {
            read();
        }
    }

    /** One flush for all that this turn of the loop brings, for however many streams. */
    void flushSoon() {
        if (!inRead && !flushDue) {
            flushDue = true;
            loop().execute(() -> {
                flushDue = false;
                flush(context());
            });
        }
    }

    ChannelFuture headers(Http2AgentStream stream, Http2Headers headers, boolean end) {
        ChannelHandlerContext ctx = context();
        return encoder().writeHeaders(ctx, stream.stream().id(), headers, 0, end, ctx.newPromise());
    }

    /** Takes the piece over. */
    ChannelFuture data(Http2AgentStream stream, ByteBuf piece, boolean end) {
        codec.frames().earn(piece.readableBytes());
        ChannelHandlerContext ctx = context();
        return encoder().writeData(ctx, stream.stream().id(), piece, 0, end, ctx.newPromise());
    }

    boolean writable(Http2AgentStream stream) {
        return encoder().flowController().isWritable(stream.stream());
    }

    /** The stream's peer may send as many bytes more. */
    void consumed(Http2AgentStream stream, int bytes) {
        if (bytes == 0 || stream.stream().state() == Http2Stream.State.CLOSED) {
            return;
        }
        try {
            if (decoder().flowController().consumeBytes(stream.stream(), bytes)) {
                flushSoon();
            }
        } catch (Http2Exception fault) {
            onError(context(), true, fault);
        }
    }

    /** The peer is to send no more on it. */
    void stop(Http2AgentStream stream, Http2Error code) {
        if (stream.stream().state() != Http2Stream.State.CLOSED) {
            ChannelHandlerContext ctx = context();
            resetStream(ctx, stream.stream().id(), code.code(), ctx.newPromise());
            flushSoon();
        }
    }

    /** What waits to be sent on it is dropped now, not when the frame has left: nothing may follow a stop. */
    void reset(Http2AgentStream stream, Http2Error code) {
        stop(stream, code);
        stream.stream().closeLocalSide();
        retireIfEnded();
    }

    /** Where the peer has not let it end by then. */
    void resetIn(Http2AgentStream stream, long seconds) {
        retireIfEnded();
        loop().schedule(
                        () -> {
                            if (stream.stream().state() != Http2Stream.State.CLOSED) {
                                reset(stream, Http2Error.CANCEL);
                            }
                        },
                        seconds,
                        TimeUnit.SECONDS);
    }

    private void retireIfEnded() {
        Grant grant = entrance.grant();
        if (grant != null && !hop.gate().stands(grant)) {
            retire();
        }
    }

    @Override
    public void takesNoMore() {
        retire();
    }

    /** No further stream is taken (GOAWAY), and the connection ends when those that run are over. */
    void retire() {
        if (retiring) {
            return;
        }
        retiring = true;
        ChannelHandlerContext ctx = context();
        goAway(
                ctx,
                connection().remote().lastStreamCreated(),
                Http2Error.NO_ERROR.code(),
                Unpooled.EMPTY_BUFFER,
                ctx.newPromise());
        flushSoon();
        long running =
                Math.max(RETIREMENT_SECONDS, hop.settings().deadlines().drain().toSeconds());
        closeIn(connection().numActiveStreams() == 0 ? LINGER_SECONDS : running);
    }

    private void closeIn(long seconds) {
        loop().schedule(() -> context().close(), seconds, TimeUnit.SECONDS);
    }

    /** Ends it without waiting for anybody. The GOAWAY tells which streams were never looked at, so that they can be asked again. */
    @Override
    public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
        if (ctx.channel().isActive() && !connection().goAwaySent()) {
            goAway(
                    ctx,
                    connection().remote().lastStreamCreated(),
                    Http2Error.NO_ERROR.code(),
                    Unpooled.EMPTY_BUFFER,
                    ctx.newPromise());
        }
        ctx.flush();
        ctx.close(promise);
    }

    private void writabilityChanged(Http2Stream stream) {
        Http2AgentStream known = stream.getProperty(codec.key());
        if (known != null) {
            // Not from within: whoever has room writes, and the library is in the middle of writing.
            loop().execute(known::becameWritable);
        }
    }

    @Override
    protected void onStreamError(
            ChannelHandlerContext ctx, boolean outbound, Throwable cause, Http2Exception.StreamException fault) {
        try {
            codec.frames().streamError(connection().stream(fault.streamId()) == null);
        } catch (Http2Exception tooMany) {
            onConnectionError(ctx, outbound, tooMany, tooMany);
            return;
        }
        if (!(fault instanceof Http2Exception.HeaderListSizeException tooLarge && tooLarge.duringDecode())) {
            super.onStreamError(ctx, outbound, cause, fault);
            return;
        }
        try {
            Http2Stream stream = connection().stream(fault.streamId());
            if (stream != null) {
                super.onStreamError(ctx, outbound, cause, fault);
                return;
            }
            // The block was read to its end, so that the table is in step, but there is no stream yet.
            opening.refuseUnread(
                    adopt(connection().remote().createStream(fault.streamId(), false), false),
                    Refusal.of(RefusalError.HEAD_TOO_LARGE, "the head is larger than 64 KiB"));
        } catch (Http2Exception worse) {
            onError(ctx, outbound, worse);
        }
    }

    private Http2AgentStream adopt(Http2Stream stream, boolean ended) {
        Http2AgentStream known = new Http2AgentStream(this, stream, ended);
        stream.setProperty(codec.key(), known);
        return known;
    }

    @Override
    protected void onConnectionError(
            ChannelHandlerContext ctx, boolean outbound, Throwable cause, @Nullable Http2Exception fault) {
        if (fault != null && fault.error() == Http2Error.ENHANCE_YOUR_CALM) {
            AgentConnection.flooded(ctx.channel());
        }
        // One of the library's is the peer's doing.
        if (fault == null || fault.error() == Http2Error.INTERNAL_ERROR) {
            Hop.fault(cause);
        }
        super.onConnectionError(ctx, outbound, cause, fault);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Exception {
        if (event instanceof IdleStateEvent) {
            ctx.close();
        } else {
            super.userEventTriggered(ctx, event);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        Hop.fault(cause);
        ctx.close();
    }

    /**
     * Looks after streams on which nothing moves.
     *
     * @param moved before this: monotonic nanoseconds
     * @param answered whose answers were over before this, and are not taken
     * @return how many are open
     */
    int stallOlderThan(long moved, long answered) {
        List<Http2AgentStream> still = new ArrayList<>();
        try {
            connection().forEachActiveStream(stream -> {
                Http2AgentStream known = stream.getProperty(codec.key());
                if (known != null && known.stalled(moved, answered)) {
                    still.add(known);
                }
                return true;
            });
        } catch (Http2Exception fault) {
            onError(context(), true, fault);
        }
        still.forEach(Http2AgentStream::stall);
        return connection().numActiveStreams();
    }

    private final class Streams extends Http2ConnectionAdapter {
        @Override
        public void onStreamClosed(Http2Stream stream) {
            Http2AgentStream known = stream.removeProperty(codec.key());
            if (known != null) {
                known.closed();
            }
            watch.streamClosed();
            if (retiring && connection().numActiveStreams() == 0) {
                closeIn(LINGER_SECONDS);
            }
        }
    }

    private final class Frames extends Http2FrameAdapter {
        @Override
        public void onHeadersRead(
                ChannelHandlerContext ctx,
                int id,
                Http2Headers headers,
                int dependency,
                short weight,
                boolean exclusive,
                int padding,
                boolean end) {
            Http2Stream stream = connection().stream(id);
            Http2AgentStream known = stream.getProperty(codec.key());
            if (known == null) {
                opening.open(adopt(stream, end), ((HeadLines) headers).lines(), end);
            } else {
                known.receivedTrailers(((HeadLines) headers).lines());
            }
        }

        @Override
        public int onDataRead(ChannelHandlerContext ctx, int id, ByteBuf data, int padding, boolean end) {
            Http2AgentStream known = connection().stream(id).getProperty(codec.key());
            if (known == null) {
                return data.readableBytes() + padding;
            }
            touched.add(known);
            return known.received(data, end) + padding;
        }

        @Override
        public void onWindowUpdateRead(ChannelHandlerContext ctx, int id, int increment) {
            Http2AgentStream known = id == 0 ? null : connection().stream(id).getProperty(codec.key());
            if (known != null) {
                known.moved();
            }
        }
    }
}

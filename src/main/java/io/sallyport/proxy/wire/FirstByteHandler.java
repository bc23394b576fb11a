package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.util.concurrent.ScheduledFuture;
import io.sallyport.grant.Grant;
import io.sallyport.proxy.Entrance;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Looks at a connection's first byte: a TLS handshake begins with 22, and no method of HTTP does. Without TLS it is HTTP/1, or HTTP/2 if it
 * begins with that one's whole preface (RFC 9113 section 3.3): a {@code P} alone may also be a POST.
 */
final class FirstByteHandler extends ChannelInboundHandlerAdapter {

    private static final int TLS_HANDSHAKE = 22;
    private static final ByteBuf PREFACE = Http2CodecUtil.connectionPrefaceBuf();

    private final Hop hop;
    private final Entrance entrance;
    private @Nullable ChannelHandlerContext context;
    private @Nullable ScheduledFuture<?> deadline;
    private ByteBuf begun = Unpooled.EMPTY_BUFFER;

    FirstByteHandler(Hop hop, Entrance entrance) {
        this.hop = hop;
        this.entrance = entrance;
    }

    /** What a client sent right behind its CONNECT, without waiting for the answer. Takes it over. */
    void begin(ByteBuf rest) {
        ChannelHandlerContext ctx = context;
        if (ctx == null || !rest.isReadable()) {
            rest.release();
            return;
        }
        channelRead(ctx, rest);
        ctx.pipeline().fireChannelReadComplete();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
        deadline = ctx.executor()
                .schedule(
                        () -> {
                            ctx.close();
                        },
                        hop.settings().deadlines().requestHead().toMillis(),
                        TimeUnit.MILLISECONDS);
        Grant grant = entrance.grant();
        if (grant != null) {
            GrantsConnection.hold(hop, ctx.channel(), grant);
        }
        if (ctx.channel().isActive()) {
            ctx.read();
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        ctx.read();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf in = ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(ctx.alloc(), begun, (ByteBuf) message);
        begun = in;
        ChannelHandler next = in.isReadable() ? next(in) : null;
        if (next == null) {
            return;
        }
        begun = Unpooled.EMPTY_BUFFER;
        ctx.pipeline().addAfter(ctx.name(), null, next);
        ctx.fireChannelRead(in);
        ctx.pipeline().remove(this);
    }

    /** Null while it can't be told. */
    private @Nullable ChannelHandler next(ByteBuf in) {
        if (in.getUnsignedByte(in.readerIndex()) == TLS_HANDSHAKE) {
            return entrance instanceof Entrance.Transparent led
                    ? new LedNameHandler(hop, led)
                    : new ServerNameHandler(hop, entrance);
        }
        int known = Math.min(in.readableBytes(), PREFACE.readableBytes());
        if (!ByteBufUtil.equals(in, in.readerIndex(), PREFACE, PREFACE.readerIndex(), known)) {
            return new Http1AgentHandler(hop, entrance);
        }
        return known < PREFACE.readableBytes() ? null : Http2AgentHandler.of(hop, entrance);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        ctx.fireChannelReadComplete();
        if (!ctx.isRemoved()) {
            ctx.read();
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        begun.release();
        begun = Unpooled.EMPTY_BUFFER;
        if (deadline != null) {
            deadline.cancel(false);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        Hop.fault(cause);
        ctx.close();
    }
}

package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.ScheduledFuture;
import io.sallyport.proxy.Entrance;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Looks at a connection's first byte: a TLS handshake begins with 22, and no method of HTTP does. */
final class FirstByteHandler extends ChannelInboundHandlerAdapter {

    private static final int TLS_HANDSHAKE = 22;

    private final Hop hop;
    private final Entrance entrance;
    private @Nullable ChannelHandlerContext context;
    private @Nullable ScheduledFuture<?> deadline;

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
        ByteBuf in = (ByteBuf) message;
        if (!in.isReadable()) {
            in.release();
            return;
        }
        boolean tls = in.getUnsignedByte(in.readerIndex()) == TLS_HANDSHAKE;
        ChannelHandler next = tls ? new ServerNameHandler(hop, entrance) : new Http1AgentHandler(hop, entrance);
        ctx.pipeline().addAfter(ctx.name(), null, next);
        ctx.fireChannelRead(in);
        ctx.pipeline().remove(this);
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

package io.sallyport.proxy.wire;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/** Waits for the handshake with a destination, in the place of what will speak with it. Nothing is read before. */
final class HandshakeHandler extends ChannelInboundHandlerAdapter {

    /** Who waits. */
    interface Waiter {
        /** @param at in the place where the protocol's handler is to stand @param protocol by ALPN; null where none was agreed on */
        void shaken(ChannelHandlerContext at, @Nullable String protocol);

        void failed(Throwable fault);
    }

    /** Not just the pipeline's: the proxy at the way out may have one, too. */
    private final SslHandler own;

    private final Waiter waiter;

    HandshakeHandler(SslHandler own, Waiter waiter) {
        this.own = own;
        this.waiter = waiter;
    }

    /** In a tunnel the connection stands by now. */
    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        if (ctx.channel().isActive()) {
            ctx.read();
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        ctx.read();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        ctx.read();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof SslHandshakeCompletionEvent done) {
            if (done.isSuccess()) {
                waiter.shaken(ctx, own.applicationProtocol());
            } else {
                ctx.close();
                waiter.failed(done.cause());
            }
        } else {
            ctx.fireUserEventTriggered(event);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        waiter.failed(new ClosedChannelException());
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable fault) {
        Hop.fault(fault);
        ctx.close();
        waiter.failed(fault);
    }
}

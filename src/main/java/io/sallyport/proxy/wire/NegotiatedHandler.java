package io.sallyport.proxy.wire;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.sallyport.proxy.Entrance;

/** Waits for the end of a TLS handshake, which says what is spoken from there on. Who negotiates nothing speaks HTTP/1. */
final class NegotiatedHandler extends ChannelInboundHandlerAdapter {

    private final Hop hop;
    private final Entrance entrance;

    NegotiatedHandler(Hop hop, Entrance entrance) {
        this.hop = hop;
        this.entrance = entrance;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        if (ctx.channel().isActive()) {
            ctx.read();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof SslHandshakeCompletionEvent handshake && handshake.isSuccess()) {
            SslHandler tls = ctx.pipeline().get(SslHandler.class);
            boolean http2 = tls != null && ApplicationProtocolNames.HTTP_2.equals(tls.applicationProtocol());
            ctx.pipeline()
                    .replace(
                            this,
                            null,
                            http2 ? Http2AgentHandler.of(hop, entrance) : new Http1AgentHandler(hop, entrance));
        }
        ctx.fireUserEventTriggered(event);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        Hop.fault(cause);
        ctx.close();
    }
}

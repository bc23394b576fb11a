package io.sallyport.bench.hop;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** One connection of a load: opens its tunnel if there is one, then sends a request whenever it is told to. */
final class RequestLoop extends ChannelInboundHandlerAdapter {

    private final LoadRun run;
    private final LoadRun.Path path;
    private final SslContext tls;
    private final CountDownLatch ready;
    private final StringBuilder tunnelAnswer = new StringBuilder();
    private @Nullable ChannelHandlerContext context;
    private final long born = System.nanoTime();
    private long since;
    private boolean ok;
    private boolean secured;

    RequestLoop(LoadRun run, LoadRun.Path path, SslContext tls, CountDownLatch ready) {
        this.run = run;
        this.path = path;
        this.tls = tls;
        this.ready = ready;
    }

    /** When this connection was begun, on the clock of the samples. */
    long born() {
        return born;
    }

    void close() {
        java.util.Objects.requireNonNull(context).close();
    }

    void send(long at) {
        since = at;
        ChannelHandlerContext channel = java.util.Objects.requireNonNull(context);
        channel.writeAndFlush(run.request());
    }

    @Override
    public void channelActive(ChannelHandlerContext channel) {
        context = channel;
        if (path.tunnel() == null) {
            secure(channel);
        } else {
            channel.writeAndFlush(Unpooled.wrappedBuffer(path.tunnel()));
        }
    }

    private void secure(ChannelHandlerContext channel) {
        secured = true;
        channel.pipeline().addBefore(channel.name(), "tls", tls.newHandler(channel.alloc(), "localhost", 443));
        channel.pipeline().addBefore(channel.name(), "http", new HttpResponseDecoder());
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext channel, Object event) {
        if (event instanceof SslHandshakeCompletionEvent handshake && handshake.isSuccess()) {
            run.ready(this);
            ready.countDown();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext channel, Object part) {
        try {
            if (!secured) {
                tunnel(channel, (ByteBuf) part);
                return;
            }
            if (part instanceof HttpResponse head) {
                ok = head.status().code() == 200;
            }
            if (part instanceof LastHttpContent) {
                run.answered(this, since, ok);
            }
        } finally {
            ReferenceCountUtil.release(part);
        }
    }

    private void tunnel(ChannelHandlerContext channel, ByteBuf bytes) {
        tunnelAnswer.append(bytes.toString(StandardCharsets.US_ASCII));
        if (tunnelAnswer.indexOf("\r\n\r\n") < 0) {
            return;
        }
        if (!tunnelAnswer.toString().startsWith("HTTP/1.1 200")) {
            throw new IllegalStateException("CONNECT refused: " + tunnelAnswer);
        }
        secure(channel);
    }
}

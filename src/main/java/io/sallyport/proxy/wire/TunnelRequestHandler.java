package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.sallyport.http.Parsed;
import io.sallyport.net.ProxyFault;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Asks the proxy at the way out for a tunnel (RFC 9110 section 9.3.6), and gets out of the way when it is open. Nothing of an answer but
 * its status counts, and nothing may follow it: in a tunnel the destination speaks only after us.
 */
final class TunnelRequestHandler extends ChannelInboundHandlerAdapter {

    /** Who waits for the tunnel. */
    interface Waiter {
        /** The channel is the destination's from now on; this handler has left it. */
        void opened(ChannelHandlerContext at);

        void refused(ProxyFault fault);
    }

    private final byte[] request;
    private final Duration patience;
    private final Waiter waiter;
    private final HeadReader heads = new HeadReader();
    private ByteBuf buffered = Unpooled.EMPTY_BUFFER;
    private @Nullable Future<?> deadline;
    private boolean over;

    /** @param patience until the answer is there: the proxy dials the destination meanwhile */
    TunnelRequestHandler(byte[] request, Duration patience, Waiter waiter) {
        this.request = request;
        this.patience = patience;
        this.waiter = waiter;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        if (ctx.pipeline().get(SslHandler.class) == null) {
            ask(ctx);
        }
        ctx.read();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (!(event instanceof SslHandshakeCompletionEvent done)) {
            ctx.fireUserEventTriggered(event);
        } else if (done.isSuccess()) {
            ask(ctx);
        } else {
            refuse(ctx, ProxyFault.unproven(done.cause()));
        }
    }

    private void ask(ChannelHandlerContext ctx) {
        deadline = ctx.executor()
                .schedule(() -> refuse(ctx, ProxyFault.late()), patience.toMillis(), TimeUnit.MILLISECONDS);
        ctx.writeAndFlush(Unpooled.wrappedBuffer(request));
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        buffered = ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(ctx.alloc(), buffered, (ByteBuf) message);
        while (!over) {
            switch (heads.read(buffered)) {
                case HeadReader.Found.Incomplete ignored -> {
                    return;
                }
                case HeadReader.Found.Complete(String text) -> answered(ctx, text);
                case HeadReader.Found.TooLarge ignored -> refuse(ctx, ProxyFault.malformed("its head is too large"));
                case HeadReader.Found.Malformed(String reason) -> refuse(ctx, ProxyFault.malformed(reason));
            }
        }
    }

    private void answered(ChannelHandlerContext ctx, String text) {
        switch (HeadParser.answer(text)) {
            case Parsed.Malformed<HeadParser.RawAnswer>(String reason) -> refuse(ctx, ProxyFault.malformed(reason));
            case Parsed.Valid<HeadParser.RawAnswer>(HeadParser.RawAnswer answer) -> {
                if (answer.status() >= 300 || answer.status() == 101) {
                    refuse(ctx, ProxyFault.answered(answer.status()));
                } else if (answer.status() >= 200 && buffered.isReadable()) {
                    refuse(ctx, ProxyFault.malformed("something follows its head"));
                } else if (answer.status() >= 200) {
                    open(ctx);
                }
                // Else an interim one: the next head is the answer.
            }
        }
    }

    private void open(ChannelHandlerContext ctx) {
        end();
        waiter.opened(ctx);
        ctx.pipeline().remove(this);
    }

    private void refuse(ChannelHandlerContext ctx, ProxyFault fault) {
        if (!over) {
            end();
            ctx.close();
            waiter.refused(fault);
        }
    }

    private void end() {
        over = true;
        if (deadline != null) {
            deadline.cancel(false);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        ctx.read();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        refuse(ctx, ProxyFault.broken(null));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable fault) {
        Hop.fault(fault);
        refuse(ctx, ProxyFault.broken(fault));
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        buffered.release();
        buffered = Unpooled.EMPTY_BUFFER;
    }
}

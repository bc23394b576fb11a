package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.Future;
import io.sallyport.http.Fields;
import io.sallyport.http.Framing;
import io.sallyport.http.RequestHead;
import io.sallyport.http.ResponseHead;
import io.sallyport.proxy.flow.Touched;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The destination's side of a tunnel that is passed through unread: a connection of its own, bytes both ways, shared with nobody. */
final class BlindUpstream extends ChannelInboundHandlerAdapter implements UpstreamStream {

    private final UpstreamKey key;
    private @Nullable ChannelHandlerContext context;
    private @Nullable Listener listener;
    private @Nullable Throwable fault;
    private boolean heard;

    BlindUpstream(UpstreamKey key) {
        this.key = key;
    }

    private ChannelHandlerContext context() {
        return Objects.requireNonNull(context, "not in a pipeline");
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
    }

    @Override
    public UpstreamKey key() {
        return key;
    }

    @Override
    public boolean alive() {
        return context().channel().isActive();
    }

    @Override
    public void serve(Listener next, RequestHead request) {
        listener = next;
        context().read();
    }

    @Override
    public void head(RequestHead outgoing) {
        // Nothing is said in the agent's place: the first window is its ClientHello.
    }

    @Override
    public Future<Void> window(ByteBuf bytes, boolean last, Fields trailers) {
        // A last word for a destination that has closed finds the connection broken, and is no fault of its answer:
        // that came by reads,
        // and whether it is whole the two can tell who made the TLS in it.
        ChannelFuture written = context().writeAndFlush(bytes);
        return last ? written.addListener(ChannelFutureListener.CLOSE) : written;
    }

    @Override
    public void more() {
        if (listener != null && listener.wantsAnswer()) {
            context().read();
        }
    }

    @Override
    public void park(long now) {
        listener = null;
        context().close();
    }

    @Override
    public void drop() {
        listener = null;
        Reset.channel(context().channel());
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        Listener to = listener;
        if (to != null && !heard) {
            heard = true;
            to.answerHead(new ResponseHead(200, "", Fields.EMPTY, new Framing.UntilClose(), false));
        }
        if (listener == null) {
            ((ByteBuf) message).release();
        } else {
            listener.answerContent((ByteBuf) message, false);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (listener != null) {
            listener.answerPaused();
            more();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        Listener to = listener;
        listener = null;
        if (to == null) {
            return;
        }
        if (heard && fault == null) {
            to.answerEnded(Fields.EMPTY);
        } else {
            to.upstreamFailed(UpstreamFaults.broken(fault), heard ? Touched.ANSWERED : Touched.PERHAPS);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        fault = cause;
        Hop.fault(cause);
        ctx.close();
    }
}

package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.handler.timeout.IdleStateEvent;
import io.sallyport.http.Fields;
import io.sallyport.http.ResponseHead;
import io.sallyport.proxy.Refusal;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The agent's side of a tunnel that is passed through unread: one request whose content is whatever the agent sends, in windows that are
 * hashed and recorded before they leave, and whose answer is whatever comes back.
 */
final class BlindTunnel extends ChannelInboundHandlerAdapter implements AgentStream, GrantsConnection.Occupant {

    private final Hop hop;
    private @Nullable ChannelHandlerContext context;
    private @Nullable Listener listener;
    private boolean reading;
    private boolean answered;
    private boolean over;

    BlindTunnel(Hop hop) {
        this.hop = hop;
    }

    /** A fatal alert (RFC 8446 section 6) in the clear, as a server sends that has not said hello. */
    static byte[] unrecognisedName() {
        return alert(112);
    }

    private static byte[] alert(int description) {
        return new byte[] {21, 3, 3, 0, 2, 2, (byte) description};
    }

    void serve(Listener run) {
        listener = run;
    }

    private ChannelHandlerContext context() {
        return Objects.requireNonNull(context, "not in a pipeline");
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
    }

    @Override
    public EventLoop loop() {
        return context().channel().eventLoop();
    }

    @Override
    public ByteBufAllocator alloc() {
        return context().alloc();
    }

    @Override
    public void readContent() {
        reading = true;
        more();
    }

    @Override
    public void more() {
        if (reading && listener != null && listener.wantsContent()) {
            context().read();
        }
    }

    @Override
    public boolean writable() {
        return context().channel().isWritable();
    }

    @Override
    public void interim(ResponseHead head) {
        // There is none: the destination's bytes are all content.
    }

    @Override
    public void head(ResponseHead head, boolean last) {
        answered = true;
    }

    @Override
    public void content(ByteBuf piece) {
        context().write(piece, context().voidPromise());
    }

    @Override
    public void end(Fields trailers) {
        // The end of the connection is the end of what came.
    }

    @Override
    public void flush() {
        context().flush();
    }

    @Override
    public void finish() {
        over = true;
        context().writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }

    /** The 200 was said long ago, or there is none: what can still be said is TLS' own word for it, access_denied. */
    @Override
    public void refuse(Refusal refusal) {
        over = true;
        hop.health().refused(refusal.error());
        if (answered) {
            reset();
        } else {
            context().writeAndFlush(Unpooled.wrappedBuffer(alert(49))).addListener(ChannelFutureListener.CLOSE);
        }
    }

    @Override
    public void reset() {
        over = true;
        Reset.channel(context().channel());
    }

    /** It is a flow, and cut as one. */
    @Override
    public void takesNoMore() {}

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (listener == null || over) {
            ((ByteBuf) message).release();
        } else {
            listener.content((ByteBuf) message);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (listener != null && !over) {
            listener.contentPaused();
            more();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (listener != null && ctx.channel().isWritable()) {
            listener.writable();
        }
    }

    /** An agent that leaves after an answer has said all: its last bytes are recorded, and leave, like those before. */
    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (listener == null || over) {
            return;
        }
        over = true;
        if (answered) {
            listener.contentEnded(Fields.EMPTY);
        } else {
            listener.left();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof IdleStateEvent) {
            ctx.close();
        } else {
            ctx.fireUserEventTriggered(event);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        Hop.fault(cause);
        ctx.close();
    }
}

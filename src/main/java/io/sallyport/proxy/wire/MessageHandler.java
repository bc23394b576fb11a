package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.sallyport.http.Fields;
import io.sallyport.http.Framing;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Cuts what one peer sends into heads and content. It goes no further than it was told: after a head it waits to hear how the content is
 * framed, after the content whether another head may come. Reading is by demand, so that what nobody takes stays in the kernel.
 */
abstract class MessageHandler extends ChannelInboundHandlerAdapter {

    /** What is read ahead while nobody takes it: enough to notice that a peer has left. */
    private static final int READ_AHEAD = 64 * 1024;

    private enum Mode {
        HEAD,
        HELD,
        CONTENT,
        DISCARDING
    }

    private final HeadReader heads = new HeadReader();
    private ByteBuf buffered = Unpooled.EMPTY_BUFFER;
    private Mode mode = Mode.HEAD;
    private @Nullable ContentReader content;
    private @Nullable ChannelHandlerContext context;
    private boolean decoding;
    private boolean inputEnded;

    /** A head is complete: its lines with their CR LF. Nothing more is cut until {@link #expectContent} or {@link #expectHead}. */
    protected abstract void onHead(String text);

    protected abstract void onUnreadableHead(HeadReader.Found why);

    /** A piece of content; whoever gets it releases it. @param last true where it is known already that no more follows */
    protected abstract void onContent(ByteBuf piece, boolean last);

    protected abstract void onContentEnd(Fields trailers);

    protected abstract void onMalformedContent(String reason);

    /** What could be read just now has been read. */
    protected abstract void onPause();

    protected abstract void onWritable();

    /** More is needed, and after {@link #inputEnded} none will come. */
    protected abstract void onStarved();

    /** The connection is gone. @param contentEnded true when its end was the content's end */
    protected abstract void onClosed(boolean contentEnded);

    /** Whether whoever takes the content has room for more. */
    protected abstract boolean wantsContent();

    /**
     * Whether another head may be cut. Each one makes somebody else's buffer longer, so a peer that takes no answers must not be able to
     * go on asking.
     */
    protected abstract boolean wantsHead();

    protected final ChannelHandlerContext context() {
        if (context == null) {
            throw new IllegalStateException("not in a pipeline");
        }
        return context;
    }

    protected final void expectHead() {
        mode = Mode.HEAD;
        content = null;
        decode();
        read();
    }

    protected final void expectContent(Framing framing) {
        mode = Mode.CONTENT;
        content = new ContentReader(framing);
        decode();
        read();
    }

    /** Whatever comes from now on is thrown away. */
    protected final void discard() {
        mode = Mode.DISCARDING;
        drop();
        read();
    }

    /** Whether bytes have arrived that belong to no message that was asked for. */
    protected final boolean hasLeftover() {
        return buffered.isReadable();
    }

    /** What has arrived and is no message: one character per byte, as much as a head may have. */
    protected final String unreadText() {
        int length = Math.min(buffered.readableBytes(), HeadReader.HEAD_LIMIT);
        return buffered.toString(buffered.readerIndex(), length, StandardCharsets.ISO_8859_1);
    }

    /** Hands over what has arrived but was not cut: the next bytes are of another protocol. */
    protected final ByteBuf takeLeftover() {
        ByteBuf rest = buffered;
        buffered = Unpooled.EMPTY_BUFFER;
        mode = Mode.HELD;
        return rest;
    }

    /** There is room again: goes on with what has arrived, then asks for more. */
    protected final void resume() {
        decode();
        read();
    }

    /** The peer has said that nothing more comes, and listens on. */
    protected final void inputEnded() {
        inputEnded = true;
        read();
    }

    /** Asks the peer for more, where somebody has room for it. */
    protected final void read() {
        if (inputEnded) {
            noticeEnd();
            return;
        }
        boolean wanted = switch (mode) {
            case HEAD -> wantsHead();
            case DISCARDING -> true;
            case HELD -> buffered.readableBytes() < READ_AHEAD;
            case CONTENT -> wantsContent();
        };
        if (wanted && context != null && context.channel().isActive()) {
            context.read();
        }
    }

    /** What has arrived is used up, and somebody waits for what will never come. */
    private void noticeEnd() {
        boolean starved = (mode == Mode.HEAD && wantsHead()) || (mode == Mode.CONTENT && wantsContent());
        if (starved && !decoding) {
            onStarved();
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
        if (ctx.channel().isActive()) {
            read();
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        read();
        ctx.fireChannelActive();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf in = (ByteBuf) message;
        if (mode == Mode.DISCARDING) {
            in.release();
            return;
        }
        buffered = ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(ctx.alloc(), buffered, in);
        decode();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        onPause();
        read();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (ctx.channel().isWritable()) {
            onWritable();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        ContentReader reader = content;
        boolean ended = mode == Mode.CONTENT && reader != null && reader.endsWithConnection();
        mode = Mode.DISCARDING;
        onClosed(ended);
        drop();
        ctx.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        drop();
    }

    private void decode() {
        // A callback may ask for the next part while this loop runs: the loop goes on with it.
        if (decoding) {
            return;
        }
        decoding = true;
        try {
            while (step()) {
                // each step has its effect
            }
        } finally {
            decoding = false;
        }
        if (!buffered.isReadable()) {
            // A connection that waits for its next message would keep the last one's memory for as long.
            drop();
        }
        if (inputEnded) {
            noticeEnd();
        }
    }

    private boolean step() {
        return switch (mode) {
            case HEAD -> head();
            case CONTENT -> content();
            case HELD, DISCARDING -> false;
        };
    }

    private boolean head() {
        if (!wantsHead()) {
            return false;
        }
        return switch (heads.read(buffered)) {
            case HeadReader.Found.Incomplete ignored -> false;
            case HeadReader.Found.Complete(String text) -> {
                mode = Mode.HELD;
                onHead(text);
                yield true;
            }
            case HeadReader.Found.TooLarge tooLarge -> unreadable(tooLarge);
            case HeadReader.Found.Malformed malformed -> unreadable(malformed);
        };
    }

    private boolean unreadable(HeadReader.Found why) {
        mode = Mode.HELD;
        onUnreadableHead(why);
        return false;
    }

    private boolean content() {
        ContentReader reader = content;
        if (reader == null) {
            return false;
        }
        ByteBuf piece = reader.next(buffered);
        if (piece != null) {
            onContent(piece, reader.ended());
            return true;
        }
        if (reader.problem() != null) {
            mode = Mode.HELD;
            onMalformedContent(reader.problem());
            return false;
        }
        if (reader.ended()) {
            mode = Mode.HELD;
            content = null;
            onContentEnd(reader.trailers());
            return true;
        }
        return false;
    }

    private void drop() {
        buffered.release();
        buffered = Unpooled.EMPTY_BUFFER;
    }
}

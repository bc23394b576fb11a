package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.util.concurrent.Future;
import io.sallyport.http.Fields;
import io.sallyport.http.Framing;
import io.sallyport.http.Parsed;
import io.sallyport.http.RequestHead;
import io.sallyport.http.ResponseHead;
import io.sallyport.proxy.Refusal;
import io.sallyport.proxy.RefusalError;
import io.sallyport.proxy.flow.Touched;
import org.jspecify.annotations.Nullable;

/** One HTTP/1 connection to a destination: at any time it serves one request, or waits in the pool for the next. */
final class Http1Upstream extends MessageHandler implements UpstreamStream {

    private final UpstreamKey key;
    private final UpstreamPool pool;
    private @Nullable Listener listener;
    private String method = "";
    private boolean chunked;
    private int interim;
    private boolean heard;
    private boolean reusable;
    private boolean switched;
    private boolean dead;
    private boolean saidGoodbye;
    private long parkedAt;
    private @Nullable Throwable fault;

    Http1Upstream(UpstreamKey key, UpstreamPool pool) {
        this.key = key;
        this.pool = pool;
    }

    @Override
    public UpstreamKey key() {
        return key;
    }

    @Override
    public boolean alive() {
        return !dead && context().channel().isActive() && !hasLeftover();
    }

    long parkedAt() {
        return parkedAt;
    }

    @Override
    public void serve(Listener next, RequestHead request) {
        listener = next;
        method = request.method();
        chunked = request.framing() instanceof Framing.Chunked;
        interim = 0;
        heard = false;
        reusable = false;
    }

    @Override
    public void head(RequestHead outgoing) {
        context()
                .write(
                        HeadWriter.request(context().alloc(), outgoing),
                        context().voidPromise());
    }

    @Override
    public Future<Void> window(ByteBuf bytes, boolean last, Fields trailers) {
        // Whoever is told by a write that the connection is broken is told of a plain end by the next read.
        return context()
                .writeAndFlush(chunked ? chunked(bytes, last, trailers) : bytes)
                .addListener(written -> fault = fault == null ? written.cause() : fault);
    }

    private Touched touched() {
        return heard ? Touched.ANSWERED : Touched.PERHAPS;
    }

    private ByteBuf chunked(ByteBuf bytes, boolean last, Fields trailers) {
        ByteBuf chunk = bytes.isReadable() ? HeadWriter.chunk(context().alloc(), bytes) : Unpooled.EMPTY_BUFFER;
        return last
                ? Unpooled.wrappedUnmodifiableBuffer(
                        chunk, HeadWriter.lastChunk(context().alloc(), trailers))
                : chunk;
    }

    @Override
    public void switchProtocols() {
        switched = true;
        reusable = false;
    }

    @Override
    public void more() {
        resume();
    }

    /** Back to the pool, if both sides left the connection clean. */
    @Override
    public void park(long now) {
        listener = null;
        if (switched) {
            // What was released last is on its way: a reset could overtake it.
            close();
        } else if (reusable && alive()) {
            parkedAt = now;
            pool.put(this);
            expectHead();
        } else {
            drop();
        }
    }

    @Override
    public void drop() {
        listener = null;
        dead = true;
        Reset.channel(context().channel());
    }

    /** An idle connection has no more use. */
    void close() {
        dead = true;
        context().close();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (listener == null) {
            // Bytes that answer no request: the next request would take them for its own answer.
            ((ByteBuf) message).release();
            pool.remove(this);
            drop();
            return;
        }
        heard = true;
        super.channelRead(ctx, message);
    }

    @Override
    protected void onHead(String text) {
        Listener to = listener;
        if (to == null) {
            return;
        }
        switch (HeadParser.answer(text)) {
            case Parsed.Malformed<HeadParser.RawAnswer>(String reason) -> malformed(reason);
            case Parsed.Valid<HeadParser.RawAnswer>(HeadParser.RawAnswer raw) -> {
                switch (Framing.ofResponse(method, raw.status(), raw.fields(), raw.http10())) {
                    case Parsed.Malformed<Framing>(String reason) -> malformed(reason);
                    case Parsed.Valid<Framing>(Framing framing) -> answer(to, raw, framing);
                }
            }
        }
    }

    private void answer(Listener to, HeadParser.RawAnswer raw, Framing framing) {
        ResponseHead head = new ResponseHead(raw.status(), raw.reason(), raw.fields(), framing, raw.http10());
        if (raw.status() < 200 && raw.status() != 101) {
            interim++;
            if (interim > INTERIM_AT_MOST) {
                malformed(TOO_MANY_INTERIM);
                return;
            }
            to.answerHead(head);
            expectHead();
            return;
        }
        boolean keeps =
                raw.http10() ? Persistence.has(raw.fields(), "keep-alive") : !Persistence.has(raw.fields(), "close");
        reusable = keeps && !(framing instanceof Framing.UntilClose);
        to.answerHead(head);
        if (listener == to) {
            expectContent(switched ? new Framing.UntilClose() : framing);
        }
    }

    private void malformed(String reason) {
        fail(Refusal.of(RefusalError.UPSTREAM_MALFORMED, "the destination's answer is malformed")
                .because(reason));
    }

    private void fail(Refusal refusal) {
        Listener to = listener;
        if (to != null) {
            listener = null;
            to.upstreamFailed(refusal, touched());
        }
        drop();
    }

    @Override
    protected void onUnreadableHead(HeadReader.Found why) {
        malformed(why instanceof HeadReader.Found.Malformed(String reason) ? reason : "the head is too large");
    }

    @Override
    protected void onContent(ByteBuf piece, boolean last) {
        if (listener == null) {
            piece.release();
        } else {
            listener.answerContent(piece, last);
        }
    }

    @Override
    protected void onContentEnd(Fields trailers) {
        // What follows the answer at once belongs to no request.
        reusable &= !hasLeftover();
        Listener to = listener;
        if (to != null) {
            to.answerEnded(trailers);
        }
    }

    @Override
    protected void onMalformedContent(String reason) {
        malformed(reason);
    }

    @Override
    protected void onPause() {
        if (listener != null) {
            listener.answerPaused();
        }
    }

    @Override
    protected void onWritable() {
        // Windows are released one at a time, each when the one before has left: nothing waits for room here.
    }

    @Override
    protected void onStarved() {
        throw new IllegalStateException("a destination that says nothing more is gone");
    }

    @Override
    protected void onClosed(boolean contentEnded) {
        dead = true;
        reusable = false;
        pool.remove(this);
        Listener to = listener;
        if (to == null) {
            return;
        }
        if (contentEnded && endedOnPurpose()) {
            to.answerEnded(Fields.EMPTY);
        } else {
            listener = null;
            to.upstreamFailed(UpstreamFaults.broken(fault), touched());
        }
    }

    /**
     * RFC 9112 section 9.8: what ends where the connection does is whole only where TLS said so. Anybody on the way can end a connection;
     * only the destination can say that it meant to. Without TLS a FIN has to do for its word, and a reset is none. After a switch of
     * protocols the frames say where the end is.
     */
    private boolean endedOnPurpose() {
        return switched || saidGoodbye || (!key.origin().secure() && fault == null);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof SslCloseCompletionEvent end && end.isSuccess()) {
            saidGoodbye = true;
        }
        ctx.fireUserEventTriggered(event);
    }

    /** Interim answers are heads that nobody asked for. An idle connection reads on, to notice its end. */
    @Override
    protected boolean wantsHead() {
        return listener == null || listener.wantsAnswer();
    }

    @Override
    protected boolean wantsContent() {
        return listener != null && listener.wantsAnswer();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        fault = cause;
        Hop.fault(cause);
        ctx.close();
    }
}

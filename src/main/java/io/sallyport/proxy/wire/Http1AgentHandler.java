package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.util.concurrent.ScheduledFuture;
import io.sallyport.grant.Grant;
import io.sallyport.http.Fields;
import io.sallyport.http.Framing;
import io.sallyport.http.Parsed;
import io.sallyport.proxy.Entrance;
import io.sallyport.proxy.RawHead;
import io.sallyport.proxy.Refusal;
import io.sallyport.proxy.RefusalError;
import io.sallyport.proxy.RefusalText;
import io.sallyport.proxy.RefusedRequest;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One agent's HTTP/1 connection, or what goes on inside its tunnel: one request after the other, each in a turn of its own. */
final class Http1AgentHandler extends MessageHandler implements GrantsConnection.Occupant {

    private static final int TARGET_LIMIT = 8 * 1024;

    private final Hop hop;
    private final Entrance entrance;
    private final Http1Opening opening;
    private @Nullable Http1Turn turn;
    private @Nullable ScheduledFuture<?> headDeadline;
    private boolean closing;
    private boolean minding;

    Http1AgentHandler(Hop hop, Entrance entrance) {
        this.hop = hop;
        this.entrance = entrance;
        this.opening = new Http1Opening(hop, entrance, this);
    }

    Channel channel() {
        return context().channel();
    }

    @Override
    protected void onHead(String text) {
        cancelHeadDeadline();
        switch (HeadParser.request(text)) {
            case Parsed.Malformed<RawHead>(String reason) ->
                refuseUnread(Refusal.of(RefusalError.MALFORMED, reason).closing(), text);
            case Parsed.Valid<RawHead>(RawHead raw) -> {
                if (raw.target().length() > TARGET_LIMIT) {
                    refuseUnread(
                            Refusal.of(RefusalError.TARGET_TOO_LONG, "the target is longer than 8 KiB")
                                    .closing(),
                            text);
                } else {
                    opening.receive(raw, text);
                }
            }
        }
    }

    Http1Turn begin(RawHead raw, Asked asked) {
        Http1Turn started = new Http1Turn(this, asked, Persistence.of(raw));
        turn = started;
        return started;
    }

    void contentOf(Framing framing) {
        expectContent(framing);
    }

    void more() {
        read();
    }

    /** How long what is left of a refused request may take to come. */
    Duration bodyIdle() {
        return hop.settings().deadlines().bodyIdle();
    }

    /** The request is over and wholly read. */
    void next(boolean close) {
        turn = null;
        if (close || closing) {
            closeOnceOut();
        } else {
            channel().flush();
            mindWhatWaits();
            expectHead();
        }
    }

    private void closeOnceOut() {
        channel().writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        mindWhatWaits();
    }

    /** What is written of answers that are over belongs to no request that runs: nobody else looks whether the agent takes it. */
    private void mindWhatWaits() {
        if (minding || Pending.bytes(channel()) == 0) {
            return;
        }
        minding = true;
        Stall stall =
                new Stall(channel().eventLoop(), hop.settings().deadlines().stall(), this::reset);
        stall.begins();
        channel().writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(out -> {
            stall.ends();
            minding = false;
        });
    }

    /**
     * The answer is complete but the request is not wholly read: closing at once would reset the connection before the agent has read
     * the answer, so what still comes is thrown away for a while.
     */
    void linger() {
        turn = null;
        closing = true;
        // The time runs from when the answer is out: a slow reader of a long one is to get it whole.
        channel()
                .writeAndFlush(Unpooled.EMPTY_BUFFER)
                .addListener(
                        out -> channel().eventLoop().schedule(() -> channel().close(), 1, TimeUnit.SECONDS));
        mindWhatWaits();
        discard();
    }

    /** These last bytes, and then no more of the agent's time than a second. */
    void hangUp(ByteBuf last) {
        turn = null;
        closing = true;
        channel().writeAndFlush(last);
        channel().eventLoop().schedule(() -> Reset.channel(channel()), 1, TimeUnit.SECONDS);
        discard();
    }

    /** Breaks the connection off: no last chunk, nothing that looks like a regular end. */
    void reset() {
        turn = null;
        Reset.channel(channel());
    }

    /** A request that runs is cut as a flow, or refused in a moment. What was answered before is to arrive. */
    @Override
    public void takesNoMore() {
        boolean idle = turn == null && !closing;
        closing = true;
        if (idle) {
            closeOnceOut();
        }
    }

    /** Whether the answer to the request that runs is the last one here. */
    boolean closing() {
        return closing;
    }

    private void refuseUnread(Refusal refusal, String text) {
        refuse("", refusal, sender(text));
    }

    /** Whose it was is worth an entry, as with every other refusal to a known grant. */
    @Nullable
    Grant sender(String text) {
        Grant grant = entrance.grant();
        if (grant != null) {
            return grant;
        }
        return hop.gate().sender(text, AgentConnection.of(channel()).source()).orElse(null);
    }

    /** A "no" that ends the connection: what follows can't be told apart any more. */
    void refuse(String method, Refusal refusal, @Nullable Grant grant) {
        if (grant == null) {
            answer(method, refusal);
            return;
        }
        OnLoop.then(
                hop.recorder().refused(grant, RefusedRequest.unread(method, entrance.destination()), refusal),
                channel().eventLoop(),
                (entered, fault) -> answer(method, entered == null ? refusal : entered));
    }

    void answer(String method, Refusal refusal) {
        writeRefusal(refusal, method, Persistence.CLOSE);
        linger();
    }

    /** Writes an answer of our own; whoever calls ends the request. */
    void writeRefusal(Refusal refusal, String method, Persistence persistence) {
        hop.health().refused(refusal.error());
        byte[] content = RefusalText.content(refusal);
        Channel channel = channel();
        channel.write(HeadWriter.answer(
                channel.alloc(),
                refusal.status(),
                Reasons.of(refusal.status()),
                RefusalText.fields(refusal),
                new Framing.Length(content.length),
                persistence.field()));
        if (!method.equals("HEAD")) {
            channel.write(Unpooled.wrappedBuffer(content));
        }
    }

    /** What follows is passed through unread, once its first bytes have been looked at. */
    void becomeBlind(Grant grant, String host, int port) {
        ChannelHandlerContext here = context();
        ByteBuf rest = takeLeftover();
        HalfClose.allow(channel(), false);
        established();
        BlindHelloHandler hello = new BlindHelloHandler(hop, grant, host, port);
        here.pipeline().replace(this, null, hello);
        hello.begin(rest);
    }

    private void established() {
        channel()
                .writeAndFlush(Unpooled.copiedBuffer(
                        "HTTP/1.1 200 Connection established\r\n\r\n", java.nio.charset.StandardCharsets.US_ASCII));
    }

    /** What follows is a tunnel's: another protocol, another handler. */
    void becomeTunnel(Entrance.Tunnel tunnel) {
        ChannelHandlerContext here = context();
        ByteBuf rest = takeLeftover();
        HalfClose.allow(channel(), false);
        established();
        FirstByteHandler first = new FirstByteHandler(hop, tunnel);
        here.pipeline().replace(this, null, first);
        first.begin(rest);
    }

    @Override
    protected void onUnreadableHead(HeadReader.Found why) {
        cancelHeadDeadline();
        switch (why) {
            case HeadReader.Found.TooLarge(String what) ->
                refuseUnread(Refusal.of(RefusalError.HEAD_TOO_LARGE, what).closing(), unreadText());
            case HeadReader.Found.Malformed(String reason) ->
                refuseUnread(Refusal.of(RefusalError.MALFORMED, reason).closing(), unreadText());
            case HeadReader.Found.Incomplete ignored -> {}
            case HeadReader.Found.Complete ignored -> {}
        }
    }

    @Override
    protected void onContent(ByteBuf piece, boolean last) {
        if (turn == null) {
            piece.release();
        } else {
            turn.received(piece);
        }
    }

    @Override
    protected void onContentEnd(Fields trailers) {
        if (turn != null) {
            turn.contentEnded(trailers);
        }
    }

    @Override
    protected void onMalformedContent(String reason) {
        if (turn != null) {
            turn.contentMalformed(reason);
        }
    }

    @Override
    protected void onPause() {
        if (turn != null) {
            turn.paused();
        } else if (hasLeftover() && headDeadline == null && !closing) {
            headDeadline = channel()
                    .eventLoop()
                    .schedule(
                            () -> channel().close(),
                            hop.settings().deadlines().requestHead().toMillis(),
                            TimeUnit.MILLISECONDS);
        }
    }

    @Override
    protected void onWritable() {
        if (turn != null) {
            turn.becameWritable();
        }
        resume();
    }

    @Override
    protected void onClosed(boolean contentEnded) {
        cancelHeadDeadline();
        Http1Turn left = turn;
        if (left != null) {
            turn = null;
            left.left();
        }
    }

    @Override
    protected boolean wantsHead() {
        return channel().isWritable();
    }

    @Override
    protected boolean wantsContent() {
        return turn != null && turn.wantsContent();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        switch (event) {
            case IdleStateEvent ignored -> ctx.close();
            case ChannelInputShutdownEvent ignored -> halfClosed(ctx);
            // TLS as it is here can't go on in one direction.
            case SslCloseCompletionEvent ignored -> ctx.close();
            default -> ctx.fireUserEventTriggered(event);
        }
    }

    /**
     * The agent's FIN. It may mean that the agent is gone, or that it has asked all and waits for its answers; which of the two, only
     * time or a write can tell. Who reads a stream of events, or has switched, would not have said that it is done.
     */
    private void halfClosed(ChannelHandlerContext ctx) {
        Http1Turn now = turn;
        if (now == null ? !hasLeftover() : now.endsWithAgent()) {
            onStarved();
        } else {
            HalfClose.watch(ctx.channel());
            inputEnded();
        }
    }

    @Override
    protected void onStarved() {
        if (turn != null) {
            channel().close();
        } else {
            closeOnceOut();
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        HalfClose.allow(ctx.channel(), ctx.pipeline().get(SslHandler.class) == null);
        super.handlerAdded(ctx);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        Hop.fault(cause);
        ctx.close();
    }

    private void cancelHeadDeadline() {
        if (headDeadline != null) {
            headDeadline.cancel(false);
            headDeadline = null;
        }
    }
}

package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.sallyport.http.Fields;
import io.sallyport.http.Framing;
import io.sallyport.http.ResponseHead;
import io.sallyport.http.WebSocketHandshake;
import io.sallyport.proxy.Refusal;
import io.sallyport.proxy.RefusalText;
import org.jspecify.annotations.Nullable;

/** The answer on one stream of an agent's connection, as it is written: each part once, in its order, and no end before all is there. */
final class StreamReply {

    private final Http2AgentHandler connection;
    private final Http2AgentStream stream;
    private boolean ended;
    private long left = -1;
    private @Nullable ChannelFuture out;
    private @Nullable ResponseHead held;

    StreamReply(Http2AgentHandler connection, Http2AgentStream stream) {
        this.connection = connection;
        this.stream = stream;
    }

    /** Whether its end was written. */
    boolean ended() {
        return ended;
    }

    /** When what was written last is out; null before anything was. */
    @Nullable
    ChannelFuture out() {
        return out;
    }

    void interim(ResponseHead head) {
        connection.headers(stream, Http2Answers.head(head, false), false);
        connection.flushSoon();
    }

    void head(ResponseHead head) {
        if (head.framing() instanceof Framing.Length(long length) && length == 0) {
            held = head;
            return;
        }
        ended = head.framing() instanceof Framing.None;
        left = head.framing() instanceof Framing.Length(long length) ? length : -1;
        out = connection.headers(stream, Http2Answers.head(head, ended), ended);
    }

    /** A 200 it is in HTTP/2, and what follows are frames of both sides (RFC 8441 section 5). */
    void switchProtocols(ResponseHead head) {
        ResponseHead agreed =
                new ResponseHead(200, "", WebSocketHandshake.withoutSwitch(head.fields()), head.framing(), false);
        out = connection.headers(stream, Http2Answers.head(agreed, false), false);
        connection.flushSoon();
    }

    /**
     * A head without content waits to hear whether it is all there is: a gRPC status in a head is one only on a frame that ends its
     * stream.
     */
    void release(boolean last) {
        ResponseHead head = held;
        if (head != null) {
            held = null;
            out = connection.headers(stream, Http2Answers.head(head, last), last);
        }
    }

    /** Takes the piece over. */
    void content(ByteBuf piece) {
        release(false);
        left = left < 0 ? -1 : left - piece.readableBytes();
        connection.data(stream, piece, false);
    }

    /** @return false where less has come than the head said, and nothing was written: its end would say that this is all of it */
    boolean end(Fields trailers) {
        if (left > 0) {
            return false;
        }
        boolean bare = held != null && trailers.size() == 0;
        release(bare);
        ended = true;
        if (!bare) {
            out = trailers.size() > 0
                    ? connection.headers(stream, Http2Answers.trailers(trailers), true)
                    : connection.data(stream, Unpooled.EMPTY_BUFFER, true);
        }
        return true;
    }

    /** @param headOnly for HEAD */
    void refuse(Refusal refusal, boolean headOnly) {
        connection.hop().health().refused(refusal.error());
        byte[] text = RefusalText.content(refusal);
        ResponseHead head = new ResponseHead(
                refusal.status(), "", RefusalText.fields(refusal), new Framing.Length(text.length), false);
        ended = true;
        out = connection.headers(stream, Http2Answers.head(head, false), headOnly);
        if (!headOnly) {
            out = connection.data(stream, Unpooled.wrappedBuffer(text), true);
        }
    }
}

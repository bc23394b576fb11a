package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.Future;
import io.sallyport.http.Field;
import io.sallyport.http.Fields;
import io.sallyport.http.Framing;
import io.sallyport.http.RequestHead;
import io.sallyport.http.ResponseHead;
import io.sallyport.http.WebSocketHandshake;
import io.sallyport.proxy.Refusal;
import io.sallyport.proxy.flow.Touched;
import org.jspecify.annotations.Nullable;

/**
 * A WebSocket on a stream of a destination's HTTP/2 connection (RFC 8441): to whoever uses it, the handshake of HTTP/1.1 and its 101; on
 * the stream a CONNECT and its 200. The stream stays open where a request without content would end it.
 */
final class ExtendedConnect implements UpstreamStream {

    private final Http2UpstreamStream stream;
    private @Nullable WebSocketHandshake handshake;
    private boolean switched;

    ExtendedConnect(Http2UpstreamStream stream) {
        this.stream = stream;
    }

    @Override
    public UpstreamKey key() {
        return stream.key();
    }

    @Override
    public boolean alive() {
        return stream.alive();
    }

    @Override
    public void serve(Listener listener, RequestHead request) {
        stream.serve(new Answer(listener), request);
    }

    /** Key and accept value are HTTP/1.1's own way to know that the other side understood: here the 200 says it. */
    @Override
    public void head(RequestHead outgoing) {
        handshake = WebSocketHandshake.of(outgoing).orElseThrow();
        Fields fields = WebSocketHandshake.withoutSwitch(outgoing.fields())
                .without("Sec-WebSocket-Key")
                .plus(new Field(":protocol", "websocket"));
        stream.head(
                new RequestHead("CONNECT", outgoing.origin(), outgoing.target(), fields, new Framing.None(), false));
    }

    /** What ends, ends by a Close frame. */
    @Override
    public Future<Void> window(ByteBuf bytes, boolean last, Fields trailers) {
        return stream.window(bytes, false, Fields.EMPTY);
    }

    @Override
    public void switchProtocols() {
        switched = true;
    }

    @Override
    public void more() {
        stream.more();
    }

    /** A reset could overtake what was released last. */
    @Override
    public void park(long now) {
        if (switched && stream.alive()) {
            stream.window(Unpooled.EMPTY_BUFFER, true, Fields.EMPTY);
            stream.dropSoon();
        } else {
            stream.park(now);
        }
    }

    @Override
    public void drop() {
        stream.drop();
    }

    private final class Answer implements Listener {
        private final Listener listener;

        Answer(Listener listener) {
            this.listener = listener;
        }

        @Override
        public void answerHead(ResponseHead head) {
            WebSocketHandshake asked = handshake;
            listener.answerHead(
                    asked != null && head.status() >= 200 && head.status() < 300
                            ? new ResponseHead(101, "", asked.answer(head.fields()), new Framing.None(), false)
                            : head);
        }

        @Override
        public void answerContent(ByteBuf piece, boolean last) {
            listener.answerContent(piece, last);
        }

        @Override
        public void answerPaused() {
            listener.answerPaused();
        }

        @Override
        public void answerEnded(Fields trailers) {
            listener.answerEnded(trailers);
        }

        @Override
        public void upstreamFailed(Refusal refusal, Touched touched) {
            listener.upstreamFailed(refusal, touched);
        }

        @Override
        public boolean wantsAnswer() {
            return listener.wantsAnswer();
        }
    }
}

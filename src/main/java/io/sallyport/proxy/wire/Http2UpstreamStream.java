package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.concurrent.Future;
import io.sallyport.http.Fields;
import io.sallyport.http.RequestHead;
import io.sallyport.proxy.Refusal;
import io.sallyport.proxy.RefusalError;
import io.sallyport.proxy.flow.Touched;
import org.jspecify.annotations.Nullable;

/**
 * One request on an HTTP/2 connection. Its head waits for the first window, so that a request without content is one frame. The answer
 * comes as far as its window lets it: more is asked for as the agent takes what came.
 */
final class Http2UpstreamStream implements UpstreamStream {

    private final Http2Upstream connection;
    private @Nullable Http2Stream stream;
    private final StreamAnswer answer = new StreamAnswer();
    private @Nullable Http2Headers head;
    private Future<Void> lastWrite;
    private boolean takesTrailers;
    private int unread;
    private boolean untouched;
    private boolean left;

    Http2UpstreamStream(Http2Upstream connection) {
        this.connection = connection;
        this.lastWrite = connection.nothing();
    }

    @Override
    public UpstreamKey key() {
        return connection.key();
    }

    @Override
    public boolean alive() {
        return !left && connection.alive();
    }

    @Override
    public void serve(Listener next, RequestHead request) {
        answer.serve(next, request.method());
        takesTrailers = Http2Heads.takesTrailers(request.fields());
    }

    @Override
    public void head(RequestHead outgoing) {
        head = Http2Heads.request(outgoing, takesTrailers);
    }

    @Override
    public Future<Void> window(ByteBuf bytes, boolean last, Fields trailers) {
        boolean trailing = trailers.size() > 0;
        boolean whole = begin(last && !trailing && !bytes.isReadable());
        Http2Stream to = stream;
        if (to == null || left || whole) {
            bytes.release();
            connection.flush();
            return lastWrite;
        }
        if (bytes.isReadable() || (last && !trailing)) {
            lastWrite = connection.writeContent(to.id(), bytes, last && !trailing);
        } else {
            bytes.release();
        }
        if (trailing) {
            lastWrite = connection.writeHead(to.id(), Http2Heads.trailers(trailers), true);
        }
        connection.flush();
        return lastWrite;
    }

    /** Writes the head, where it is still to be written. @return whether the request is whole with it */
    private boolean begin(boolean whole) {
        Http2Headers first = head;
        if (first == null) {
            return false;
        }
        head = null;
        stream = connection.begin(this);
        if (stream == null) {
            leave();
            untouched = true;
            fail(UpstreamFaults.broken(null), null);
        } else {
            lastWrite = connection.writeHead(stream.id(), first, whole);
        }
        return whole;
    }

    void headers(Http2Headers headers, boolean last) {
        if (answer.heard()) {
            connection.touch(this);
        }
        String problem = answer.headers(headers, last);
        if (problem != null) {
            malformed(problem);
        }
    }

    /** @return how many bytes the destination may send in place of those that came */
    int data(ByteBuf data, boolean last) {
        int length = data.readableBytes();
        if (!answer.heard()) {
            return length;
        }
        connection.touch(this);
        unread += length;
        String problem = answer.content(data, last);
        if (problem != null) {
            malformed(problem);
        }
        return taken();
    }

    private int taken() {
        if (!answer.wanted()) {
            return 0;
        }
        int bytes = unread;
        unread = 0;
        return bytes;
    }

    void paused() {
        answer.paused();
    }

    @Override
    public void more() {
        if (stream != null && unread > 0) {
            int bytes = taken();
            if (bytes > 0) {
                connection.credit(stream, bytes);
            }
        }
    }

    /** The destination ended it. */
    void reset(long code) {
        if (code == Http2Error.HTTP_1_1_REQUIRED.code()) {
            connection.needsHttp1();
        }
        untouched = code == Http2Error.HTTP_1_1_REQUIRED.code() || code == Http2Error.REFUSED_STREAM.code();
        fail(
                Refusal.of(RefusalError.UPSTREAM_RESET, "the destination broke the request off")
                        .because(UpstreamFaults.code(code)),
                null);
    }

    /** The codec found fault with it. @param ours true when it was with what we wrote */
    void broke(boolean ours, Http2Exception.StreamException fault) {
        boolean tooLarge = fault instanceof Http2Exception.HeaderListSizeException;
        if (ours) {
            fail(
                    Refusal.of(
                                    RefusalError.UPSTREAM_RESET,
                                    tooLarge
                                            ? "the head is larger than the destination takes"
                                            : "the request could not be written")
                            .because(String.valueOf(fault.getMessage())),
                    fault.error());
        } else {
            malformed(tooLarge ? "the head is too large" : String.valueOf(fault.getMessage()));
        }
    }

    private void malformed(String reason) {
        fail(
                Refusal.of(RefusalError.UPSTREAM_MALFORMED, "the destination's answer is malformed")
                        .because(reason),
                Http2Error.PROTOCOL_ERROR);
    }

    /** @param why to tell the destination; null where it knows */
    private void fail(Refusal refusal, @Nullable Http2Error why) {
        Listener to = answer.leave();
        if (why != null && stream != null && !left) {
            connection.cut(stream, why, !lastWrite.isSuccess());
        }
        if (to != null && !answer.ended()) {
            to.upstreamFailed(refusal, touched());
        }
    }

    private Touched touched() {
        if (answer.begun()) {
            return Touched.ANSWERED;
        }
        return untouched ? Touched.NOT : Touched.PERHAPS;
    }

    /** The stream is gone, for whatever reason. @param beyond what the destination said that it would act upon */
    void closed(boolean beyond) {
        untouched |= beyond;
        leave();
        fail(connection.cause(), null);
    }

    private void leave() {
        if (!left) {
            left = true;
            connection.left();
        }
    }

    @Override
    public void park(long now) {
        answer.leave();
        // Both sides have ended it, or it ends with the frame that is being read.
        if (stream == null || stream.state().localSideOpen()) {
            drop();
        } else if (answer.goesOn()) {
            dropSoon();
        }
    }

    /** Has sent its end, and gives the destination a second for its own. */
    void dropSoon() {
        answer.leave();
        connection.inASecond(this::drop);
    }

    @Override
    public void drop() {
        answer.leave();
        if (stream == null) {
            leave();
        } else if (!left) {
            connection.cut(stream, Http2Error.CANCEL, !lastWrite.isSuccess());
        }
    }
}

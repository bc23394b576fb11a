package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Stream;
import io.sallyport.http.Field;
import io.sallyport.http.Fields;
import io.sallyport.http.Framing;
import io.sallyport.http.Parsed;
import io.sallyport.http.ResponseHead;
import io.sallyport.proxy.Refusal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One stream of an agent's HTTP/2 connection: one request and its answer. Whatever becomes of it, the connection's other streams go on;
 * only an end of the grant ends them all.
 */
final class Http2AgentStream implements AgentStream {

    /** Content of a refused request that is read to its end. Of a longer one the peer is told to stop. */
    private static final long DRAINED = 64 * 1024;

    private final Http2AgentHandler connection;
    private final Http2Stream stream;
    private final StreamContent content;
    private final StreamReply reply;
    private String method = "";
    private Framing framing = new Framing.Chunked();
    private boolean expectsContinue;
    private @Nullable Listener listener;
    private Fields trailers = Fields.EMPTY;
    private boolean handshake;
    private boolean switched;
    private boolean reading;
    private boolean ended;
    private boolean endTold;
    private boolean malformed;
    private boolean over;
    private long movedAt;
    private long answeredAt;

    Http2AgentStream(Http2AgentHandler connection, Http2Stream stream, boolean ended) {
        this.connection = connection;
        this.stream = stream;
        this.ended = ended;
        this.content = new StreamContent(connection.alloc());
        this.reply = new StreamReply(connection, this);
        moved();
    }

    /** What its head said. */
    void asks(String asked, Framing delimited, boolean waitsForContinue) {
        method = asked;
        framing = delimited;
        expectsContinue = waitsForContinue;
        // Nothing else has no content on a stream that goes on.
        handshake = delimited instanceof Framing.None && !ended;
        content.delimitedBy(delimited);
    }

    void serve(Listener run) {
        listener = run;
    }

    /** Whether an answer would still be heard. */
    boolean waits() {
        return open();
    }

    Http2Stream stream() {
        return stream;
    }

    /**
     * Whether nothing has moved since, in either direction, or its answer is over since and was not taken. Of the latter a window that opens
     * by a byte is no sign of life.
     */
    boolean stalled(long moved, long answered) {
        return movedAt - moved < 0 || (over && answeredAt - answered < 0);
    }

    void moved() {
        movedAt = connection.nanos();
    }

    @Override
    public EventLoop loop() {
        return connection.loop();
    }

    @Override
    public ByteBufAllocator alloc() {
        return connection.alloc();
    }

    /**
     * Content has come. The caller keeps the piece.
     *
     * @return how many bytes of it need no room here any more
     */
    int received(ByteBuf piece, boolean end) {
        moved();
        int size = piece.readableBytes();
        ended |= end;
        if (over) {
            return drainable() ? size : 0;
        }
        String problem = content.count(size, end);
        if (problem != null) {
            broken(problem);
            return size;
        }
        if (reading && content.isEmpty() && size > 0 && wanted()) {
            deliver(piece.retain());
            tellEnd();
            return size;
        }
        if (size > 0) {
            content.keep(piece);
        }
        tellEnd();
        return 0;
    }

    /** A second header block: it ends the request. */
    void receivedTrailers(List<Field> lines) {
        moved();
        ended = true;
        if (over) {
            return;
        }
        String problem = content.count(0, true);
        if (problem != null) {
            broken(problem);
            return;
        }
        switch (StreamHeadReader.trailers(lines)) {
            case Parsed.Malformed<Fields>(String reason) -> broken(reason);
            case Parsed.Valid<Fields>(Fields valid) -> {
                trailers = valid;
                tellEnd();
            }
        }
    }

    private void broken(String reason) {
        malformed = true;
        content.drop();
        if (listener != null) {
            listener.contentMalformed(reason);
        }
    }

    private boolean wanted() {
        return listener != null && listener.wantsContent();
    }

    private void deliver(ByteBuf piece) {
        Listener to = listener;
        if (to == null) {
            piece.release();
        } else {
            to.content(piece);
        }
    }

    private void tellEnd() {
        if (ended && reading && !endTold && !over && content.isEmpty() && listener != null) {
            endTold = true;
            listener.contentEnded(trailers);
        }
    }

    @Override
    public void readContent() {
        if (handshake) {
            // What comes is no content of the request: it waits for the answer, within the stream's window.
            if (listener != null) {
                listener.contentEnded(Fields.EMPTY);
            }
            return;
        }
        reading = true;
        more();
    }

    @Override
    public void switchProtocols(ResponseHead head) {
        if (!open()) {
            return;
        }
        moved();
        handshake = false;
        switched = true;
        reading = true;
        reply.switchProtocols(head);
        more();
    }

    @Override
    public void hangUp(ByteBuf last) {
        content(last);
        finish();
        connection.resetIn(this, 1);
    }

    /** Takes what has come already, and opens the window by as much. */
    @Override
    public void more() {
        if (!reading) {
            return;
        }
        int taken = 0;
        while (!over && !content.isEmpty() && wanted()) {
            ByteBuf piece = content.take();
            if (piece != null) {
                taken += piece.readableBytes();
                deliver(piece);
            }
        }
        connection.consumed(this, taken);
        tellEnd();
        if (taken > 0) {
            paused();
        }
    }

    /** What could be read just now has been read. */
    void paused() {
        if (reading && !over && listener != null) {
            listener.contentPaused();
        }
    }

    @Override
    public boolean writable() {
        return connection.writable(this);
    }

    void becameWritable() {
        moved();
        if (!over && listener != null && writable()) {
            listener.writable();
        }
    }

    /** One that does not wait for a 100 is not told one. */
    @Override
    public void interim(ResponseHead head) {
        if (open() && (head.status() != 100 || expectsContinue)) {
            reply.interim(head);
        }
    }

    @Override
    public void head(ResponseHead head, boolean last) {
        if (!open()) {
            return;
        }
        moved();
        reply.head(head);
    }

    @Override
    public void content(ByteBuf piece) {
        if (!open()) {
            piece.release();
            return;
        }
        moved();
        reply.content(piece);
    }

    @Override
    public void end(Fields fields) {
        if (!open()) {
            return;
        }
        if (!reply.end(fields)) {
            reset();
        }
    }

    private boolean open() {
        return !over && !reply.ended();
    }

    @Override
    public void flush() {
        if (open()) {
            reply.release(false);
        }
        connection.flushSoon();
    }

    @Override
    public void finish() {
        if (switched) {
            end(Fields.EMPTY);
        }
        if (!over) {
            close();
        }
    }

    /** The stream is the refusal's: the next one is served like any other. */
    @Override
    public void refuse(Refusal refusal) {
        if (!open()) {
            return;
        }
        reply.refuse(refusal, method.equals("HEAD"));
        close();
        if (refusal.close()) {
            connection.retire();
        }
    }

    /**
     * The answer is whole. A request that is not is read to its end where that is near, else its peer is told to stop, which is no error
     * (RFC 9113 section 8.1); a malformed one is a stream error that was answered first (section 8.1.1).
     */
    private void close() {
        over = true;
        answeredAt = connection.nanos();
        connection.consumed(this, content.drop());
        ChannelFuture out = reply.out();
        if (!ended && !drainable() && out != null) {
            Http2Error code = malformed ? Http2Error.PROTOCOL_ERROR : Http2Error.NO_ERROR;
            // Not before the answer's end is out, which may have to wait for the peer's window.
            out.addListener(done -> connection.stop(this, code));
        }
        connection.flushSoon();
    }

    private boolean drainable() {
        return !malformed && !expectsContinue && framing instanceof Framing.Length(long length) && length <= DRAINED;
    }

    @Override
    public void reset() {
        if (!over) {
            over = true;
            content.drop();
            connection.reset(this, Http2Error.INTERNAL_ERROR);
        }
    }

    /** Nothing has moved for too long. */
    void stall() {
        connection.reset(this, Http2Error.CANCEL);
    }

    /** The stream is gone, by whoever's word. */
    void closed() {
        content.drop();
        if (!over) {
            over = true;
            if (listener != null && !reply.ended()) {
                listener.left();
            }
        }
    }
}

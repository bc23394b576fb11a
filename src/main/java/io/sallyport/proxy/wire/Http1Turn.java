package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.sallyport.http.Fields;
import io.sallyport.http.Framing;
import io.sallyport.http.ResponseHead;
import io.sallyport.proxy.Refusal;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One request's turn on an agent's HTTP/1 connection, and what it means for the next one: an answer that ends before its request leaves a
 * connection on which nothing more can be told apart.
 */
final class Http1Turn implements AgentStream {

    /** Content of a refused request that is read to its end, so that the connection can go on. */
    private static final long DRAINED = 64 * 1024;

    private final Http1AgentHandler connection;
    private final Asked asked;
    private Persistence persistence;
    private Framing answer = new Framing.None();
    private @Nullable Listener listener;
    private @Nullable Stall drained;
    private boolean reading;
    private boolean ended;
    private boolean draining;
    private boolean malformed;
    private boolean events;

    Http1Turn(Http1AgentHandler connection, Asked asked, Persistence persistence) {
        this.connection = connection;
        this.asked = asked;
        this.persistence = persistence;
    }

    void serve(Listener run) {
        listener = run;
    }

    @Override
    public EventLoop loop() {
        return channel().eventLoop();
    }

    @Override
    public ByteBufAllocator alloc() {
        return channel().alloc();
    }

    private Channel channel() {
        return connection.channel();
    }

    @Override
    public void readContent() {
        reading = true;
        connection.contentOf(asked.head().framing());
    }

    @Override
    public void more() {
        connection.more();
    }

    @Override
    public boolean writable() {
        return channel().isWritable();
    }

    /** An HTTP/1.0 peer knows no interim answers, and one that does not wait for a 100 is not told one. */
    @Override
    public void interim(ResponseHead head) {
        if (!asked.head().http10() && (head.status() != 100 || asked.expectsContinue())) {
            channel()
                    .writeAndFlush(HeadWriter.answer(
                            alloc(), head.status(), head.reason(), head.fields(), head.framing(), ""));
        }
    }

    /** An answer that only the connection's end delimits ends it. */
    @Override
    public void head(ResponseHead head, boolean last) {
        answer = switch (head.framing()) {
            case Framing.None none -> none;
            // Masking keeps lengths, so the length that was promised still holds.
            case Framing.Length length -> length;
            case Framing.Chunked ignored -> unsized();
            case Framing.UntilClose ignored -> unsized();
        };
        events = head.fields()
                .first("Content-Type")
                .orElse("")
                .toLowerCase(Locale.ROOT)
                .startsWith("text/event-stream");
        persistence = persistence.orClose(last || connection.closing() || answer instanceof Framing.UntilClose);
        channel()
                .write(HeadWriter.answer(
                        alloc(), head.status(), head.reason(), head.fields(), answer, persistence.field()));
    }

    private Framing unsized() {
        return asked.head().http10() ? new Framing.UntilClose() : new Framing.Chunked();
    }

    @Override
    public void content(ByteBuf piece) {
        channel().write(answer instanceof Framing.Chunked ? HeadWriter.chunk(alloc(), piece) : piece);
    }

    @Override
    public void end(Fields trailers) {
        if (answer instanceof Framing.Chunked) {
            channel().write(HeadWriter.lastChunk(alloc(), trailers));
        }
    }

    @Override
    public void flush() {
        channel().flush();
    }

    @Override
    public void finish() {
        if (ended || (!reading && asked.empty())) {
            connection.next(persistence.closes());
        } else {
            connection.linger();
        }
    }

    /** What is left of a small request is read, so that the connection can go on. */
    @Override
    public void refuse(Refusal refusal) {
        boolean whole = ended || asked.empty();
        // A peer that was too slow is not waited for again (RFC 9110 section 15.5.9).
        boolean given = refusal.close() || connection.closing() || malformed || refusal.status() == 408;
        Persistence then = persistence.orClose(given || !(whole || drainable()));
        connection.writeRefusal(refusal, asked.head().method(), then);
        if (whole) {
            connection.next(then.closes());
        } else if (then.closes()) {
            connection.linger();
        } else {
            drain();
        }
    }

    /** A peer that waits for our word before it sends content may send it all the same, or not: only closing is unambiguous. */
    private boolean drainable() {
        return !asked.expectsContinue()
                && asked.head().framing() instanceof Framing.Length(long length)
                && length <= DRAINED;
    }

    private void drain() {
        draining = true;
        drained = new Stall(loop(), connection.bodyIdle(), () -> channel().close());
        drained.begins();
        channel().flush();
        if (!reading) {
            readContent();
        }
        more();
    }

    private void stopDraining() {
        if (drained != null) {
            drained.ends();
        }
    }

    /** With this the connection has had its last request. */
    @Override
    public void switchProtocols(ResponseHead head) {
        persistence = Persistence.CLOSE;
        ended = false;
        events = true;
        answer = new Framing.UntilClose();
        channel()
                .writeAndFlush(
                        HeadWriter.answer(alloc(), head.status(), head.reason(), head.fields(), head.framing(), ""));
        connection.contentOf(answer);
    }

    @Override
    public void contentDone() {
        ended = true;
    }

    @Override
    public void hangUp(ByteBuf last) {
        connection.hangUp(last);
    }

    @Override
    public void reset() {
        connection.reset();
    }

    /** Whether the answer is one that goes on for as long as somebody listens. */
    boolean endsWithAgent() {
        return events;
    }

    void received(ByteBuf piece) {
        Listener to = listener;
        if (to == null || draining) {
            piece.release();
        } else {
            to.content(piece);
        }
    }

    void contentEnded(Fields trailers) {
        ended = true;
        stopDraining();
        if (draining) {
            connection.next(persistence.closes());
        } else if (listener != null) {
            listener.contentEnded(trailers);
        }
    }

    /** Nothing that follows on this connection can be told apart. */
    void contentMalformed(String reason) {
        malformed = true;
        if (draining) {
            connection.linger();
        } else if (listener != null) {
            listener.contentMalformed(reason);
        }
    }

    void paused() {
        if (listener != null && !draining) {
            listener.contentPaused();
        }
    }

    boolean wantsContent() {
        return draining || (listener != null && listener.wantsContent());
    }

    void becameWritable() {
        if (listener != null) {
            listener.writable();
        }
    }

    void left() {
        stopDraining();
        if (listener != null) {
            listener.left();
        }
    }
}

package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sallyport.http.Framing;
import io.sallyport.proxy.Refusal;
import io.sallyport.proxy.RefusalError;
import io.sallyport.proxy.Window;
import io.sallyport.proxy.flow.Command;
import io.sallyport.proxy.flow.Event;
import java.time.Duration;

/**
 * The content of one request on its way from the agent: gathered into windows, held while a window is at the ledger, then written to the
 * destination; or, once the request is refused, read and thrown away.
 */
final class RequestSide implements ContentGatherer.Listener {

    /** Content of a refused request that is read to its end, so that the connection can go on. */
    private static final long DRAINED = 64 * 1024;

    private final RequestRun run;
    private final AgentHandler agent;
    private final Asked asked;
    private final ContentGatherer gatherer;
    private ByteBuf held = Unpooled.EMPTY_BUFFER;
    private boolean reading;
    private boolean draining;
    private long bytesOut;

    RequestSide(RequestRun run, AgentHandler agent, Asked asked, Duration patience) {
        this.run = run;
        this.agent = agent;
        this.asked = asked;
        this.gatherer = new ContentGatherer(agent.channel().eventLoop(), patience, this);
    }

    void gather(Command.Gathering how, long limit) {
        // Reading comes first: a body that is here already needs no patience.
        if (!reading) {
            gatherer.limit(limit);
            read();
        }
        gatherer.ask(how);
        agent.more();
    }

    private void read() {
        reading = true;
        agent.contentOf(asked.head().framing());
    }

    @Override
    public void closed(Window window, ByteBuf bytes) {
        held = bytes;
        run.tell(new Event.WindowClosed(window));
    }

    @Override
    public void tooLarge() {
        run.tooLarge();
    }

    /** Writes the window that is held. */
    void release(Window window, UpstreamConnection to) {
        ByteBuf bytes = held;
        held = Unpooled.EMPTY_BUFFER;
        bytesOut += window.length();
        to.writeAndFlush(framed(bytes, window.last())).addListener(done -> {
            if (done.isSuccess()) {
                run.tell(new Event.WindowReleased());
            }
        });
    }

    private ByteBuf framed(ByteBuf bytes, boolean last) {
        if (!asked.chunked()) {
            return bytes;
        }
        ByteBuf chunk = bytes.isReadable() ? HeadWriter.chunk(agent.channel().alloc(), bytes) : Unpooled.EMPTY_BUFFER;
        return last ? Unpooled.wrappedUnmodifiableBuffer(chunk, HeadWriter.lastChunk()) : chunk;
    }

    void content(ByteBuf piece) {
        if (draining) {
            piece.release();
        } else {
            gatherer.add(piece);
        }
    }

    void ended() {
        gatherer.end();
        if (draining) {
            agent.next(asked.persistence().closes());
        }
    }

    void malformed(String reason) {
        gatherer.stop();
        if (draining) {
            agent.linger();
        } else {
            run.tell(new Event.ContentRefused(Refusal.of(RefusalError.MALFORMED, "the content is malformed: " + reason)
                    .closing()));
        }
    }

    void paused() {
        gatherer.pause();
    }

    boolean wantsMore() {
        return draining || gatherer.wantsMore();
    }

    /** The answer is complete: the agent's connection goes on where the request is complete too. */
    void finish(Persistence then) {
        if (gatherer.ended() || (!reading && asked.empty())) {
            agent.next(then.closes());
        } else {
            agent.linger();
        }
    }

    /** Answers with a "no" of our own. What is left of a small request is read, so that the connection can go on. */
    void refuse(Refusal refusal, Persistence persistence) {
        boolean whole = gatherer.ended() || asked.empty();
        Persistence then = persistence.orClose(refusal.close() || !(whole || drainable()));
        agent.writeRefusal(refusal, asked.head().method(), then);
        if (whole) {
            agent.next(then.closes());
        } else if (then.closes()) {
            agent.linger();
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
        agent.channel().flush();
        if (!reading) {
            read();
        }
        agent.more();
    }

    /** Content bytes written to the destination, before any chunking. */
    long bytesOut() {
        return bytesOut;
    }

    /** Lets go of what was not sent. */
    void settle() {
        gatherer.stop();
        held.release();
        held = Unpooled.EMPTY_BUFFER;
    }
}

package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sallyport.credential.TokenMarks;
import io.sallyport.http.Fields;
import io.sallyport.proxy.Refusal;
import io.sallyport.proxy.RefusalError;
import io.sallyport.proxy.Window;
import io.sallyport.proxy.flow.Command;
import io.sallyport.proxy.flow.Event;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The content of one request on its way from the agent: gathered into windows, held while a window is at the ledger, then written to the
 * destination; or let go, where the request comes to nothing.
 */
final class RequestSide implements AgentStream.Listener, ContentGatherer.Listener {

    private final RequestRun run;
    private final AgentStream agent;
    private final Duration patience;
    private final TokenMarks marks;
    private ContentGatherer gatherer;
    private @Nullable AgentFrames frames;
    private ByteBuf held = Unpooled.EMPTY_BUFFER;
    private Fields trailers = Fields.EMPTY;
    private boolean reading;
    private long bytesOut;

    RequestSide(RequestRun run, AgentStream agent, Duration patience, TokenMarks marks) {
        this.run = run;
        this.agent = agent;
        this.patience = patience;
        this.marks = marks;
        this.gatherer = new ContentGatherer(agent.loop(), patience, marks, this);
    }

    void gather(Command.Gathering how, long limit) {
        // Reading comes first: a body that is here already needs no patience.
        gatherer.limit(limit);
        if (!reading) {
            reading = true;
            agent.readContent();
        }
        gatherer.ask(how);
        agent.more();
    }

    @Override
    public void closed(Window window, ByteBuf bytes) {
        held = bytes;
        run.tell(new Event.WindowClosed(window.last() ? window.with(trailers) : window));
    }

    @Override
    public void tooLarge() {
        run.tooLarge();
    }

    @Override
    public void tokenSeen() {
        run.tokenSeen();
    }

    /** Writes the window that is held. Of one that may have to be sent again the bytes stay. */
    void release(Window window, UpstreamStream to) {
        ByteBuf bytes = held;
        if (window.kept()) {
            bytes = held.retainedDuplicate();
        } else {
            held = Unpooled.EMPTY_BUFFER;
        }
        bytesOut = window.offset() + window.length();
        to.window(bytes, window.last(), window.trailers()).addListener(done -> {
            if (done.isSuccess()) {
                run.tell(new Event.WindowReleased());
            }
        });
    }

    /** The handshake is over: what comes now are frames, whose content is counted from its own beginning. */
    void switchProtocols() {
        gatherer = new ContentGatherer(agent.loop(), patience, marks, this);
        frames = new AgentFrames(gatherer, agent.alloc());
    }

    @Override
    public void content(ByteBuf piece) {
        if (frames == null) {
            gatherer.add(piece);
        } else if (frames.read(piece) instanceof String problem) {
            contentMalformed(problem);
        } else if (frames.closed()) {
            agent.contentDone();
        }
    }

    @Override
    public void contentEnded(Fields came) {
        if (frames != null) {
            // The stream's end without a Close is what the connection's is in HTTP/1.
            if (!frames.closed()) {
                agent.reset();
                run.agentLeft();
            }
            return;
        }
        Optional<Refusal> problem = run.judged(came);
        if (problem.isPresent()) {
            gatherer.stop();
            run.tell(new Event.ContentRefused(problem.get()));
        } else {
            trailers = came;
            gatherer.end();
        }
    }

    @Override
    public void contentMalformed(String reason) {
        gatherer.stop();
        run.tell(new Event.ContentRefused(Refusal.of(RefusalError.MALFORMED, "the content is malformed: " + reason)));
    }

    @Override
    public void contentPaused() {
        gatherer.pause();
    }

    @Override
    public boolean wantsContent() {
        return gatherer.wantsMore();
    }

    @Override
    public void writable() {
        run.agentWritable();
    }

    @Override
    public void left() {
        run.agentLeft();
    }

    /** Content bytes written to the destination, before any chunking. */
    long bytesOut() {
        return bytesOut;
    }

    /** Lets go of what was not sent. */
    void settle() {
        gatherer.stop();
        if (frames != null) {
            frames.release();
        }
        held.release();
        held = Unpooled.EMPTY_BUFFER;
    }
}

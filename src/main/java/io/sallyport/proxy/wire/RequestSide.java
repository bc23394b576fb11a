package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.Future;
import io.sallyport.credential.ContentRewriter;
import io.sallyport.credential.PlaceholderWatch;
import io.sallyport.credential.TokenMarks;
import io.sallyport.http.ContentWatch;
import io.sallyport.http.Fields;
import io.sallyport.proxy.ContentBudget;
import io.sallyport.proxy.ProxySettings;
import io.sallyport.proxy.Refusal;
import io.sallyport.proxy.RefusalError;
import io.sallyport.proxy.SentContent;
import io.sallyport.proxy.Window;
import io.sallyport.proxy.flow.Command;
import io.sallyport.proxy.flow.Event;
import io.sallyport.proxy.flow.Touched;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
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
    private final Stall stall;
    private ContentBudget.@Nullable Share share;
    private @Nullable BodyPace pace;
    private ByteBuf held = Unpooled.EMPTY_BUFFER;
    private Fields trailers = Fields.EMPTY;
    private List<PlaceholderWatch> watches = List.of();
    private List<ContentRewriter> rewriters = List.of();
    private @Nullable SentContent sent;
    private boolean invited;
    private @Nullable ContentWatch own;
    private boolean reading;
    private long bytesOut;

    RequestSide(RequestRun run, AgentStream agent, ProxySettings.Deadlines deadlines, TokenMarks marks) {
        this.run = run;
        this.agent = agent;
        this.patience = deadlines.patience();
        this.marks = marks;
        this.gatherer = new ContentGatherer(agent.loop(), patience, marks, this);
        this.stall = new Stall(agent.loop(), deadlines.stall(), this::notTaken);
    }

    /** Content of which the head says how long it is. */
    void promise(long length) {
        gatherer.promise(length);
    }

    /** The request has no content. */
    void expectNothing() {
        gatherer.expectNothing();
    }

    /** Content that has to come at a pace. */
    void expect(BodyPace.Rule rule, LongSupplier clock) {
        pace = new BodyPace(agent.loop(), clock, rule, this::tooSlow);
    }

    /** The agent has no reason to wait any more. */
    void invite() {
        invited = true;
        watchPace();
    }

    /** What the content is looked at for: credentials of the agent's own. */
    void look(ContentWatch watch) {
        own = watch;
    }

    /** What is held counts there. */
    void holdAgainst(ContentBudget.Share budget) {
        share = budget;
        gatherer.holdAgainst(budget);
    }

    /** What must not stand in the content. */
    void watch(List<PlaceholderWatch> all) {
        watches = all;
        gatherer.watch(all);
    }

    /** The window that was closed last. */
    byte[] whole() {
        return ByteBufUtil.getBytes(held);
    }

    /** That window leaves as this. */
    void replace(ByteBuffer content, SentContent hash) {
        held.release();
        held = outside(content);
        sent = hash;
    }

    /** The request is sent, perhaps once more. @param all that rewrite its content @param hash of what they write */
    void begins(List<ContentRewriter> all, SentContent hash) {
        rewriters = all;
        if (sent != null || !all.isEmpty()) {
            sent = hash;
        }
    }

    /** What left in place of the agent's content; null where that left as it was. */
    @Nullable
    SentContent sent() {
        return sent;
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
        watchPace();
    }

    private void tooSlow() {
        run.tell(new Event.ContentRefused(
                Refusal.of(RefusalError.CONTENT_TOO_SLOW, "the content does not come in as fast as it has to")));
    }

    private void notTaken() {
        run.tell(new Event.UpstreamFailed(
                Refusal.of(RefusalError.UPSTREAM_TIMEOUT, "the destination does not take the content"),
                Touched.PERHAPS));
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
    public void noRoom() {
        run.noRoom();
    }

    @Override
    public void tokenSeen() {
        run.tokenSeen();
    }

    @Override
    public void placeholderSeen() {
        run.placeholderSeen();
    }

    /** Writes the window that is held. Of one that may have to be sent again the bytes stay. */
    void release(Window window, UpstreamStream to) {
        ByteBuf bytes = held;
        if (window.kept()) {
            bytes = held.retainedDuplicate();
        } else {
            held = Unpooled.EMPTY_BUFFER;
        }
        int length = bytes.readableBytes();
        bytes = rewritten(bytes, window.last());
        if (bytes == null) {
            return;
        }
        bytesOut = window.offset() + window.length();
        if (sent != null) {
            sent.left(bytes.nioBuffers(), window.last());
        }
        Future<Void> leaving = to.window(bytes, window.last(), window.trailers());
        if (!leaving.isDone()) {
            stall.begins();
        }
        leaving.addListener(done -> {
            stall.ends();
            if (share != null && !window.kept()) {
                share.giveBack(length);
            }
            if (done.isSuccess()) {
                run.tell(new Event.WindowReleased());
            }
        });
    }

    /** What the native transport writes in pieces has to lie outside the heap. */
    private ByteBuf outside(ByteBuffer content) {
        return agent.alloc().directBuffer(content.remaining()).writeBytes(content.duplicate());
    }

    /** Takes the bytes over. @return null where they may not leave, which has been said */
    private @Nullable ByteBuf rewritten(ByteBuf bytes, boolean last) {
        ByteBuf now = bytes;
        for (ContentRewriter rewriter : rewriters) {
            ByteBuf before = now;
            try {
                switch (rewriter.rewrite(before.nioBuffer(), last)) {
                    case ContentRewriter.Rewritten.Bytes(ByteBuffer rewritten) -> now = outside(rewritten);
                    case ContentRewriter.Rewritten.Refused(var misfit, String reason) -> {
                        run.unfit(misfit, reason);
                        return null;
                    }
                }
            } finally {
                before.release();
            }
        }
        return now;
    }

    /** The handshake is over: what comes now are frames, whose content is counted from its own beginning. */
    void switchProtocols(LongSupplier nanos) {
        gatherer = new ContentGatherer(agent.loop(), patience, marks, this);
        gatherer.watch(watches);
        if (share != null) {
            gatherer.holdAgainst(share);
        }
        frames = new AgentFrames(gatherer, agent.alloc(), nanos);
    }

    @Override
    public void content(ByteBuf piece) {
        if (pace != null) {
            invited = true;
            pace.arrived(piece.readableBytes());
        }
        if (frames == null) {
            if (own != null && refused(own.sees(piece.nioBuffer()))) {
                piece.release();
            } else {
                gatherer.add(piece);
            }
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
        endPace();
        if (own != null && refused(own.ended())) {
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

    private boolean refused(Optional<ContentWatch.Found> found) {
        found.ifPresent(what -> {
            own = null;
            endPace();
            gatherer.stop();
            run.ownCredential(what);
        });
        return found.isPresent();
    }

    @Override
    public void contentMalformed(String reason) {
        endPace();
        gatherer.stop();
        run.tell(new Event.ContentRefused(Refusal.of(RefusalError.MALFORMED, "the content is malformed: " + reason)));
    }

    @Override
    public void contentPaused() {
        gatherer.pause();
        watchPace();
    }

    private void watchPace() {
        if (pace != null && reading && invited) {
            if (gatherer.waitsForPeer()) {
                pace.waits();
            } else {
                pace.stopWaiting();
            }
        }
    }

    private void endPace() {
        if (pace != null) {
            pace.end();
            pace = null;
        }
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
        endPace();
        stall.ends();
        if (share != null) {
            share.close();
        }
        gatherer.stop();
        if (frames != null) {
            frames.release();
        }
        held.release();
        held = Unpooled.EMPTY_BUFFER;
    }
}

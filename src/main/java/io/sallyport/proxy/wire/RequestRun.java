package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.sallyport.grant.Grant;
import io.sallyport.http.Fields;
import io.sallyport.http.Framing;
import io.sallyport.http.RequestHead;
import io.sallyport.http.ResponseHead;
import io.sallyport.proxy.Admission;
import io.sallyport.proxy.Passage;
import io.sallyport.proxy.Recorded;
import io.sallyport.proxy.Refusal;
import io.sallyport.proxy.RefusalError;
import io.sallyport.proxy.RefusedRequest;
import io.sallyport.proxy.UseOutcome;
import io.sallyport.proxy.Window;
import io.sallyport.proxy.flow.Command;
import io.sallyport.proxy.flow.Event;
import io.sallyport.proxy.flow.Flow;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Runs one flow on its event loop: tells it what happened, and does what it says. It decides nothing; where it looks at something itself,
 * it is at what only the wire knows: how many bytes crossed it, and whether a connection can go on.
 */
final class RequestRun implements ContentGatherer.Listener, UpstreamConnection.Listener, Dialler.Waiting {

    /** Content of a refused request that is read to its end, so that the connection can go on. */
    private static final long DRAINED = 64 * 1024;

    private final Hop hop;
    private final AgentHandler agent;
    private final EventLoop loop;
    private final RequestHead head;
    private final boolean expectsContinue;
    private final Flow flow;
    private final ContentGatherer gatherer;
    private final Queue<Command> due = new ArrayDeque<>();

    private Persistence persistence;
    private @Nullable Grant grant;
    private @Nullable Admission admission;
    private @Nullable AnswerRelay relay;
    private @Nullable UpstreamConnection upstream;
    private @Nullable String upstreamAddress;
    private ByteBuf held = Unpooled.EMPTY_BUFFER;
    private boolean performing;
    private boolean reading;
    private boolean draining;
    private boolean gone;
    private boolean sent;
    private long bytesOut;
    private long bytesIn;

    RequestRun(Hop hop, AgentHandler agent, RequestHead head, Persistence persistence, boolean expectsContinue) {
        this.hop = hop;
        this.agent = agent;
        this.loop = agent.channel().eventLoop();
        this.head = head;
        this.persistence = persistence;
        this.expectsContinue = expectsContinue;
        this.flow = new Flow(expectsContinue && !(head.framing() instanceof Framing.None));
        this.gatherer = new ContentGatherer(loop, hop.settings().deadlines().patience(), this);
    }

    /** A request of nobody that we know: answered, not recorded, and the connection can go on. */
    static void refusedAtOnce(
            Hop hop,
            AgentHandler agent,
            RequestHead head,
            Persistence persistence,
            boolean expectsContinue,
            Refusal refusal) {
        RequestRun run = new RequestRun(hop, agent, head, persistence, expectsContinue);
        agent.serve(run);
        run.answer(refusal);
    }

    /** @param named {@code POLICY:SCOPE} of a gateway path; null elsewhere */
    void start(Grant known, @Nullable String named) {
        grant = known;
        CompletionStage<Passage> passage = hop.gate().admit(known, head, named, this::cutFromAnywhere);
        OnLoop.then(passage, loop, (answer, fault) -> {
            switch (answer) {
                case Passage.Admitted(Admission admitted) -> {
                    admission = admitted;
                    tell(new Event.Admitted(admitted));
                }
                case Passage.Refused(Refusal refusal) -> tell(new Event.Refused(refusal));
                case null -> {
                    Hop.fault(fault);
                    tell(new Event.Refused(unavailable()));
                }
            }
        });
    }

    private void cutFromAnywhere(String why) {
        loop.execute(() -> tell(new Event.WasCut(why)));
    }

    private void tell(Event event) {
        due.addAll(flow.on(event));
        if (performing) {
            return;
        }
        performing = true;
        try {
            for (Command command = due.poll(); command != null; command = due.poll()) {
                performOrGiveUp(command);
            }
        } finally {
            performing = false;
        }
    }

    /** A fault of ours is nobody's to wait for: both connections are broken off, and the use still gets its outcome. */
    private void performOrGiveUp(Command command) {
        try {
            perform(command);
        } catch (RuntimeException fault) {
            Hop.fault(fault);
            due.removeIf(next -> !(next instanceof Command.DropUpstream
                    || next instanceof Command.RecordOutcome
                    || next instanceof Command.Settle));
            due.addAll(flow.on(new Event.Faulted()));
            gone = true;
            agent.reset();
        }
    }

    private void perform(Command command) {
        switch (command) {
            case Command.GatherWindow(Command.Gathering how, long limit) -> gather(how, limit);
            case Command.RecordUse(Admission admitted, Window first) ->
                OnLoop.then(hop.recorder().use(admitted, first), loop, this::recorded);
            case Command.RecordWindow(Admission admitted, long use, Window window) ->
                OnLoop.then(hop.recorder().window(admitted, use, window), loop, this::recorded);
            case Command.Connect(Admission admitted, boolean fresh) ->
                hop.dialler().connect(admitted, fresh, loop, hop.pool(loop), this);
            case Command.SendHead(Admission admitted) -> sendHead(admitted);
            case Command.ReleaseWindow(Window window) -> release(window);
            case Command.PassInterim(ResponseHead interim) -> passInterim(interim);
            case Command.PassHead(ResponseHead answer, boolean last) -> passHead(answer, last);
            case Command.FinishAnswer ignored -> finish();
            case Command.Refuse(Refusal refusal, boolean record) -> refuse(refusal, record);
            case Command.RecordOutcome outcome -> recordOutcome(outcome);
            case Command.Settle(Admission admitted) -> settle(admitted);
            case Command.DropUpstream ignored -> dropUpstream();
            case Command.ResetAgent ignored -> agent.reset();
        }
    }

    private void gather(Command.Gathering how, long limit) {
        // Reading comes first: a body that is here already needs no patience.
        if (!reading) {
            reading = true;
            gatherer.limit(limit);
            agent.contentOf(head.framing());
        }
        gatherer.ask(how);
        agent.more();
    }

    @Override
    public void closed(Window window, ByteBuf bytes) {
        held = bytes;
        tell(new Event.WindowClosed(window));
    }

    @Override
    public void tooLarge() {
        Admission admitted = admission;
        if (admitted != null) {
            tell(new Event.ContentRefused(io.sallyport.proxy.Gate.tooLarge(admitted.scope())));
        }
    }

    private void recorded(@Nullable Recorded recorded, @Nullable Throwable fault) {
        tell(
                switch (recorded) {
                    case Recorded.Durable durable -> new Event.WindowRecorded(durable);
                    case Recorded.Denied(Refusal refusal) -> new Event.RecordDenied(refusal);
                    case Recorded.Unwritable ignored -> new Event.RecordFailed();
                    case null -> new Event.RecordFailed();
                });
    }

    @Override
    public void ready(UpstreamConnection connection, boolean fresh) {
        upstream = connection;
        upstreamAddress = connection.key().address().getHostAddress();
        connection.serve(this, head.method());
        tell(
                connection.alive()
                        ? new Event.UpstreamReady(fresh)
                        : new Event.UpstreamFailed(UpstreamFaults.broken(null), true));
    }

    @Override
    public void failed(Refusal refusal) {
        tell(new Event.UpstreamFailed(refusal, true));
    }

    @Override
    public boolean waits() {
        return !flow.over();
    }

    private void sendHead(Admission admitted) {
        if (!hop.gate().stillStands(admitted)) {
            tell(new Event.WasCut("ended before anything was sent"));
            return;
        }
        if (upstream != null) {
            sent = true;
            upstream.write(HeadWriter.request(agent.channel().alloc(), admitted.outgoing()));
        }
    }

    private void release(Window window) {
        UpstreamConnection to = upstream;
        Admission admitted = admission;
        if (to == null || admitted == null || flow.over()) {
            return;
        }
        // An ending is known before its news is on this thread; what was acknowledged as stopped sends no further
        // window.
        if (!hop.gate().stillStands(admitted)) {
            tell(new Event.WasCut("ended before the window was sent"));
            return;
        }
        ByteBuf bytes = held;
        held = Unpooled.EMPTY_BUFFER;
        bytesOut += window.length();
        to.writeAndFlush(framed(bytes, window.last())).addListener(done -> {
            if (done.isSuccess()) {
                tell(new Event.WindowReleased());
            }
        });
    }

    private ByteBuf framed(ByteBuf bytes, boolean last) {
        if (!(head.framing() instanceof Framing.Chunked)) {
            return bytes;
        }
        ByteBuf chunk = bytes.isReadable() ? HeadWriter.chunk(agent.channel().alloc(), bytes) : Unpooled.EMPTY_BUFFER;
        return last ? Unpooled.wrappedUnmodifiableBuffer(chunk, HeadWriter.lastChunk()) : chunk;
    }

    @Override
    public void answerHead(ResponseHead answer) {
        tell(new Event.AnswerBegan(answer));
    }

    private AnswerRelay relay() {
        if (relay == null) {
            Admission admitted = admission;
            if (admitted == null) {
                throw new IllegalStateException("an answer before the admission");
            }
            relay = new AnswerRelay(agent.channel(), head.http10(), admitted);
        }
        return relay;
    }

    private void passInterim(ResponseHead interim) {
        if (interim.status() != 100 || expectsContinue) {
            relay().interim(interim);
        }
    }

    private void passHead(ResponseHead answer, boolean last) {
        persistence = relay().head(answer, persistence.orClose(last));
    }

    @Override
    public void answerContent(ByteBuf piece) {
        bytesIn += piece.readableBytes();
        if (relay == null || flow.over()) {
            piece.release();
        } else {
            relay.content(piece);
        }
    }

    @Override
    public void answerPaused() {
        if (relay != null) {
            agent.channel().flush();
        }
    }

    @Override
    public void answerEnded(Fields trailers) {
        if (relay != null && !flow.over()) {
            relay.end(trailers);
        }
        tell(new Event.AnswerEnded());
    }

    private void finish() {
        if (upstream != null) {
            upstream.park(hop.nanos());
            upstream = null;
        }
        done(persistence);
    }

    private void done(Persistence then) {
        if (gone) {
            return;
        }
        if (gatherer.ended() || (!reading && head.framing() instanceof Framing.None)) {
            agent.next(then.closes());
        } else {
            agent.linger();
        }
    }

    @Override
    public void upstreamFailed(Refusal refusal, boolean silent) {
        upstream = null;
        tell(new Event.UpstreamFailed(refusal, silent));
    }

    @Override
    public boolean wantsAnswer() {
        return agent.channel().isWritable();
    }

    void agentWritable() {
        if (upstream != null) {
            upstream.more();
        }
    }

    private void refuse(Refusal refusal, boolean record) {
        Grant known = grant;
        if (!record || known == null) {
            answer(refusal);
            return;
        }
        OnLoop.then(
                hop.recorder().refused(known, RefusedRequest.of(head), refusal),
                loop,
                (entered, fault) -> answer(entered == null ? refusal : entered));
    }

    private void answer(Refusal refusal) {
        if (gone) {
            return;
        }
        boolean read = gatherer.ended() || head.framing() instanceof Framing.None;
        // A peer that waits for our word before it sends content may send it all the same, or not: only closing is
        // unambiguous.
        boolean drainable =
                !expectsContinue && head.framing() instanceof Framing.Length(long length) && length <= DRAINED;
        Persistence then = persistence.orClose(refusal.close() || !(read || drainable));
        agent.writeRefusal(refusal, head.method(), then);
        if (read) {
            agent.next(then.closes());
        } else if (then.closes()) {
            agent.linger();
        } else {
            drain();
        }
    }

    private void drain() {
        draining = true;
        agent.channel().flush();
        if (!reading) {
            reading = true;
            agent.contentOf(head.framing());
        }
        agent.more();
    }

    void content(ByteBuf piece) {
        if (draining) {
            piece.release();
        } else {
            gatherer.add(piece);
        }
    }

    void contentEnded() {
        gatherer.end();
        if (draining) {
            agent.next(persistence.closes());
        }
    }

    void contentMalformed(String reason) {
        gatherer.stop();
        if (draining) {
            agent.linger();
        } else {
            tell(new Event.ContentRefused(Refusal.of(RefusalError.MALFORMED, "the content is malformed: " + reason)
                    .closing()));
        }
    }

    void contentPaused() {
        gatherer.pause();
    }

    boolean wantsContent() {
        return draining || gatherer.wantsMore();
    }

    void agentLeft() {
        gone = true;
        tell(new Event.AgentLeft());
    }

    private void recordOutcome(Command.RecordOutcome outcome) {
        hop.recorder()
                .outcome(
                        outcome.admission(),
                        outcome.use(),
                        new UseOutcome(
                                outcome.kind(),
                                outcome.status(),
                                upstreamAddress,
                                sent,
                                bytesOut,
                                bytesIn,
                                scrubbed(outcome)));
    }

    /** A cause may quote the destination, and that one may have echoed the secret: into the ledger it comes no more than to the agent. */
    private static @Nullable String scrubbed(Command.RecordOutcome outcome) {
        String detail = outcome.detail();
        return detail == null ? null : outcome.admission().scrubber().text(detail);
    }

    private void settle(Admission admitted) {
        admitted.close();
        gatherer.stop();
        held.release();
        held = Unpooled.EMPTY_BUFFER;
    }

    private void dropUpstream() {
        if (upstream != null) {
            upstream.drop();
            upstream = null;
        }
    }

    private static Refusal unavailable() {
        return Refusal.of(RefusalError.UNAVAILABLE, "the broker can't serve this just now");
    }
}

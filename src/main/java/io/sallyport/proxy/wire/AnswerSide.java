package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBuf;
import io.sallyport.http.Fields;
import io.sallyport.http.ResponseHead;
import io.sallyport.http.WebSocketHandshake;
import io.sallyport.proxy.Admission;
import io.sallyport.proxy.Refusal;
import io.sallyport.proxy.RefusalError;
import io.sallyport.proxy.flow.Event;
import io.sallyport.proxy.flow.Touched;
import java.net.InetAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The connection to the destination that serves one request, and the answer on its way from there to the agent, through the scrubber. */
final class AnswerSide implements UpstreamStream.Listener, Dialler.Waiting {

    private final RequestRun run;
    private final AgentStream agent;
    private final Asked asked;
    private final Stall stall;
    private @Nullable UpstreamStream upstream;
    private @Nullable String upstreamAddress;
    private @Nullable AnswerRelay relay;
    private @Nullable OriginFrames frames;
    private boolean sent;

    /** Whether the answer's end has come. */
    private boolean ended;

    private long bytesIn;

    /** @param most that the agent may leave no room for more of its answer */
    AnswerSide(RequestRun run, AgentStream agent, Asked asked, Duration most) {
        this.run = run;
        this.agent = agent;
        this.asked = asked;
        this.stall = new Stall(agent.loop(), most, this::notTaken);
    }

    @Override
    public void ready(UpstreamStream connection, boolean fresh) {
        upstream = connection;
        InetAddress address = connection.key().way().address();
        upstreamAddress = address == null ? null : address.getHostAddress();
        connection.serve(this, run.served());
        run.tell(
                connection.alive()
                        ? new Event.UpstreamReady(fresh)
                        : new Event.UpstreamFailed(UpstreamFaults.broken(null), Touched.NOT));
    }

    @Override
    public void failed(Refusal refusal) {
        run.tell(new Event.UpstreamFailed(refusal, Touched.NOT));
    }

    @Override
    public boolean waits() {
        return !run.over();
    }

    void sendHead(Admission admitted) {
        if (upstream != null) {
            sent = true;
            upstream.head(admitted.stamped());
        }
    }

    @Override
    public void answerHead(ResponseHead answer) {
        run.tell(new Event.AnswerBegan(answer));
    }

    void passInterim(ResponseHead interim, Admission admitted) {
        relay(admitted).interim(interim);
        run.scrubbed();
    }

    void passHead(ResponseHead answer, boolean last, Admission admitted) {
        relay(admitted).head(answer, last);
        run.scrubbed();
    }

    /** The handshake is answered: from here on there are frames. */
    void switchProtocols(ResponseHead answer, Admission admitted, WebSocketHandshake handshake) {
        if (upstream == null) {
            throw new IllegalStateException("an answer without a connection");
        }
        upstream.switchProtocols();
        frames = new OriginFrames(agent, admitted);
        relay(admitted).switchProtocols(answer, handshake);
    }

    /** Ends the agent's side of a WebSocket with a Close frame, where one may stand. */
    void hangUp(int code, String reason) {
        if (frames != null && frames.betweenFrames()) {
            agent.hangUp(OriginFrames.close(code, reason));
        } else {
            agent.reset();
        }
    }

    private AnswerRelay relay(Admission admitted) {
        if (relay == null) {
            relay = new AnswerRelay(agent, admitted);
        }
        return relay;
    }

    @Override
    public void answerContent(ByteBuf piece, boolean last) {
        if (frames != null) {
            frame(frames, piece);
            return;
        }
        bytesIn += piece.readableBytes();
        if (relay == null || run.over()) {
            piece.release();
        } else {
            told(relay, relay.content(piece, last));
        }
    }

    private void told(AnswerRelay by, @Nullable String problem) {
        run.scrubbed();
        if (problem != null) {
            run.tell(new Event.UpstreamFailed(
                    Refusal.of(RefusalError.UPSTREAM_MALFORMED, "the destination's answer is malformed")
                            .because(problem),
                    Touched.ANSWERED));
        } else if (by.waits() && agent.writable()) {
            agent.loop().execute(this::agentWritable);
        } else if (by.waits()) {
            stall.begins();
        }
    }

    private void frame(OriginFrames to, ByteBuf piece) {
        if (run.over()) {
            piece.release();
            return;
        }
        boolean closed = to.closed();
        String problem = to.read(piece);
        bytesIn = to.payloadBytes();
        run.scrubbed();
        if (problem != null) {
            run.tell(new Event.UpstreamFailed(
                    Refusal.of(RefusalError.UPSTREAM_MALFORMED, "the destination's frames are malformed")
                            .because(problem),
                    Touched.ANSWERED));
        } else if (to.closed() && !closed) {
            run.tell(new Event.AnswerEnded());
        }
    }

    @Override
    public void answerPaused() {
        if (relay != null) {
            agent.flush();
        }
    }

    @Override
    public void answerEnded(Fields trailers) {
        if (frames != null) {
            run.tell(new Event.UpstreamFailed(UpstreamFaults.broken(null), Touched.ANSWERED));
            return;
        }
        if (ended) {
            return;
        }
        ended = true;
        if (relay != null && !run.over()) {
            told(relay, relay.end(trailers));
        }
        if (relay == null || relay.done() || run.over()) {
            run.tell(new Event.AnswerEnded());
        }
    }

    @Override
    public void upstreamFailed(Refusal refusal, Touched touched) {
        upstream = null;
        // An answer that has come whole may still wait for the agent.
        if (!ended) {
            run.tell(new Event.UpstreamFailed(refusal, touched));
        }
    }

    @Override
    public boolean wantsAnswer() {
        boolean room = agent.writable() && (relay == null || !relay.waits());
        if (!room) {
            stall.begins();
        }
        return room;
    }

    private void notTaken() {
        run.tell(new Event.WasCut("the agent does not take its answer"));
    }

    void agentWritable() {
        stall.ends();
        if (relay != null && relay.waits() && !run.over()) {
            told(relay, relay.more());
            agent.flush();
            if (ended && relay.done()) {
                run.tell(new Event.AnswerEnded());
            }
        }
        if (upstream != null) {
            upstream.more();
        }
    }

    /** Gives the connection back for others to use. */
    void park(long nanos) {
        if (upstream != null) {
            upstream.park(nanos);
            upstream = null;
        }
    }

    void drop() {
        if (upstream != null) {
            upstream.drop();
            upstream = null;
        }
    }

    /** Lets go of what was not passed on. */
    void settle() {
        stall.ends();
        if (relay != null) {
            relay.release();
        }
        if (frames != null) {
            frames.release();
        }
    }

    @Nullable
    UpstreamStream upstream() {
        return upstream;
    }

    /** The address that was last connected to; null before any was, and where a proxy resolves. */
    @Nullable
    String upstreamAddress() {
        return upstreamAddress;
    }

    /** Whether a head, and with it the credential, was written. */
    boolean sent() {
        return sent;
    }

    /** Content bytes that came, before decoding and scrubbing. */
    long bytesIn() {
        return bytesIn;
    }
}

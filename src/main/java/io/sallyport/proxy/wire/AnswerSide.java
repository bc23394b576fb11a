package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBuf;
import io.sallyport.http.Fields;
import io.sallyport.http.ResponseHead;
import io.sallyport.proxy.Admission;
import io.sallyport.proxy.Refusal;
import io.sallyport.proxy.flow.Event;
import org.jspecify.annotations.Nullable;

/** The connection to the destination that serves one request, and the answer on its way from there to the agent, through the scrubber. */
final class AnswerSide implements UpstreamConnection.Listener, Dialler.Waiting {

    private final RequestRun run;
    private final AgentHandler agent;
    private final Asked asked;
    private Persistence persistence;
    private @Nullable UpstreamConnection upstream;
    private @Nullable String upstreamAddress;
    private @Nullable AnswerRelay relay;
    private boolean sent;
    private long bytesIn;

    AnswerSide(RequestRun run, AgentHandler agent, Asked asked) {
        this.run = run;
        this.agent = agent;
        this.asked = asked;
        this.persistence = asked.persistence();
    }

    @Override
    public void ready(UpstreamConnection connection, boolean fresh) {
        upstream = connection;
        upstreamAddress = connection.key().address().getHostAddress();
        connection.serve(this, asked.head().method());
        run.tell(
                connection.alive()
                        ? new Event.UpstreamReady(fresh)
                        : new Event.UpstreamFailed(UpstreamFaults.broken(null), true));
    }

    @Override
    public void failed(Refusal refusal) {
        run.tell(new Event.UpstreamFailed(refusal, true));
    }

    @Override
    public boolean waits() {
        return !run.over();
    }

    void sendHead(Admission admitted) {
        if (upstream != null) {
            sent = true;
            upstream.write(HeadWriter.request(agent.channel().alloc(), admitted.outgoing()));
        }
    }

    @Override
    public void answerHead(ResponseHead answer) {
        run.tell(new Event.AnswerBegan(answer));
    }

    void passInterim(ResponseHead interim, Admission admitted) {
        if (interim.status() != 100 || asked.expectsContinue()) {
            relay(admitted).interim(interim);
        }
    }

    void passHead(ResponseHead answer, boolean last, Admission admitted) {
        persistence = relay(admitted).head(answer, persistence.orClose(last));
    }

    private AnswerRelay relay(Admission admitted) {
        if (relay == null) {
            relay = new AnswerRelay(agent.channel(), asked.head().http10(), admitted);
        }
        return relay;
    }

    @Override
    public void answerContent(ByteBuf piece) {
        bytesIn += piece.readableBytes();
        if (relay == null || run.over()) {
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
        if (relay != null && !run.over()) {
            relay.end(trailers);
        }
        run.tell(new Event.AnswerEnded());
    }

    @Override
    public void upstreamFailed(Refusal refusal, boolean silent) {
        upstream = null;
        run.tell(new Event.UpstreamFailed(refusal, silent));
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

    @Nullable
    UpstreamConnection upstream() {
        return upstream;
    }

    /** The address that was last connected to; null before any was. */
    @Nullable
    String upstreamAddress() {
        return upstreamAddress;
    }

    /** Whether the agent's connection can go on after this answer. */
    Persistence persistence() {
        return persistence;
    }

    /** Whether a head, and with it the credential, was written. */
    boolean sent() {
        return sent;
    }

    /** Content bytes that came, before scrubbing. */
    long bytesIn() {
        return bytesIn;
    }
}

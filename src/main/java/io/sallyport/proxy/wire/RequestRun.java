package io.sallyport.proxy.wire;

import io.netty.channel.EventLoop;
import io.sallyport.credential.Injected.Misfit;
import io.sallyport.credential.TokenMarks;
import io.sallyport.grant.Grant;
import io.sallyport.http.ContentWatch;
import io.sallyport.http.Field;
import io.sallyport.http.Fields;
import io.sallyport.http.Framing;
import io.sallyport.http.RequestHead;
import io.sallyport.http.ResponseHead;
import io.sallyport.http.WebSocketHandshake;
import io.sallyport.proxy.Admission;
import io.sallyport.proxy.Completion;
import io.sallyport.proxy.ContentRefusals;
import io.sallyport.proxy.Passage;
import io.sallyport.proxy.Recorded;
import io.sallyport.proxy.Refusal;
import io.sallyport.proxy.RefusalError;
import io.sallyport.proxy.RefusedRequest;
import io.sallyport.proxy.Trailers;
import io.sallyport.proxy.UseOutcome;
import io.sallyport.proxy.Window;
import io.sallyport.proxy.flow.Command;
import io.sallyport.proxy.flow.Event;
import io.sallyport.proxy.flow.Flow;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Runs one flow on its event loop: tells it what happened, and does what it says, on the side of the request or of the answer. It decides
 * nothing; where it looks at something itself, it is at what only the wire knows: what crossed it, and whether a connection can go on.
 */
final class RequestRun {

    private static final ResponseHead CONTINUE =
            new ResponseHead(100, "Continue", Fields.EMPTY, new Framing.None(), false);

    private final Hop hop;
    private final AgentStream agent;
    private final EventLoop loop;
    private final Asked asked;
    private final Flow flow;
    private final RequestSide request;
    private final AnswerSide answer;
    private final Queue<Command> due = new ArrayDeque<>();

    private @Nullable Grant grant;
    private @Nullable Admission admission;
    private int masks;
    private boolean performing;
    private boolean gone;

    RequestRun(Hop hop, AgentStream agent, Asked asked) {
        this.hop = hop;
        this.agent = agent;
        this.loop = agent.loop();
        this.asked = asked;
        this.flow = new Flow(asked.expectsContinue() && !asked.empty());
        this.request = new RequestSide(
                this, agent, hop.settings().deadlines(), hop.gate().marks());
        this.answer =
                new AnswerSide(this, agent, asked, hop.settings().deadlines().stall());
        if (asked.head().framing() instanceof Framing.Length(long length)) {
            request.promise(length);
            BodyPace.Rule rule = new BodyPace.Rule(
                    hop.settings().deadlines().bodyIdle(),
                    hop.settings().limits().bodyRate());
            request.expect(rule, hop.clock());
            if (asked.empty()) {
                request.expectNothing();
            }
            // A peer that waits for our word is silent with good reason, until it has it.
            if (!asked.expectsContinue() || length == 0) {
                request.invite();
            }
        }
    }

    /** @param named {@code POLICY:SCOPE} of a gateway path; null elsewhere */
    void start(Grant known, @Nullable String named) {
        grant = known;
        CompletionStage<Passage> passage = hop.gate().admit(known, asked.head(), named, this::cutFromAnywhere);
        OnLoop.then(passage, loop, (admitted, fault) -> {
            switch (admitted) {
                case Passage.Admitted(Admission now) -> {
                    admission = now;
                    request.holdAgainst(hop.budget().share(known.task()));
                    hop.gate().ownContent(now).ifPresent(request::look);
                    request.watch(now.watches());
                    tell(new Event.Admitted(now));
                }
                case Passage.Refused(Refusal refusal) -> tell(new Event.Refused(refusal));
                case null -> {
                    Hop.fault(fault);
                    tell(new Event.Refused(unavailable()));
                }
            }
        });
    }

    /** Where what comes from the agent goes. */
    AgentStream.Listener request() {
        return request;
    }

    void agentWritable() {
        answer.agentWritable();
    }

    void agentLeft() {
        gone = true;
        tell(new Event.AgentLeft());
    }

    private void cutFromAnywhere(String why) {
        loop.execute(() -> tell(new Event.WasCut(why)));
    }

    boolean over() {
        return flow.over();
    }

    void tell(Event event) {
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
            case Command.GatherWindow(Command.Gathering how, long limit) -> request.gather(how, limit);
            case Command.InviteContent ignored -> {
                agent.interim(CONTINUE);
                request.invite();
            }
            case Command.Complete(Admission admitted) -> complete(admitted);
            case Command.RecordUse(Admission admitted, Window first) ->
                OnLoop.then(hop.recorder().use(admitted, first), loop, this::recorded);
            case Command.RecordWindow(Admission admitted, long use, Window window) ->
                OnLoop.then(hop.recorder().window(admitted, use, window), loop, this::recorded);
            case Command.Connect(Admission admitted, boolean fresh) ->
                hop.dialler().connect(admitted, fresh, loop, hop.pool(loop), answer);
            case Command.SendHead(Admission admitted) -> sendHead(admitted);
            case Command.ReleaseWindow(Window window) -> release(window);
            case Command.PassInterim(ResponseHead interim) -> {
                answer.passInterim(interim, admitted());
                if (interim.status() == 100) {
                    request.invite();
                }
            }
            case Command.PassHead(ResponseHead head, boolean last) -> {
                admitted().answered(head);
                answer.passHead(head, last, admitted());
            }
            case Command.SwitchProtocols(ResponseHead head, WebSocketHandshake handshake) -> {
                request.switchProtocols(hop.clock());
                answer.switchProtocols(head, admitted(), handshake);
            }
            case Command.FinishAnswer ignored -> finish();
            case Command.HangUp(int code, String reason) -> hangUp(code, reason);
            case Command.Refuse(Refusal refusal, boolean record) -> refuse(refusal, record);
            case Command.RecordOutcome outcome -> recordOutcome(outcome);
            case Command.Settle(Admission admitted) -> {
                admitted.close();
                request.settle();
                answer.settle();
            }
            case Command.DropUpstream ignored -> answer.drop();
            case Command.ResetAgent ignored -> agent.reset();
        }
    }

    private void complete(Admission admitted) {
        switch (hop.gate().complete(admitted, request.whole())) {
            case Completion.Completed(Admission now, Optional<ByteBuffer> content) -> {
                admission = now;
                content.ifPresent(bytes -> request.replace(bytes, hop.recorder().sentContent()));
                tell(new Event.Completed(now));
            }
            case Completion.Refused(Refusal refusal) -> tell(new Event.ContentRefused(refusal));
        }
    }

    /** The request as the destination will see it framed. */
    RequestHead served() {
        return asked.head().withFraming(admitted().outgoing().framing());
    }

    private Admission admitted() {
        if (admission == null) {
            throw new IllegalStateException("an answer before the admission");
        }
        return admission;
    }

    /** A part of the answer went through the scrubber. */
    void scrubbed() {
        Admission now = admission;
        if (now != null && now.scrubber().masks() > masks) {
            int fresh = now.scrubber().masks() - masks;
            masks += fresh;
            hop.recorder().masked(now, fresh);
        }
    }

    /** What stands against these trailers. */
    Optional<Refusal> judged(Fields trailers) {
        TokenMarks marks = hop.gate().marks();
        for (Field line : trailers) {
            if (marks.in(line)) {
                return Optional.of(ContentRefusals.tokenInRequest(admitted().scope()));
            }
            if (admitted().misplaced(line.value()) || admitted().misplaced(line.name())) {
                return Optional.of(ContentRefusals.placeholderInContent(admitted()));
            }
        }
        return Trailers.problem(trailers, asked.head(), admitted());
    }

    void ownCredential(ContentWatch.Found found) {
        if (admission != null) {
            tell(new Event.ContentRefused(ContentRefusals.ownCredential(admission.scope(), found)));
        }
    }

    void tokenSeen() {
        if (admission != null) {
            tell(new Event.ContentRefused(ContentRefusals.tokenInRequest(admission.scope())));
        }
    }

    void placeholderSeen() {
        if (admission != null) {
            tell(new Event.ContentRefused(ContentRefusals.placeholderInContent(admission)));
        }
    }

    void tooLarge() {
        if (admission != null) {
            boolean ofScope = admission.scope().bodyLimit().orElse(Long.MAX_VALUE) <= admission.wholeLimit();
            tell(new Event.ContentRefused(
                    ofScope
                            ? ContentRefusals.tooLarge(admission.scope())
                            : ContentRefusals.tooLargeToInject(admission)));
        }
    }

    void noRoom() {
        if (admission != null) {
            tell(new Event.ContentRefused(ContentRefusals.noRoomForContent(admission)));
        }
    }

    /** What rewrites the content on its way can't go on. */
    void unfit(Misfit misfit, String reason) {
        tell(new Event.ContentRefused(ContentRefusals.unfit(admitted(), misfit, reason)));
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

    private void sendHead(Admission admitted) {
        if (hop.gate().stillStands(admitted)) {
            request.begins(admitted.rewriters(), hop.recorder().sentContent());
            answer.sendHead(admitted);
        } else {
            tell(new Event.WasCut("ended before anything was sent"));
        }
    }

    private void release(Window window) {
        UpstreamStream to = answer.upstream();
        if (to == null || flow.over()) {
            return;
        }
        // An ending is known before its news is on this thread; what was acknowledged as stopped sends no further
        // window.
        if (hop.gate().stillStands(admitted())) {
            request.release(window, to);
        } else {
            tell(new Event.WasCut("ended before the window was sent"));
        }
    }

    private void finish() {
        answer.park(hop.nanos());
        if (!gone) {
            agent.finish();
        }
    }

    private void hangUp(int code, String reason) {
        if (!gone) {
            answer.hangUp(code, reason);
        }
    }

    private void refuse(Refusal refusal, boolean record) {
        Grant known = grant;
        if (!record || known == null) {
            answer(refusal);
            return;
        }
        OnLoop.then(
                hop.recorder()
                        .refused(
                                known,
                                RefusedRequest.of(
                                        hop.gate().shown(asked.head()),
                                        hop.gate().marks()),
                                refusal),
                loop,
                (entered, fault) -> answer(entered == null ? refusal : entered));
    }

    private void answer(Refusal refusal) {
        if (!gone) {
            agent.refuse(refusal);
        }
    }

    private void recordOutcome(Command.RecordOutcome outcome) {
        hop.recorder()
                .outcome(
                        outcome.admission(),
                        outcome.use(),
                        new UseOutcome(
                                outcome.kind(),
                                outcome.status(),
                                answer.upstreamAddress(),
                                answer.sent(),
                                request.bytesOut(),
                                answer.bytesIn(),
                                request.sent(),
                                scrubbed(outcome)));
    }

    /** A cause may quote the destination, and that one may have echoed the secret: into the ledger it comes no more than to the agent. */
    private static @Nullable String scrubbed(Command.RecordOutcome outcome) {
        String detail = outcome.detail();
        return detail == null ? null : outcome.admission().scrubber().text(detail);
    }

    private static Refusal unavailable() {
        return Refusal.of(RefusalError.UNAVAILABLE, "the broker can't serve this just now");
    }
}

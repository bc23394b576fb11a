package io.sallyport.proxy.flow;

import io.sallyport.http.Framing;
import io.sallyport.http.RequestHead;
import io.sallyport.http.ResponseHead;
import io.sallyport.http.WebSocketHandshake;
import io.sallyport.proxy.Admission;
import io.sallyport.proxy.Recorded;
import io.sallyport.proxy.Refusal;
import io.sallyport.proxy.RefusalError;
import io.sallyport.proxy.Window;
import io.sallyport.proxy.coding.Codings;
import io.sallyport.proxy.flow.Stage.Abandoned;
import io.sallyport.proxy.flow.Stage.Again;
import io.sallyport.proxy.flow.Stage.Answer;
import io.sallyport.proxy.flow.Stage.Completing;
import io.sallyport.proxy.flow.Stage.Connecting;
import io.sallyport.proxy.flow.Stage.Content;
import io.sallyport.proxy.flow.Stage.Gathering;
import io.sallyport.proxy.flow.Stage.Judging;
import io.sallyport.proxy.flow.Stage.Over;
import io.sallyport.proxy.flow.Stage.Recording;
import io.sallyport.proxy.flow.Stage.Relaying;
import io.sallyport.proxy.flow.Stage.Switched;
import io.sallyport.proxy.flow.Stage.Use;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One request, or one HTTP/2 stream, from the gate to its outcome: is told what happened and answers what to do. The order is the
 * product's promise, so it stands here and nowhere else: recorded before connected, recorded before released, looked at again before
 * sent. An event that comes too late to matter is answered by nothing.
 */
public final class Flow {

    /** What may be sent twice without doing something twice (RFC 9110 section 9.2.2). */
    private static final Set<String> IDEMPOTENT = Set.of("GET", "HEAD", "OPTIONS", "PUT", "DELETE");

    private static final List<Command> DROP = List.of(new Command.DropUpstream());

    private final boolean expectsContinue;
    private Stage stage = new Judging();

    /** @param expectsContinue whether the agent waits for an interim answer before it sends content */
    public Flow(boolean expectsContinue) {
        this.expectsContinue = expectsContinue;
    }

    public boolean over() {
        return stage instanceof Over;
    }

    public List<Command> on(Event event) {
        if (stage instanceof Switched switched) {
            Conversation.Turn turn = Conversation.on(switched, event);
            stage = turn.stage();
            return turn.commands();
        }
        return switch (event) {
            case Event.Admitted(Admission admission) -> admitted(admission);
            case Event.Refused(Refusal refusal) -> refused(refusal);
            case Event.WindowClosed(Window window) -> windowClosed(window);
            case Event.ContentRefused(Refusal refusal) -> contentRefused(refusal);
            case Event.Completed(Admission admission) -> completed(admission);
            case Event.WindowRecorded(Recorded.Durable recorded) -> windowRecorded(recorded);
            case Event.RecordDenied(Refusal refusal) -> stopped(refusal, true);
            case Event.RecordFailed ignored -> stopped(unwritable(), false);
            case Event.UpstreamReady ready -> upstreamReady(ready.fresh());
            case Event.UpstreamFailed failed -> upstreamFailed(failed.refusal(), failed.touched());
            case Event.WindowReleased ignored -> windowReleased();
            case Event.AnswerBegan(ResponseHead head) -> answerBegan(head);
            case Event.AnswerEnded ignored -> answerEnded();
            case Event.WasCut(String why) -> wasCut(why);
            case Event.AgentLeft ignored -> abandoned("agent-left", null);
            case Event.Faulted ignored -> abandoned("cut", "a fault in the broker");
        };
    }

    private List<Command> admitted(Admission admission) {
        if (!(stage instanceof Judging)) {
            return List.of(new Command.Settle(admission));
        }
        stage = new Gathering(admission);
        if (admission.whole()) {
            Command gather = gather(admission, Command.Gathering.WHOLE);
            return expectsContinue ? List.of(new Command.InviteContent(), gather) : List.of(gather);
        }
        return List.of(gather(admission, expectsContinue ? Command.Gathering.EMPTY : Command.Gathering.PATIENT));
    }

    private List<Command> refused(Refusal refusal) {
        if (!(stage instanceof Judging)) {
            return List.of();
        }
        stage = new Over();
        return List.of(new Command.Refuse(refusal, true));
    }

    private List<Command> windowClosed(Window window) {
        return switch (stage) {
            case Gathering(Admission admission)
            when admission.whole() -> {
                stage = new Completing(admission, window);
                yield List.of(new Command.Complete(admission));
            }
            case Gathering(Admission admission) -> record(admission, window);
            case Relaying relaying -> {
                stage = relaying.with(new Content.AtTheLedger(window));
                Use use = relaying.use();
                yield List.of(
                        new Command.RecordWindow(use.admission(), use.recorded().seq(), window));
            }
            case Judging ignored -> List.of();
            case Completing ignored -> List.of();
            case Recording ignored -> List.of();
            case Connecting ignored -> List.of();
            case Abandoned ignored -> List.of();
            case Switched ignored -> List.of();
            case Over ignored -> List.of();
        };
    }

    private List<Command> completed(Admission admission) {
        return stage instanceof Completing(Admission ignored, Window whole) ? record(admission, whole) : List.of();
    }

    private List<Command> record(Admission admission, Window window) {
        stage = new Recording(admission, window);
        return List.of(new Command.RecordUse(admission, window));
    }

    private List<Command> windowRecorded(Recorded.Durable recorded) {
        return switch (stage) {
            case Recording(Admission admission, Window first) -> {
                stage = new Connecting(new Use(admission, recorded, first), false);
                yield List.of(new Command.Connect(admission, false));
            }
            case Relaying relaying
            when relaying.content() instanceof Content.AtTheLedger(Window window) -> {
                stage = relaying.with(new Content.Leaving(window));
                yield List.of(new Command.ReleaseWindow(window));
            }
            case Abandoned(Admission admission, String kind, String why) -> {
                stage = new Over();
                yield List.of(
                        new Command.RecordOutcome(admission, recorded, kind, 0, why), new Command.Settle(admission));
            }
            case Relaying ignored -> List.of();
            case Judging ignored -> List.of();
            case Gathering ignored -> List.of();
            case Completing ignored -> List.of();
            case Connecting ignored -> List.of();
            case Switched ignored -> List.of();
            case Over ignored -> List.of();
        };
    }

    private List<Command> upstreamReady(boolean fresh) {
        if (!(stage instanceof Connecting(Use use, boolean retried))) {
            return List.of(new Command.DropUpstream());
        }
        stage = new Relaying(use, new Content.Leaving(use.first()), new Answer.Awaited(), again(use, fresh, retried));
        return List.of(new Command.SendHead(use.admission()), new Command.ReleaseWindow(use.first()));
    }

    private List<Command> windowReleased() {
        if (!(stage instanceof Relaying relaying) || !(relaying.content() instanceof Content.Leaving(Window window))) {
            return List.of();
        }
        if (window.last()) {
            stage = relaying.with(new Content.Sent());
            return List.of();
        }
        stage = relaying.with(new Content.Collecting());
        return List.of(collect(relaying.use()));
    }

    private List<Command> upstreamFailed(Refusal refusal, Touched touched) {
        return switch (stage) {
            case Connecting(Use use, boolean ignored) -> over(use, "upstream-failed", refusal, List.of());
            case Relaying relaying
            when relaying.answer() instanceof Answer.Begun -> brokenOff("upstream-failed", refusal.error());
            case Relaying relaying
            when relaying.again().allows(touched) -> {
                stage = new Connecting(relaying.use(), true);
                yield List.of(
                        new Command.DropUpstream(),
                        new Command.Connect(relaying.use().admission(), true));
            }
            case Relaying relaying ->
                over(relaying.use(), "upstream-failed", refusal, List.of(new Command.DropUpstream()));
            case Judging ignored -> List.of();
            case Gathering ignored -> List.of();
            case Completing ignored -> List.of();
            case Recording ignored -> List.of();
            case Abandoned ignored -> List.of();
            case Switched ignored -> List.of();
            case Over ignored -> List.of();
        };
    }

    private List<Command> answerBegan(ResponseHead head) {
        if (!(stage instanceof Relaying relaying) || relaying.answer() instanceof Answer.Begun) {
            return List.of();
        }
        Use use = relaying.use();
        if (head.status() == 101) {
            return switched(use, head);
        }
        if (head.status() < 200) {
            return List.of(new Command.PassInterim(head));
        }
        Optional<String> unreadable = use.admission().credentialed() ? Codings.problem(head) : Optional.empty();
        if (unreadable.isPresent()) {
            return over(use, "upstream-failed", coded(unreadable.orElseThrow()), DROP);
        }
        boolean last = !(relaying.content() instanceof Content.Sent);
        stage = relaying.with(new Answer.Begun(head.status(), last));
        return List.of(new Command.PassHead(head, last));
    }

    private List<Command> switched(Use use, ResponseHead head) {
        WebSocketHandshake handshake = use.admission().handshake();
        Optional<String> problem = handshake == null
                ? Optional.of("the destination switched protocols unasked")
                : handshake.problem(head.fields());
        if (handshake == null || problem.isPresent()) {
            return over(use, "upstream-failed", malformed(problem.orElseThrow()), DROP);
        }
        stage = new Switched(use, new Content.Collecting(), false);
        return List.of(new Command.SwitchProtocols(head, handshake), collect(use));
    }

    private List<Command> answerEnded() {
        if (!(stage instanceof Relaying relaying)
                || !(relaying.answer() instanceof Answer.Begun(int status, boolean last))) {
            return List.of();
        }
        stage = new Over();
        Use use = relaying.use();
        Command finish = new Command.FinishAnswer(last);
        Command outcome = new Command.RecordOutcome(use.admission(), use.recorded(), "answered", status, null);
        Command settle = new Command.Settle(use.admission());
        return relaying.content() instanceof Content.Sent
                ? List.of(finish, outcome, settle)
                : List.of(new Command.DropUpstream(), finish, outcome, settle);
    }

    /**
     * Content goes on arriving while its first window is at the ledger or a connection is being made, so that its "no" may come when the
     * use is, or will be, on record: then nothing of it leaves, and the record gets its outcome.
     */
    private List<Command> contentRefused(Refusal refusal) {
        return switch (stage) {
            case Recording(Admission admission, Window ignored) -> {
                stage = new Abandoned(admission, "refused", refusal.error());
                yield List.of(new Command.Refuse(refusal, true));
            }
            case Connecting(Use use, boolean ignored) -> over(use, "refused", refusal, DROP);
            case Judging ignored -> stopped(refusal, true);
            case Gathering ignored -> stopped(refusal, true);
            case Completing ignored -> stopped(refusal, true);
            case Relaying ignored -> stopped(refusal, true);
            case Abandoned ignored -> List.of();
            case Switched ignored -> List.of();
            case Over ignored -> List.of();
        };
    }

    /** A "no" once the request was admitted: by a limit, by the content itself, or because nothing can be recorded. */
    private List<Command> stopped(Refusal refusal, boolean record) {
        return switch (stage) {
            case Gathering(Admission admission) -> settled(admission, new Command.Refuse(refusal, record));
            case Completing(Admission admission, Window ignored) ->
                settled(admission, new Command.Refuse(refusal, record));
            case Recording(Admission admission, Window ignored) ->
                settled(admission, new Command.Refuse(refusal, record));
            case Relaying relaying
            when relaying.answer() instanceof Answer.Begun -> brokenOff("refused", refusal.error());
            case Relaying relaying -> over(relaying.use(), "refused", refusal, DROP);
            case Abandoned(Admission admission, String ignored, String why) -> {
                stage = new Over();
                yield List.of(new Command.Settle(admission));
            }
            case Judging ignored -> refused(refusal);
            case Connecting ignored -> List.of();
            case Switched ignored -> List.of();
            case Over ignored -> List.of();
        };
    }

    private List<Command> wasCut(String why) {
        Refusal ended = Refusal.of(RefusalError.GRANT_ENDED, "the grant of this request has ended: " + why)
                .closing();
        return switch (stage) {
            case Judging ignored -> refused(ended);
            case Gathering(Admission admission) -> settled(admission, new Command.Refuse(ended, true));
            case Completing(Admission admission, Window ignored) -> settled(admission, new Command.Refuse(ended, true));
            case Recording(Admission admission, Window ignored) -> {
                stage = new Abandoned(admission, "cut", why);
                yield List.of(new Command.Refuse(ended, true));
            }
            case Connecting(Use use, boolean ignored) -> {
                stage = new Over();
                List<Command> commands = new ArrayList<>(DROP);
                commands.add(new Command.Refuse(ended, true));
                commands.addAll(closed(use, "cut", ended.status(), why));
                yield commands;
            }
            case Relaying ignored -> brokenOff("cut", why);
            case Abandoned ignored -> List.of();
            case Switched ignored -> List.of();
            case Over ignored -> List.of();
        };
    }

    /** Nobody waits for an answer any more. */
    private List<Command> abandoned(String kind, @Nullable String why) {
        return switch (stage) {
            case Gathering(Admission admission) -> {
                stage = new Over();
                yield List.of(new Command.Settle(admission));
            }
            case Completing(Admission admission, Window ignored) -> {
                stage = new Over();
                yield List.of(new Command.Settle(admission));
            }
            case Recording(Admission admission, Window ignored) -> {
                stage = new Abandoned(admission, kind, why == null ? "before anything was sent" : why);
                yield List.of();
            }
            case Connecting(Use use, boolean ignored) -> left(use, kind, 0, why);
            case Relaying relaying ->
                left(
                        relaying.use(),
                        kind,
                        relaying.answer() instanceof Answer.Begun(int status, boolean last) ? status : 0,
                        why);
            case Judging ignored -> {
                stage = new Over();
                yield List.of();
            }
            case Abandoned ignored -> List.of();
            case Switched ignored -> List.of();
            case Over ignored -> List.of();
        };
    }

    private List<Command> left(Use use, String kind, int status, @Nullable String why) {
        stage = new Over();
        List<Command> commands = new ArrayList<>(DROP);
        commands.addAll(closed(use, kind, status, why));
        return commands;
    }

    /** Both sides end at once, and the agent sees that its answer is not whole. */
    private List<Command> brokenOff(String kind, String why) {
        if (!(stage instanceof Relaying relaying)) {
            return List.of();
        }
        stage = new Over();
        int status = relaying.answer() instanceof Answer.Begun(int begun, boolean ignored) ? begun : 0;
        List<Command> commands = new ArrayList<>(DROP);
        commands.add(new Command.ResetAgent());
        commands.addAll(closed(relaying.use(), kind, status, why));
        return commands;
    }

    private List<Command> over(Use use, String kind, Refusal refusal, List<Command> before) {
        stage = new Over();
        List<Command> commands = new ArrayList<>(before);
        commands.add(new Command.Refuse(
                refusal.inScope(use.admission().scope().name())
                        .entered(use.recorded().seq()),
                false));
        String detail = refusal.cause() == null ? refusal.error() : refusal.error() + ": " + refusal.cause();
        commands.addAll(closed(use, kind, refusal.status(), detail));
        return commands;
    }

    static List<Command> closed(Use use, String kind, int status, @Nullable String detail) {
        return List.of(
                new Command.RecordOutcome(use.admission(), use.recorded(), kind, status, detail),
                new Command.Settle(use.admission()));
    }

    private List<Command> settled(Admission admission, Command command) {
        stage = new Over();
        return List.of(command, new Command.Settle(admission));
    }

    /** What comes next of a use that is under way. */
    static Command collect(Use use) {
        return gather(use.admission(), Command.Gathering.EAGER);
    }

    private static Command gather(Admission admission, Command.Gathering how) {
        return new Command.GatherWindow(
                how, Math.min(admission.scope().bodyLimit().orElse(Long.MAX_VALUE), admission.wholeLimit()));
    }

    /**
     * Once more at most, and only what is still here whole. An old connection may have been closed by the destination just as we wrote:
     * then a method that may be repeated is, though nobody knows what it did the first time.
     */
    private static Again again(Use use, boolean fresh, boolean retried) {
        RequestHead head = use.admission().clean();
        if (retried || !use.first().kept()) {
            return Again.NEVER;
        }
        return !fresh && head.framing() instanceof Framing.None && IDEMPOTENT.contains(head.method())
                ? Again.SILENT
                : Again.UNTOUCHED;
    }

    private static Refusal unwritable() {
        return Refusal.of(RefusalError.UNAVAILABLE, "the broker can't serve this just now");
    }

    private static Refusal coded(String reason) {
        return Refusal.of(RefusalError.UPSTREAM_CODED, "the answer is compressed and could hide the credential")
                .because(reason);
    }

    private static Refusal malformed(String reason) {
        return Refusal.of(RefusalError.UPSTREAM_MALFORMED, reason);
    }
}

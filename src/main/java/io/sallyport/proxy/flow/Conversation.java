package io.sallyport.proxy.flow;

import io.sallyport.proxy.Refusal;
import io.sallyport.proxy.RefusalError;
import io.sallyport.proxy.Window;
import io.sallyport.proxy.flow.Stage.Content;
import io.sallyport.proxy.flow.Stage.Over;
import io.sallyport.proxy.flow.Stage.Switched;
import io.sallyport.proxy.flow.Stage.Use;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A use that has become a WebSocket, from the 101 to its end. The agent's frames leave as content does: in windows, each recorded before
 * it is released. It is whole when both sides have said Close; every other end is one that both sides can tell from that.
 */
final class Conversation {

    private static final int SWITCHED = 101;

    // RFC 6455 section 7.4.1.
    private static final int GOING_AWAY = 1001;
    private static final int PROTOCOL_ERROR = 1002;
    private static final int POLICY_VIOLATION = 1008;
    private static final int TOO_BIG = 1009;
    private static final int INTERNAL_ERROR = 1011;

    /** Where it stands now, and what is to be done. */
    record Turn(Stage stage, List<Command> commands) {}

    private Conversation() {}

    static Turn on(Switched now, Event event) {
        return switch (event) {
            case Event.WindowClosed(Window window) ->
                new Turn(
                        now.with(new Content.AtTheLedger(window)),
                        List.of(new Command.RecordWindow(
                                now.use().admission(), now.use().recorded().seq(), window)));
            case Event.WindowRecorded ignored -> recorded(now);
            case Event.WindowReleased ignored -> released(now);
            case Event.AnswerEnded ignored ->
                now.content() instanceof Content.Sent ? whole(now) : stay(now.withClosed(true));
            case Event.ContentRefused(Refusal refusal) -> hungUp(now, code(refusal), "refused", refusal);
            case Event.RecordDenied(Refusal refusal) -> hungUp(now, POLICY_VIOLATION, "refused", refusal);
            case Event.RecordFailed ignored ->
                hungUp(now, INTERNAL_ERROR, "refused", Refusal.of(RefusalError.UNAVAILABLE, "unavailable"));
            case Event.UpstreamFailed failed -> upstreamGone(now, failed.refusal());
            case Event.WasCut(String why) -> over(now, List.of(farewell(why)), "cut", why);
            // Who has heard the destination's Close has heard everything.
            case Event.AgentLeft ignored -> over(now, List.of(), now.closed() ? "answered" : "agent-left", null);
            case Event.Faulted ignored -> over(now, List.of(), "cut", "a fault in the broker");
            case Event.Admitted late -> new Turn(now, List.of(new Command.Settle(late.admission())));
            case Event.Refused ignored -> stay(now);
            case Event.Completed ignored -> stay(now);
            case Event.UpstreamReady ignored -> stay(now);
            case Event.AnswerBegan ignored -> stay(now);
        };
    }

    private static Command farewell(String why) {
        return why.equals(Event.WasCut.BROKER_STOPS)
                ? new Command.HangUp(GOING_AWAY, why)
                : new Command.HangUp(POLICY_VIOLATION, "grant ended");
    }

    private static Turn recorded(Switched now) {
        return now.content() instanceof Content.AtTheLedger(Window window)
                ? new Turn(now.with(new Content.Leaving(window)), List.of(new Command.ReleaseWindow(window)))
                : stay(now);
    }

    private static Turn released(Switched now) {
        if (!(now.content() instanceof Content.Leaving(Window window))) {
            return stay(now);
        }
        if (!window.last()) {
            return new Turn(now.with(new Content.Collecting()), List.of(Flow.collect(now.use())));
        }
        Switched sent = now.with(new Content.Sent());
        return now.closed() ? whole(sent) : stay(sent);
    }

    private static Turn upstreamGone(Switched now, Refusal refusal) {
        if (now.closed()) {
            return whole(now);
        }
        if (refusal.error().equals(RefusalError.UPSTREAM_MALFORMED.text())) {
            return hungUp(now, PROTOCOL_ERROR, "upstream-failed", refusal);
        }
        return over(now, List.of(new Command.ResetAgent()), "upstream-failed", detail(refusal));
    }

    /** The destination has said Close, and it has heard the agent's or is gone. */
    private static Turn whole(Switched now) {
        Use use = now.use();
        List<Command> commands = new ArrayList<>();
        commands.add(new Command.FinishAnswer(!(now.content() instanceof Content.Sent)));
        commands.addAll(Flow.closed(use, "answered", SWITCHED, null));
        return new Turn(new Over(), commands);
    }

    private static Turn hungUp(Switched now, int code, String kind, Refusal refusal) {
        return over(now, List.of(new Command.HangUp(code, refusal.error())), kind, detail(refusal));
    }

    private static Turn over(Switched now, List<Command> then, String kind, @Nullable String detail) {
        List<Command> commands = new ArrayList<>();
        commands.add(new Command.DropUpstream());
        commands.addAll(then);
        commands.addAll(Flow.closed(now.use(), kind, SWITCHED, detail));
        return new Turn(new Over(), commands);
    }

    private static int code(Refusal refusal) {
        return refusal.error().equals(RefusalError.BODY_TOO_LARGE.text()) ? TOO_BIG : PROTOCOL_ERROR;
    }

    private static String detail(Refusal refusal) {
        return refusal.cause() == null ? refusal.error() : refusal.error() + ": " + refusal.cause();
    }

    private static Turn stay(Switched now) {
        return new Turn(now, List.of());
    }
}

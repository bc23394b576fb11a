package io.sallyport.proxy.flow;

import io.sallyport.http.ResponseHead;
import io.sallyport.http.WebSocketHandshake;
import io.sallyport.proxy.Admission;
import io.sallyport.proxy.Recorded;
import io.sallyport.proxy.Refusal;
import io.sallyport.proxy.Window;
import org.jspecify.annotations.Nullable;

/** What to do next for a request. */
public sealed interface Command {

    /**
     * Collect the next window of content.
     *
     * @param limit of content in all, in bytes
     */
    record GatherWindow(Gathering how, long limit) implements Command {}

    /** How long a window waits for content. */
    enum Gathering {
        /** Close it empty: the peer waits for an answer before it sends any. */
        EMPTY,
        /** Give a small body a few milliseconds to arrive whole. */
        PATIENT,
        /** Close it as soon as something came and no more is there. */
        EAGER,
        /** Close it when all of the content has come: a credential goes into it, or signs it. */
        WHOLE
    }

    /** Tell the agent that its content is wanted: nobody else will, since the destination hears of the request when it is whole. */
    record InviteContent() implements Command {}

    /** Let the gate see the whole content, which is in the window that was closed last. */
    record Complete(Admission admission) implements Command {}

    /** Charge and record the use with its first window. */
    record RecordUse(Admission admission, Window first) implements Command {}

    record RecordWindow(Admission admission, long use, Window window) implements Command {}

    /** Resolve, guard, and get a connection. @param fresh true when one that served before won't do */
    record Connect(Admission admission, boolean fresh) implements Command {}

    record SendHead(Admission admission) implements Command {}

    /** Let the recorded window go. */
    record ReleaseWindow(Window window) implements Command {}

    record PassInterim(ResponseHead head) implements Command {}

    /** @param last true when the agent's connection ends with this answer */
    record PassHead(ResponseHead head, boolean last) implements Command {}

    /** The destination has switched protocols: so does the agent's side, and what crosses from now on are frames. */
    record SwitchProtocols(ResponseHead head, WebSocketHandshake handshake) implements Command {}

    /**
     * End the agent's side of a switched connection, saying why.
     *
     * @param code of RFC 6455 section 7.4
     * @param reason ASCII, at most 123 bytes
     */
    record HangUp(int code, String reason) implements Command {}

    /** The answer is complete. @param last as it was said in its head */
    record FinishAnswer(boolean last) implements Command {}

    /** Answer in the origin's place. @param record whether this "no" gets an entry of its own */
    record Refuse(Refusal refusal, boolean record) implements Command {}

    /** The use is over. @param status of the answer that the agent got, 0 for none */
    record RecordOutcome(
            Admission admission,
            Recorded.Durable use,
            String kind,
            int status,
            @Nullable String detail) implements Command {}

    /** Forget the secrets and make room. */
    record Settle(Admission admission) implements Command {}

    /** Nothing more goes to or comes from the destination; its connection is not used again. */
    record DropUpstream() implements Command {}

    /** Break off the agent's connection, so that a half answer can't pass for a whole one. */
    record ResetAgent() implements Command {}
}

package io.sallyport.proxy.flow;

import io.sallyport.http.ResponseHead;
import io.sallyport.proxy.Admission;
import io.sallyport.proxy.Recorded;
import io.sallyport.proxy.Refusal;
import io.sallyport.proxy.Window;

/** What happened to a request. */
public sealed interface Event {

    /** The gate let it pass. */
    record Admitted(Admission admission) implements Event {}

    /** The gate did not. */
    record Refused(Refusal refusal) implements Event {}

    /** A stretch of content is complete and hashed. */
    record WindowClosed(Window window) implements Event {}

    /** The content is malformed, or more than the scope takes. */
    record ContentRefused(Refusal refusal) implements Event {}

    /** The gate has seen the whole content. @param admission in place of the one that it was given */
    record Completed(Admission admission) implements Event {}

    /** The window that was to be recorded is on disk. */
    record WindowRecorded(Recorded.Durable recorded) implements Event {}

    /** A limit refused the window, or the grant ended meanwhile. */
    record RecordDenied(Refusal refusal) implements Event {}

    /** The store could not write. */
    record RecordFailed() implements Event {}

    /** A verified connection to the destination stands. @param fresh false for one that served before */
    record UpstreamReady(boolean fresh) implements Event {}

    /**
     * The destination can't be reached, or left before its answer was whole.
     *
     * @param touched how far it got with the request
     */
    record UpstreamFailed(Refusal refusal, Touched touched) implements Event {}

    /** The released window is with the destination, as far as we can tell. */
    record WindowReleased() implements Event {}

    /** An answer's head came; interim ones too. */
    record AnswerBegan(ResponseHead head) implements Event {}

    record AnswerEnded() implements Event {}

    /** A revocation, the grant's end, or a narrower rule book. */
    record WasCut(String why) implements Event {

        /** Nobody's grant has ended: it may be asked again, elsewhere or later. */
        public static final String BROKER_STOPS = "the broker stops";
    }

    record AgentLeft() implements Event {}

    /** A fault of our own while the request was carried out; both of its connections are broken off. */
    record Faulted() implements Event {}
}

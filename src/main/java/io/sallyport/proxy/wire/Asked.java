package io.sallyport.proxy.wire;

import io.sallyport.http.Framing;
import io.sallyport.http.RequestHead;
import io.sallyport.proxy.RawHead;

/**
 * What an agent asked, as a run needs it.
 *
 * @param persistence whether the agent's connection can go on after the answer, as far as the request says
 * @param expectsContinue whether the agent waits for an interim answer before it sends content
 */
record Asked(RequestHead head, Persistence persistence, boolean expectsContinue) {

    static Asked of(RawHead raw, RequestHead head) {
        return new Asked(head, Persistence.of(raw), raw.expectsContinue());
    }

    boolean empty() {
        return head.framing() instanceof Framing.None;
    }

    boolean chunked() {
        return head.framing() instanceof Framing.Chunked;
    }
}

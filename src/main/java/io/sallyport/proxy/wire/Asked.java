package io.sallyport.proxy.wire;

import io.sallyport.http.Framing;
import io.sallyport.http.RequestHead;

/**
 * What an agent asked, as a run needs it.
 *
 * @param expectsContinue whether the agent waits for an interim answer before it sends content
 */
record Asked(RequestHead head, boolean expectsContinue) {

    boolean empty() {
        return head.framing() instanceof Framing.None;
    }
}

package io.sallyport.credential;

import io.sallyport.http.RequestHead;
import java.nio.ByteBuffer;
import java.util.Optional;

/** What became of putting a credential on a request. */
public sealed interface Injected {

    /**
     * It stands where it has to.
     *
     * @param content what is to be sent in place of the agent's; empty where that stays as it is
     */
    record Done(RequestHead head, Optional<ByteBuffer> content) implements Injected {

        public Done(RequestHead head) {
            this(head, Optional.empty());
        }
    }

    /**
     * The request has no place for it, so that it does not leave.
     *
     * @param reason one sentence for the agent: what, where and what is allowed; nothing of the secret and nothing of the content
     */
    record Refused(Misfit misfit, String reason) implements Injected {}

    /** What kind of thing is wrong with the request. */
    enum Misfit {
        /** The target has no such place. */
        TARGET,
        /** The content is of another type than the one with the place in it. */
        CONTENT_TYPE,
        /** The content can't be read, or in more than one way, or has no such place. */
        CONTENT,
        /** A placeholder stands elsewhere than where it may. */
        PLACEHOLDER,
        /** The head says something that the credential can't go along with. */
        HEAD
    }
}

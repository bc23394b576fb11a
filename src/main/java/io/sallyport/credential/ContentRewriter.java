package io.sallyport.credential;

import io.sallyport.credential.Injected.Misfit;
import java.nio.ByteBuffer;

/** Rewrites the content of one sending of a request, piece by piece, after it was recorded. Not thread-safe. */
public interface ContentRewriter {

    sealed interface Rewritten {

        /** @param bytes what may leave now, perhaps none; valid until the next call */
        record Bytes(ByteBuffer bytes) implements Rewritten {}

        /** Nothing more may leave, and the request is broken off. @param reason as in {@link Injected.Refused} */
        record Refused(Misfit misfit, String reason) implements Rewritten {}
    }

    /**
     * The next piece. May hold bytes back until more come; how many is the rewriter's to bound.
     *
     * @param piece consumed to its limit, and left as it is
     * @param last true when no more follows: nothing stays held back
     */
    Rewritten rewrite(ByteBuffer piece, boolean last);
}

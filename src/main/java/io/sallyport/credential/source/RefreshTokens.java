package io.sallyport.credential.source;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The newest refresh token of each chain, in the store: a chain begins with a token that a person entered, and each use of its newest may
 * give the next (RFC 6749 section 6). Every change is made by compare-and-set, so that of several who see the same token one uses it.
 */
public interface RefreshTokens {

    /** Where a chain stands. */
    enum State {
        /** Its newest token may be used. */
        READY,
        /** Somebody uses it, or has used it and never came back to say what came of it. */
        IN_FLIGHT,
        /** Whether it was used up is not known, and it is not to be used again. */
        LOST,
        /** The issuer does not take it any more. */
        REFUSED
    }

    /**
     * A chain, as it was read.
     *
     * @param entry the revision of the entered token that it begins with
     * @param revision of the row, for the compare; 0 where there is none
     * @param generation counts the answers that the chain has had
     * @param since when it came into this state
     * @param tries how often the newest token has been shown without an answer
     * @param refresh the newest; null while that is the entered one
     * @param access what came with it; null before the first answer
     */
    record Chain(
            String credential,
            String entry,
            long revision,
            long generation,
            State state,
            Instant since,
            int tries,
            byte @Nullable [] refresh,
            @Nullable Access access) {

        @Override
        public String toString() {
            return "Chain[" + credential + ", " + state + ", " + generation + "]";
        }
    }

    /** An access token and its time. */
    record Access(byte[] token, Instant from, Instant until) {

        @Override
        public String toString() {
            return "Access[until " + until + "]";
        }
    }

    /** The chain that begins with that entry; what is left of another one is not read. */
    Chain read(String credential, String entry);

    /** Marks the newest token as in use, before it is. @return the chain as it is now; null when another was faster, or the entry is no longer the newest */
    @Nullable
    Chain claim(Chain seen);

    /** The answer. @param refresh null where the issuer goes on taking the one that was shown @return null when the chain is another by now */
    @Nullable
    Chain answered(Chain claimed, byte @Nullable [] refresh, Access access);

    /** To READY where it was never shown, to LOST or REFUSED. @return whether it was this one who changed it */
    boolean settle(Chain claimed, State state);
}

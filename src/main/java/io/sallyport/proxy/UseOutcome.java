package io.sallyport.proxy;

import org.jspecify.annotations.Nullable;

/**
 * How a use ended, and what crossed the wire until then.
 *
 * @param kind as the ledger says it: {@code answered}, {@code upstream-failed}, {@code cut}, {@code agent-left}, {@code refused}
 * @param status of the answer that the agent got; 0 where there was none
 * @param sent whether any byte of the request left: only if none did is the charge given back
 * @param content what left in place of the agent's content; null where that left as it was
 * @param bytesOut content released; {@code bytesIn} content of the answer as received
 */
public record UseOutcome(
        String kind,
        int status,
        @Nullable String upstreamAddress,
        boolean sent,
        long bytesOut,
        long bytesIn,
        @Nullable SentContent content,
        @Nullable String detail) {}

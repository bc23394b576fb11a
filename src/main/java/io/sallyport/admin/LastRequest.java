package io.sallyport.admin;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One request of a task, as the ledger has it. Method, destination and target are the agent's own words: data, never markup.
 *
 * @param seq of the entry that admitted or refused it
 * @param scope null when none was found
 * @param target null where only a host was named
 * @param refused whether the hop said no
 * @param outcome an error of the closed list, or how the use ended with the answer's status; {@code running} until it ends
 */
public record LastRequest(
        long seq,
        Instant time,
        String method,
        String destination,
        @Nullable String target,
        @Nullable String scope,
        boolean refused,
        String outcome) {}

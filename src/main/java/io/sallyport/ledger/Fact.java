package io.sallyport.ledger;

import io.sallyport.http.Origin;
import io.sallyport.identity.Principal;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an entry says. Hashes are lower-case hexadecimal SHA-256; sizes are bytes; names of slots stand for what was taken off, values
 * never do.
 */
public sealed interface Fact {

    /** Whose doing it is: repeated in each entry, so that one entry can be read alone. */
    record Actor(
            String task,
            String grant,
            String policy,
            Principal workload,
            @Nullable Principal person) {}

    /** A grant was opened. @param purpose as the runtime gave it */
    record Exchanged(
            Actor actor,
            Set<String> scopes,
            String expiresAt,
            @Nullable String parent,
            @Nullable String purpose) implements Fact {}

    /** An exchange was refused. @param cause the inner one, which the caller was not told */
    record ExchangeRefused(
            @Nullable Principal workload, @Nullable String policy, String error, String cause, String source)
            implements Fact {}

    /**
     * A request was admitted: durable before a name is resolved. Carries the first window of its content.
     *
     * @param windowBytes length of the first window
     * @param windowSha256 of the first window, which is the prefix so far
     * @param complete true when the first window is the whole content: then {@code windowSha256} is the content's
     * @param requestSha256 over method, canonical target, forwarded fields without credentials, and content hash; null until complete
     * @param credentials names of those injected
     * @param removed slots that the agent had filled and that were emptied
     */
    record Used(
            Actor actor,
            String scope,
            String method,
            Origin origin,
            String target,
            long windowBytes,
            String windowSha256,
            boolean complete,
            @Nullable String requestSha256,
            List<String> credentials,
            List<String> removed)
            implements Fact {}

    /**
     * A further window of content, durable before it leaves.
     *
     * @param use the sequence number of the {@link Used} entry
     * @param offset of the window's first byte in the content
     * @param prefixSha256 of the content up to the window's end; the content's own when {@code last}
     */
    record Window(
            Actor actor,
            long use,
            long offset,
            long length,
            String prefixSha256,
            boolean last,
            @Nullable String requestSha256)
            implements Fact {}

    /**
     * How a use ended.
     *
     * @param outcome as in {@code answered}, {@code upstream-failed}, {@code cut}, {@code agent-left}, {@code unknown}
     * @param status of the answer; 0 where there was none
     * @param injected names of credentials that were on bytes that were sent
     * @param bytesOut content released; @param bytesIn content of the answer as received
     * @param masked true when the answer held a secret, which was masked
     * @param contentChanged true when content left in which a credential stands in place of what the agent sent
     * @param sentContentHmac HMAC-SHA256 of it, under a key of the broker's; null where it did not leave whole
     */
    record Outcome(
            Actor actor,
            long use,
            String outcome,
            int status,
            @Nullable String upstreamAddress,
            List<String> injected,
            long bytesOut,
            long bytesIn,
            boolean masked,
            @Nullable String detail,
            boolean contentChanged,
            @Nullable String sentContentHmac)
            implements Fact {

        /** Of a use whose content, if any of it left, left as the agent sent it. */
        public Outcome(
                Actor actor,
                long use,
                String outcome,
                int status,
                @Nullable String upstreamAddress,
                List<String> injected,
                long bytesOut,
                long bytesIn,
                boolean masked,
                @Nullable String detail) {
            this(
                    actor,
                    use,
                    outcome,
                    status,
                    upstreamAddress,
                    injected,
                    bytesOut,
                    bytesIn,
                    masked,
                    detail,
                    false,
                    null);
        }
    }

    /**
     * An answer held a fresh credential, for which a scope says in words that it may: whoever meets that credential later finds whose task
     * it was handed to.
     *
     * @param use the sequence number of the {@link Used} entry
     * @param name of the member of the answer; null where nothing in it is known to be one
     * @param valueSha256 of the credential; null without one, and for one so short that its hash would help whoever guesses
     */
    record HandedOut(
            Actor actor,
            long use,
            @Nullable String name,
            @Nullable String valueSha256) implements Fact {}

    /** The hop said no to a known grant. @param error of the closed list; @param names every host name in play where they disagree */
    record Refused(
            Actor actor,
            @Nullable String scope,
            String method,
            String destination,
            @Nullable String target,
            String error,
            String reason,
            int status,
            List<String> removed)
            implements Fact {}

    /** A revocation was ordered. @param selector as canonical JSON */
    record Revoked(String revocation, String by, String selector, String reason, List<String> grants, int flowsCut)
            implements Fact {}

    record Locked(String lock, String by, String selector, String reason) implements Fact {}

    record Unlocked(String lock, String by, String reason) implements Fact {}

    /** An operator did something else. @param what as in {@code credential put github-acme} */
    record Operated(String by, String what) implements Fact {}

    /** A rule book came into force. @param digest of it; @param refusedBecause null when it did */
    record BookRead(String by, String digest, @Nullable String refusedBecause) implements Fact {}

    /** The broker started. @param unfinished uses that had no outcome, now recorded as unknown */
    record Started(String version, String node, int unfinished) implements Fact {}
}

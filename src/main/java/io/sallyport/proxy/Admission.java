package io.sallyport.proxy;

import io.sallyport.credential.ContentRewriter;
import io.sallyport.credential.ContentUse;
import io.sallyport.credential.Lease;
import io.sallyport.credential.PlaceholderWatch;
import io.sallyport.credential.Scrubber;
import io.sallyport.grant.Grant;
import io.sallyport.http.RequestHead;
import io.sallyport.http.ResponseHead;
import io.sallyport.http.WebSocketHandshake;
import io.sallyport.policy.Scope;
import io.sallyport.policy.TaskLimits;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request that may leave once it is recorded: judged, emptied of the agent's credentials, with ours in place.
 *
 * @param flow its place among those that can be cut
 * @param limits of the policy in force: the day's limits are charged by it
 * @param clean the head as it is recorded and hashed: forwarded fields, no credential
 * @param outgoing the same head with the leased secrets in their slots; where they wait for the content, {@link Gate#complete} makes it whole
 * @param wholeLimit bytes of content that are gathered before the request is recorded; {@link #AS_IT_COMES} where it leaves in windows
 * @param removed slots that the agent had filled
 * @param credentialVersion of all leases together: part of the key of pooled connections
 * @param route how the destination is reached and proven
 * @param fresh what its answer hands out, where that is what it asks for
 * @param handshake where it asks for a WebSocket; null elsewhere
 */
public record Admission(
        LiveFlow flow,
        Scope scope,
        TaskLimits limits,
        RequestHead clean,
        RequestHead outgoing,
        long wholeLimit,
        List<Lease> leases,
        List<String> removed,
        String credentialVersion,
        Route route,
        Scrubber scrubber,
        FreshCredentials fresh,
        @Nullable WebSocketHandshake handshake) {

    /** No secret waits for the content. */
    public static final long AS_IT_COMES = Long.MAX_VALUE;

    /** Whether its content is gathered whole. */
    public boolean whole() {
        return wholeLimit < AS_IT_COMES;
    }

    /** After its content was seen. @param alsoRemoved slots that the agent had filled in it */
    Admission completed(RequestHead head, List<String> alsoRemoved) {
        return new Admission(
                flow,
                scope,
                limits,
                clean,
                head,
                wholeLimit,
                leases,
                alsoRemoved,
                credentialVersion,
                route,
                scrubber,
                fresh,
                handshake);
    }

    /** The head to be written now: what works once is made anew each time. */
    public RequestHead stamped() {
        RequestHead head = outgoing;
        for (Lease lease : leases) {
            head = lease.stamp(head);
        }
        return head;
    }

    /** What rewrites the content of this sending, in order; mostly nothing. */
    public List<ContentRewriter> rewriters() {
        return leases.stream()
                .filter(lease -> lease.content() == ContentUse.STREAM)
                .map(Lease::rewriter)
                .toList();
    }

    /** What looks for a placeholder in content, in order; mostly nothing. */
    public List<PlaceholderWatch> watches() {
        return leases.stream().map(Lease::watch).flatMap(Optional::stream).toList();
    }

    /** Whether a placeholder of a credential stands where it may not. */
    public boolean misplaced(String text) {
        return leases.stream().anyMatch(lease -> lease.misplaced(text));
    }

    /** The destination has answered. */
    public void answered(ResponseHead head) {
        leases.forEach(lease -> lease.answered(head));
    }

    public Grant grant() {
        return flow.grant();
    }

    public boolean credentialed() {
        return !leases.isEmpty();
    }

    /** Those that are on the request. */
    public List<String> credentials() {
        return leases.stream().filter(Lease::placed).map(Lease::credential).toList();
    }

    /** The flow is over: its secrets are needed no more, and it makes room for another. Idempotent. */
    public void close() {
        leases.forEach(Lease::close);
        flow.leave();
    }

    @Override
    public String toString() {
        return clean.method() + " " + clean.origin() + " for " + grant().id();
    }
}

package io.sallyport.proxy;

import io.sallyport.credential.Lease;
import io.sallyport.credential.Scrubber;
import io.sallyport.grant.Grant;
import io.sallyport.http.RequestHead;
import io.sallyport.http.WebSocketHandshake;
import io.sallyport.policy.Scope;
import io.sallyport.policy.TaskLimits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request that may leave once it is recorded: judged, emptied of the agent's credentials, with ours in place.
 *
 * @param flow its place among those that can be cut
 * @param limits of the policy in force: the day's limits are charged by it
 * @param clean the head as it is recorded and hashed: forwarded fields, no credential
 * @param outgoing the same head with the leased secrets in their slots
 * @param removed slots that the agent had filled
 * @param credentialVersion of all leases together: part of the key of pooled connections
 * @param route how the destination is reached and proven
 * @param handshake where it asks for a WebSocket; null elsewhere
 */
public record Admission(
        LiveFlow flow,
        Scope scope,
        TaskLimits limits,
        RequestHead clean,
        RequestHead outgoing,
        List<Lease> leases,
        List<String> removed,
        String credentialVersion,
        Route route,
        Scrubber scrubber,
        @Nullable WebSocketHandshake handshake) {

    public Grant grant() {
        return flow.grant();
    }

    public boolean credentialed() {
        return !leases.isEmpty();
    }

    public List<String> credentials() {
        return switch (leases.size()) {
            case 0 -> List.of();
            case 1 -> List.of(leases.getFirst().credential());
            default -> leases.stream().map(Lease::credential).toList();
        };
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

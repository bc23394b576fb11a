package io.sallyport.proxy;

import io.sallyport.grant.Grant;
import io.sallyport.http.RequestHead;
import org.jspecify.annotations.Nullable;

/** What a head turned out to be: the first of the seven steps. */
public sealed interface Received {

    /** A tunnel is asked for. @param token as presented; null for none */
    record Tunnel(String host, int port, @Nullable String token) implements Received {}

    /** An absolute-form request. */
    record Forward(RequestHead head, @Nullable String token) implements Received {}

    /** A request whose grant is known from where it came in: inside a tunnel, or by a listener of its own. */
    record Inside(RequestHead head, Grant grant) implements Received {}

    /**
     * A request by the gateway's path.
     *
     * @param head null when the policy has no such scope, or one whose destination is not a single origin: said only to a live grant
     */
    record Gateway(@Nullable RequestHead head, @Nullable String token, String policy, String scope)
            implements Received {}

    /** A tunnel is asked for where the grant is known already. */
    record OwnTunnel(String host, int port, Grant grant) implements Received {}

    /** A request by the gateway's path, where the grant is known already. @param head as in {@link Gateway} */
    record OwnGateway(@Nullable RequestHead head, Grant grant, String policy, String scope) implements Received {}

    /** @param grant whose request it was, where that is known already: then it goes to the ledger */
    record Malformed(Refusal refusal, @Nullable Grant grant) implements Received {}
}

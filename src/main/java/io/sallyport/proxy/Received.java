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

    /** A request inside a tunnel; its grant was shown at the CONNECT. */
    record Inside(RequestHead head, Grant grant) implements Received {}

    /**
     * A request by the gateway's path.
     *
     * @param head null when the policy has no such scope, or one whose destination is not a single origin: said only to a live grant
     */
    record Gateway(@Nullable RequestHead head, @Nullable String token, String policy, String scope)
            implements Received {}

    /** @param grant whose request it was, where that is known already: then it goes to the ledger */
    record Malformed(Refusal refusal, @Nullable Grant grant) implements Received {}
}

package io.sallyport.proxy;

import io.sallyport.grant.Grant;
import org.jspecify.annotations.Nullable;

/** Where a request came in: it decides which form its target takes and how it shows its grant. */
public sealed interface Entrance {

    /** Port 3128 itself: CONNECT, absolute-form, or the gateway's paths. */
    record Open() implements Entrance {}

    /**
     * Inside a tunnel that the hop answers in the origin's place.
     *
     * @param host of the CONNECT, canonical
     * @param secure true when the agent began with TLS
     * @param serverName that the agent's TLS asked for, as sent; null where there was none
     */
    record Tunnel(
            Grant grant,
            String host,
            int port,
            boolean secure,
            @Nullable String serverName) implements Entrance {}
}

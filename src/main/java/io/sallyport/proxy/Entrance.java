package io.sallyport.proxy;

import io.sallyport.grant.Grant;
import org.jspecify.annotations.Nullable;

/** Where a request came in: it decides which form its target takes and how it shows its grant. */
public sealed interface Entrance {

    /** The grant that every request has that comes in here; null where each shows one. */
    @Nullable
    Grant grant();

    /** What an entry says of where a request was to go that could not be read. */
    default String destination() {
        return "";
    }

    /** Port 3128 itself: CONNECT, absolute-form, or the gateway's paths. */
    record Open() implements Entrance {

        @Override
        public @Nullable Grant grant() {
            return null;
        }
    }

    /**
     * A listener of one grant's own: the same forms, and whoever comes in has the grant.
     *
     * @param port true where it is a TCP port, to which a web page can make a browser speak
     */
    record Own(Grant grant, boolean port) implements Entrance {}

    /**
     * A connection that was on its way to somebody else and was led here. Where it was going is not believed but for the port: the host is
     * what its TLS or its Host names.
     */
    record Transparent(Grant grant, int port) implements Entrance {}

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
            @Nullable String serverName) implements Entrance {

        @Override
        public String destination() {
            return host + ":" + port;
        }
    }
}

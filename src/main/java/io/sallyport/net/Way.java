package io.sallyport.net;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * How one connection to a destination is made.
 *
 * @param address that was judged; null where a proxy resolves the name
 * @param proxied whether it is a tunnel through the proxy at the way out
 */
public record Way(@Nullable InetAddress address, boolean proxied) {

    public Way {
        if (address == null && !proxied) {
            throw new IllegalArgumentException("without a proxy there is an address");
        }
    }
}

package io.sallyport.net;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The ports that the broker's own doors listen on. No document can name them as a destination on this machine: an agent that reached the
 * operator's door through the hop would come from loopback. Each door adds its port before it accepts.
 */
public final class OwnPorts {

    private final Set<Integer> ports = ConcurrentHashMap.newKeySet();

    /** @param port 1 to 65535 */
    public void add(int port) {
        ports.add(port);
    }

    public boolean contains(int port) {
        return ports.contains(port);
    }
}

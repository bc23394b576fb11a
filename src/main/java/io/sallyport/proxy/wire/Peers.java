package io.sallyport.proxy.wire;

import io.netty.channel.Channel;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Who is at the other end of an agent's connection. */
final class Peers {

    private Peers() {}

    /** The source address. A Unix socket has none: its peers are on this machine. */
    static InetAddress address(Channel connection) {
        return connection.remoteAddress() instanceof InetSocketAddress remote
                ? remote.getAddress()
                : InetAddress.getLoopbackAddress();
    }
}

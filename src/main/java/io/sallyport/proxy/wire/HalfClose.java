package io.sallyport.proxy.wire;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollSocketChannel;
import java.util.concurrent.TimeUnit;

/**
 * An agent's connection of which one direction has ended (RFC 9112 section 9.6). Only plain ones, because TLS here ends as a whole; and
 * only where the system tells what became of the other direction: elsewhere the end of one is the end.
 */
final class HalfClose {

    private static final int PROBE_SECONDS = 10;
    private static final int PROBES = 3;

    /** Linux numbers it so: the peer's direction has ended, ours has not. */
    private static final int CLOSE_WAIT = 8;

    private HalfClose() {}

    static void allow(Channel channel, boolean may) {
        channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, may && channel instanceof EpollSocketChannel);
    }

    /**
     * Closes the channel when nobody listens any more. A peer that has closed its socket sends the same FIN as one that waits for an
     * answer, and acknowledges probes as long as its system remembers the socket, a minute on Linux; then it answers with a reset. A
     * write brings one at once. Netty does not report it once input has ended, so that it is looked for.
     */
    static void watch(Channel channel) {
        if (channel instanceof EpollSocketChannel socket) {
            socket.config().setOption(EpollChannelOption.TCP_KEEPIDLE, PROBE_SECONDS);
            socket.config().setOption(EpollChannelOption.TCP_KEEPINTVL, PROBE_SECONDS);
            socket.config().setOption(EpollChannelOption.TCP_KEEPCNT, PROBES);
            look(socket);
        }
    }

    private static void look(EpollSocketChannel socket) {
        if (!socket.isActive()) {
            return;
        }
        if (stands(socket)) {
            socket.eventLoop().schedule(() -> look(socket), 1, TimeUnit.SECONDS);
        } else {
            socket.close();
        }
    }

    private static boolean stands(EpollSocketChannel socket) {
        try {
            return socket.tcpInfo().state() == CLOSE_WAIT;
        } catch (ChannelException unknown) {
            return false;
        }
    }
}

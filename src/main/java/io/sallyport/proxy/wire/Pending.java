package io.sallyport.proxy.wire;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;

/** What was written to a connection and waits for its peer. */
final class Pending {

    private Pending() {}

    static long bytes(Channel channel) {
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        return buffer == null ? 0 : buffer.totalPendingWriteBytes();
    }
}

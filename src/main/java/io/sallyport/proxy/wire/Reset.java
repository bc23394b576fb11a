package io.sallyport.proxy.wire;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;

/** Ends a connection so that the peer can't take it for a regular end: a TCP reset, past TLS and whatever waits to be written. */
final class Reset {

    private Reset() {}

    static void channel(Channel channel) {
        if (channel.isActive()) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
        }
        channel.unsafe().close(channel.unsafe().voidPromise());
    }
}

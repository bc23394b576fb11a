package io.sallyport.proxy.wire;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.util.AttributeKey;
import io.sallyport.grant.Grant;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A connection, or a tunnel on a stream, that is one grant's alone and ends with it. Nothing could come of it any more but refusals, and
 * each that stands is a place of its task's and a way into the broker.
 */
final class GrantsConnection {

    /** What goes on in such a connection, where there is more to do at the end than to close. */
    interface Occupant {
        /** Takes nothing new; what runs is somebody else's to end, and with it the connection closes. */
        void takesNoMore();
    }

    private static final AttributeKey<GrantsConnection> KEY = AttributeKey.valueOf(GrantsConnection.class, "grant");

    /** Longer than whatever says a last word waits for it to arrive. */
    private static final long LAST_WORD_SECONDS = 2;

    private final Channel channel;
    private boolean ended;

    private GrantsConnection(Channel channel) {
        this.channel = channel;
    }

    /** On the channel's loop. From here on it ends with the grant; a tunnel within the same grant's connection is a part of it. */
    static void hold(Hop hop, Channel channel, Grant grant) {
        if (channel.hasAttr(KEY)) {
            return;
        }
        GrantsConnection held = new GrantsConnection(channel);
        channel.attr(KEY).set(held);
        hop.agents().add(channel);
        Runnable leave = hop.gate().hold(grant, held::endSoon);
        channel.closeFuture().addListener(closed -> leave.run());
        if (!hop.gate().stands(grant)) {
            held.endSoon();
        }
    }

    private void endSoon() {
        channel.eventLoop().execute(this::end);
    }

    private void end() {
        if (ended || !channel.isActive()) {
            return;
        }
        ended = true;
        takeNoMore(channel);
        channel.eventLoop().schedule(() -> Reset.channel(channel), LAST_WORD_SECONDS, TimeUnit.SECONDS);
    }

    /** On the channel's loop: one in which nothing runs closes. */
    static void takeNoMore(Channel channel) {
        Occupant occupant = occupant(channel);
        if (occupant == null) {
            channel.close();
        } else {
            occupant.takesNoMore();
        }
    }

    private static @Nullable Occupant occupant(Channel channel) {
        for (Map.Entry<String, ChannelHandler> handler : channel.pipeline()) {
            if (handler.getValue() instanceof Occupant found) {
                return found;
            }
        }
        return null;
    }
}

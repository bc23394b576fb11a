package io.sallyport.proxy.wire;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.util.AttributeKey;
import io.netty.util.concurrent.ScheduledFuture;
import io.sallyport.grant.Grant;
import io.sallyport.proxy.AgentConnections;
import io.sallyport.proxy.Entrance;
import java.net.InetAddress;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * What an agent's connection is, below whatever is spoken on it: its place among all of them, and the time by which a live grant must
 * have been shown. That deadline runs from the connection's start and nothing that a peer sends puts it off.
 */
final class AgentConnection {

    private static final AttributeKey<AgentConnection> KEY = AttributeKey.valueOf(AgentConnection.class, "agent");

    private final InetAddress source;
    private final AgentConnections.Seat seat;
    private final ScheduledFuture<?> deadline;

    private AgentConnection(InetAddress source, AgentConnections.Seat seat, ScheduledFuture<?> deadline) {
        this.source = source;
        this.seat = seat;
        this.deadline = deadline;
    }

    /** @return false when there is no room: whoever calls closes the channel */
    static boolean seat(Hop hop, Channel channel, Entrance entrance) {
        InetAddress source = Peers.address(channel);
        Optional<AgentConnections.Seat> seat = hop.connections().enter(source, channel::close);
        if (seat.isEmpty()) {
            return false;
        }
        ScheduledFuture<?> deadline = channel.eventLoop()
                .schedule(
                        () -> {
                            channel.close();
                        },
                        hop.settings().deadlines().recognition().toMillis(),
                        TimeUnit.MILLISECONDS);
        AgentConnection connection = new AgentConnection(source, seat.get(), deadline);
        channel.attr(KEY).set(connection);
        channel.closeFuture().addListener(closed -> {
            deadline.cancel(false);
            seat.get().leave();
        });
        Grant known = entrance.grant();
        return known == null || connection.recognised(known);
    }

    /**
     * A tunnel on a stream costs what a connection costs, so it has a place like one: else a task would have as many more as streams fit
     * on its connections.
     *
     * @param channel not registered yet
     * @param loop that it is going to be on
     * @return false when there is no room, or none for this task
     */
    static boolean seatTunnel(Hop hop, Channel channel, EventLoop loop, Grant grant) {
        Optional<AgentConnections.Seat> seat =
                hop.connections().enter(Peers.address(channel), () -> loop.execute(channel::close));
        if (seat.isEmpty()) {
            return false;
        }
        if (!seat.get().recognised(grant.task())) {
            seat.get().leave();
            return false;
        }
        channel.closeFuture().addListener(closed -> seat.get().leave());
        return true;
    }

    static AgentConnection of(Channel channel) {
        return Objects.requireNonNull(channel.attr(KEY).get(), "a connection that nobody seated");
    }

    /** The connection that this channel is, or is a stream of, ends because of what its peer floods it with. */
    static void flooded(Channel channel) {
        Channel below = channel;
        while (!below.hasAttr(KEY) && below.parent() != null) {
            below = below.parent();
        }
        of(below).seat.flooded();
    }

    InetAddress source() {
        return source;
    }

    /** A live grant was shown here. @return false when its task has as many connections as it may */
    boolean recognised(Grant grant) {
        boolean fits = seat.recognised(grant.task());
        if (fits && !deadline.isDone()) {
            deadline.cancel(false);
        }
        return fits;
    }
}

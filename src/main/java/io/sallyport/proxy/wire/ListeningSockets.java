package io.sallyport.proxy.wire;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.sallyport.grant.Grant;
import io.sallyport.grant.TaskListener;
import io.sallyport.http.IpRange;
import io.sallyport.proxy.Entrance;
import io.sallyport.proxy.LedAway;
import io.sallyport.proxy.ListenerSettings;
import io.sallyport.proxy.ListenerSockets;
import io.sallyport.proxy.SocketFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Everything that agents connect to: the hop's own port, and those of tasks. The same limits count the connections of all. */
final class ListeningSockets implements ListenerSockets {

    private static final Logger LOG = LoggerFactory.getLogger(ListeningSockets.class);

    private final Hop hop;
    private final Transport transport;
    private final EventLoopGroup loops;
    private final ListenerSettings settings;
    private final ChannelGroup listeners = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);

    ListeningSockets(Hop hop, Transport transport, EventLoopGroup loops, ListenerSettings settings) {
        this.hop = hop;
        this.transport = transport;
        this.loops = loops;
        this.settings = settings;
    }

    /** Where a connection comes in; empty to close it before anything is read. */
    @FunctionalInterface
    interface Doorman {
        Optional<Entrance> entrance(Channel connection);
    }

    /** A listener, with the connections that came in by it. */
    private record Listening(Channel listener, ChannelGroup connections) implements Open {

        @Override
        public int port() {
            return listener.localAddress() instanceof InetSocketAddress bound ? bound.getPort() : 0;
        }

        @Override
        public void close() {
            listener.close();
            connections.close();
        }
    }

    /** The hop's own port, open to whoever shows a token. */
    Open open(String address, int port) throws IOException {
        return listen(tcp(), new InetSocketAddress(address, port), connection -> Optional.of(new Entrance.Open()));
    }

    @Override
    public Open port(Grant grant, TaskListener.Port wanted, int port) throws IOException {
        return listen(
                tcp(),
                new InetSocketAddress(settings.bind(), port),
                connection -> admitted(connection, wanted.peers(), grant, new Entrance.Own(grant, true)));
    }

    @Override
    public boolean knowsUsers() {
        return transport.unixServerChannel().isPresent();
    }

    @Override
    public Open unix(Grant grant, TaskListener.Socket wanted, Path file) throws IOException {
        if (!knowsUsers()) {
            throw new IOException("Unix sockets need the native transport, which does not load here");
        }
        SocketFile.removeOld(file);
        Open open = listen(
                common().channel(transport.unixServerChannel().orElseThrow()),
                Transport.unixAddress(file),
                connection -> user(connection, wanted.uid(), grant));
        try {
            SocketFile.giveTo(file, wanted.uid());
        } catch (IOException fault) {
            open.close();
            throw fault;
        }
        return open;
    }

    @Override
    public Open transparent(Grant grant, TaskListener.Transparent wanted, int port) throws IOException {
        return led(
                port,
                connection -> wanted.peers().contains(Peers.address(connection).getAddress())
                        ? Optional.of(grant)
                        : away(LedAway.SOURCE));
    }

    /** The one for all tasks that are known by their address. */
    Open bySource(int port) throws IOException {
        return led(port, connection -> {
            InetAddress source = Peers.address(connection);
            return settings.transparent().sources().stream().anyMatch(range -> range.contains(source.getAddress()))
                    ? hop.gate().ofSource(source)
                    : away(LedAway.SOURCE);
        });
    }

    private <T> Optional<T> away(LedAway why) {
        hop.health().ledAway(why);
        return Optional.empty();
    }

    private Open led(int port, Function<Channel, Optional<Grant>> grants) throws IOException {
        if (transport != Transport.NATIVE) {
            throw new IOException("sallyport.proxy.transparent needs the native transport, which does not load here");
        }
        try {
            return listen(
                    tcp().option(EpollChannelOption.IP_TRANSPARENT, true),
                    new InetSocketAddress(settings.transparent().where().orElseThrow(), port),
                    connection -> dialled(connection)
                            .flatMap(to -> grants.apply(connection).map(grant -> new Entrance.Transparent(grant, to))));
        } catch (IOException failed) {
            throw failed.getCause() instanceof ChannelException refused
                    ? new IOException(
                            "connections to other addresses can't be taken here (sallyport.proxy.transparent): the process"
                                    + " needs CAP_NET_RAW or CAP_NET_ADMIN",
                            refused)
                    : failed;
        }
    }

    /** The port that the agent dialled. Empty for a connection that nobody led here, which was for the listener itself. */
    private Optional<Integer> dialled(Channel connection) {
        int to = ((InetSocketAddress) connection.localAddress()).getPort();
        return connection.parent().localAddress() instanceof InetSocketAddress own && own.getPort() == to
                ? away(LedAway.DIRECT)
                : Optional.of(to);
    }

    private static Optional<Entrance> admitted(Channel connection, IpRange peers, Grant grant, Entrance entrance) {
        if (peers.contains(Peers.address(connection).getAddress())) {
            return Optional.of(entrance);
        }
        LOG.info("the listener of {} is not for {}", grant.task(), connection.remoteAddress());
        return Optional.empty();
    }

    private static Optional<Entrance> user(Channel connection, long uid, Grant grant) {
        long peer = Transport.user(connection);
        if (peer == uid) {
            return Optional.of(new Entrance.Own(grant, false));
        }
        LOG.info("the listener of {} is not for the user {}", grant.task(), peer);
        return Optional.empty();
    }

    private ServerBootstrap tcp() {
        return common().channel(transport.serverChannel())
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true);
    }

    private ServerBootstrap common() {
        return new ServerBootstrap()
                .group(loops)
                .option(ChannelOption.SO_BACKLOG, 1024)
                .childOption(ChannelOption.AUTO_READ, false)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(64 * 1024, 256 * 1024));
    }

    private Open listen(ServerBootstrap bootstrap, SocketAddress at, Doorman doorman) throws IOException {
        ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
        ChannelFuture bound = bootstrap
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel connection) {
                        hop.agents().add(connection);
                        Optional<Entrance> entrance = doorman.entrance(connection);
                        if (entrance.isEmpty() || !AgentConnection.seat(hop, connection, entrance.get())) {
                            connection.close();
                            return;
                        }
                        connections.add(connection);
                        begin(connection, entrance.get());
                    }
                })
                .bind(at)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new IOException("can't listen on " + at + ": " + bound.cause().getMessage(), bound.cause());
        }
        listeners.add(bound.channel());
        return new Listening(bound.channel(), connections);
    }

    private void begin(Channel connection, Entrance entrance) {
        connection
                .pipeline()
                .addLast(new IdleStateHandler(
                        0, 0, hop.settings().deadlines().idle().toMillis(), TimeUnit.MILLISECONDS))
                .addLast(new FirstByteHandler(hop, entrance));
    }

    /** Closes every port, and every connection on which nothing runs; waits for the others. */
    void drain() {
        listeners.close().awaitUninterruptibly();
        for (Channel agent : hop.agents()) {
            agent.eventLoop().execute(() -> GrantsConnection.takeNoMore(agent));
        }
        hop.agents()
                .newCloseFuture()
                .awaitUninterruptibly(hop.settings().deadlines().drain().toMillis());
    }

    /** Closes every port and every connection, whatever runs. */
    void close() {
        listeners.close().awaitUninterruptibly();
        hop.agents().close().awaitUninterruptibly();
    }
}

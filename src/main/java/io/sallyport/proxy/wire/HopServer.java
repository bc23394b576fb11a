package io.sallyport.proxy.wire;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.sallyport.net.AddressGuard;
import io.sallyport.net.Resolver;
import io.sallyport.proxy.Entrance;
import io.sallyport.proxy.Gate;
import io.sallyport.proxy.HopHealth;
import io.sallyport.proxy.ProxySettings;
import io.sallyport.proxy.Reception;
import io.sallyport.proxy.Recorder;
import io.sallyport.proxy.tls.LeafCertificates;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** The hop's listener: one event loop per processor, each with its own upstream connections. */
public final class HopServer implements AutoCloseable {

    /** What decides, and what the listener hands requests to. */
    public record Rooms(
            Reception reception,
            Gate gate,
            Recorder recorder,
            HopHealth health,
            LeafCertificates leaves,
            Resolver resolver,
            AddressGuard guard) {}

    private final EventLoopGroup loops;
    private final ExecutorService offload;
    private final ChannelGroup agents = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final Channel listener;

    /**
     * Binds and serves.
     *
     * @param nanos monotonic
     * @throws IOException when the port is taken or the roots can't be read, saying which
     */
    public HopServer(Rooms rooms, ProxySettings settings, LongSupplier nanos)
            throws IOException, GeneralSecurityException {
        Transport transport = Transport.best(settings.jdkTransport());
        HopTls tls = new HopTls(transport, rooms.leaves());
        loops = new MultiThreadIoEventLoopGroup(
                Runtime.getRuntime().availableProcessors(), new DefaultThreadFactory("hop"), transport.handlers());
        offload = Executors.newFixedThreadPool(2, new DefaultThreadFactory("hop-offload", true));
        UpstreamTls upstream = new UpstreamTls(transport, settings.upstreamTrust(), offload);
        Map<EventLoop, UpstreamPool> pools = new HashMap<>();
        SpokenVersions versions = new SpokenVersions();
        for (EventExecutor loop : loops) {
            UpstreamPool pool = new UpstreamPool(settings.deadlines().pooledIdle(), versions);
            pools.put((EventLoop) loop, pool);
            loop.scheduleAtFixedRate(() -> pool.sweep(nanos.getAsLong(), rooms.resolver()), 5, 5, TimeUnit.SECONDS);
        }
        Hop hop = new Hop(
                rooms.reception(),
                rooms.gate(),
                rooms.recorder(),
                rooms.health(),
                rooms.leaves(),
                new Dialler(rooms.resolver(), rooms.guard(), upstream, transport, settings),
                tls,
                settings,
                offload,
                nanos,
                Map.copyOf(pools));
        listener = bind(transport, hop, settings);
    }

    /** The port that is bound, also where the settings say 0. */
    public int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    private Channel bind(Transport transport, Hop hop, ProxySettings settings) throws IOException {
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loops)
                .channel(transport.serverChannel())
                .option(ChannelOption.SO_BACKLOG, 1024)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.AUTO_READ, false)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(64 * 1024, 256 * 1024))
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        if (agents.size() >= settings.connections()) {
                            channel.close();
                            return;
                        }
                        agents.add(channel);
                        channel.pipeline()
                                .addLast(new IdleStateHandler(
                                        0, 0, settings.deadlines().idle().toMillis(), TimeUnit.MILLISECONDS))
                                .addLast(new FirstByteHandler(hop, new Entrance.Open()));
                    }
                });
        var bound = bootstrap
                .bind(new InetSocketAddress(settings.bind(), settings.port()))
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            close();
            throw new IOException(
                    "sallyport.proxy: can't listen on " + settings.bind() + ":" + settings.port() + ": "
                            + bound.cause().getMessage(),
                    bound.cause());
        }
        return bound.channel();
    }

    /** Closes the port and every connection: nothing that runs is finished first. */
    @Override
    public void close() {
        if (listener != null) {
            listener.close().awaitUninterruptibly();
        }
        agents.close().awaitUninterruptibly();
        loops.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
        offload.shutdownNow();
    }
}

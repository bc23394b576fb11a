package io.sallyport.proxy.wire;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.sallyport.net.Egress;
import io.sallyport.net.Resolver;
import io.sallyport.proxy.AgentConnections;
import io.sallyport.proxy.ContentBudget;
import io.sallyport.proxy.Gate;
import io.sallyport.proxy.HopHealth;
import io.sallyport.proxy.ListenerSettings;
import io.sallyport.proxy.ListenerSockets;
import io.sallyport.proxy.ProxySettings;
import io.sallyport.proxy.Reception;
import io.sallyport.proxy.Recorder;
import io.sallyport.proxy.tls.LeafCertificates;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** The hop's listeners: one event loop per processor, each with its own upstream connections. */
public final class HopServer implements AutoCloseable {

    /** What decides, and what the listener hands requests to. */
    public record Rooms(
            Reception reception,
            Gate gate,
            Recorder recorder,
            HopHealth health,
            AgentConnections connections,
            ContentBudget budget,
            LeafCertificates leaves,
            Resolver resolver,
            Egress egress) {}

    private final EventLoopGroup loops;
    private final Map<EventLoop, UpstreamPool> pools;
    private final ExecutorService offload;
    private final ListeningSockets sockets;
    private final ListenerSockets.Open listener;
    private final Optional<ListenerSockets.Open> transparent;

    /**
     * Binds and serves.
     *
     * @param nanos monotonic
     * @throws IOException when the port is taken or the roots can't be read, saying which
     */
    public HopServer(Rooms rooms, ProxySettings settings, ListenerSettings listeners, LongSupplier nanos)
            throws IOException, GeneralSecurityException {
        Transport transport = Transport.best(settings.jdkTransport());
        HopTls tls = new HopTls(transport, rooms.leaves());
        loops = new MultiThreadIoEventLoopGroup(
                Runtime.getRuntime().availableProcessors(), new DefaultThreadFactory("hop"), transport.handlers());
        offload = Executors.newFixedThreadPool(2, new DefaultThreadFactory("hop-offload", true));
        UpstreamTls upstream = new UpstreamTls(transport, settings.upstreamTrust(), offload);
        Map<EventLoop, UpstreamPool> all = new HashMap<>();
        SpokenVersions versions = new SpokenVersions();
        for (EventExecutor loop : loops) {
            UpstreamPool pool = new UpstreamPool(settings.deadlines().pooledIdle(), versions);
            all.put((EventLoop) loop, pool);
            long sweep = UpstreamPool.SWEEP.toSeconds();
            loop.scheduleAtFixedRate(
                    () -> pool.sweep(nanos.getAsLong(), rooms.resolver()), sweep, sweep, TimeUnit.SECONDS);
        }
        pools = Map.copyOf(all);
        Hop hop = new Hop(
                rooms.reception(),
                rooms.gate(),
                rooms.recorder(),
                rooms.health(),
                rooms.connections(),
                rooms.budget(),
                rooms.leaves(),
                new Dialler(rooms.resolver(), rooms.egress(), upstream, transport, settings, rooms.health()),
                tls,
                settings,
                offload,
                nanos,
                pools,
                new DefaultChannelGroup(GlobalEventExecutor.INSTANCE));
        sockets = new ListeningSockets(hop, transport, loops, listeners);
        try {
            listener = sockets.open(settings.bind(), settings.port());
            transparent = transparent(listeners.transparent());
        } catch (IOException taken) {
            close();
            throw new IOException("sallyport.proxy: " + taken.getMessage(), taken);
        }
    }

    /** One that nobody uses is opened and closed all the same: whether it can be had must not show at the first task. */
    private Optional<ListenerSockets.Open> transparent(ListenerSettings.Transparent transparent) throws IOException {
        if (transparent.where().isEmpty()) {
            return Optional.empty();
        }
        if (transparent.sources().isEmpty()) {
            sockets.bySource(0).close();
            return Optional.empty();
        }
        return Optional.of(sockets.bySource(transparent.port()));
    }

    /** The port of the transparent listener for tasks that are known by their address; empty where there is none. */
    public OptionalInt transparentPort() {
        return transparent.map(open -> OptionalInt.of(open.port())).orElse(OptionalInt.empty());
    }

    /** For the listeners of tasks. */
    public ListenerSockets sockets() {
        return sockets;
    }

    /** A connection that was verified by roots which nobody trusts any more serves no further request. */
    public void trust(Set<String> roots) {
        pools.forEach((loop, pool) -> loop.execute(() -> pool.retire(key -> !key.trusted(roots))));
    }

    /** The port that is bound, also where the settings say 0. */
    public int port() {
        return listener.port();
    }

    /**
     * Takes no more connections and no more requests, says so to every agent, and returns when nothing runs any more, or when
     * {@code deadlines.drain} is over.
     */
    public void drain() {
        sockets.drain();
    }

    /** Closes the port and every connection, whatever runs. */
    @Override
    public void close() {
        sockets.close();
        loops.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
        offload.shutdownNow();
    }
}

package io.sallyport.proxy.wire;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.handler.ssl.SslHandler;
import io.sallyport.http.Origin;
import io.sallyport.net.AddressGuard;
import io.sallyport.net.Resolver;
import io.sallyport.proxy.Admission;
import io.sallyport.proxy.ProxySettings;
import io.sallyport.proxy.Refusal;
import io.sallyport.proxy.RefusalError;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Gets a connection for an admitted request. The name is resolved and its addresses judged for each request, also when a pooled connection
 * would do: the address that was judged is the address that is dialled.
 */
final class Dialler {

    /** Who waits for it, on the flow's own thread. */
    interface Waiting {
        void ready(UpstreamStream connection, boolean fresh);

        void failed(Refusal refusal);

        /** Whether anybody still waits. */
        boolean waits();
    }

    private final Resolver resolver;
    private final AddressGuard guard;
    private final HopTls tls;
    private final Transport transport;
    private final ProxySettings settings;

    Dialler(Resolver resolver, AddressGuard guard, HopTls tls, Transport transport, ProxySettings settings) {
        this.resolver = resolver;
        this.guard = guard;
        this.tls = tls;
        this.transport = transport;
        this.settings = settings;
    }

    /** @param fresh true when a pooled connection won't do */
    void connect(Admission admission, boolean fresh, EventLoop loop, UpstreamPool pool, Waiting waiting) {
        Origin origin = admission.outgoing().origin();
        OnLoop.then(asked(origin.host()), loop, (resolution, fault) -> {
            switch (resolution) {
                case Resolver.Resolution.Resolved(List<InetAddress> addresses) -> {
                    switch (judged(addresses, admission)) {
                        case AddressGuard.Judgement.Allowed(List<InetAddress> allowed) ->
                            new Attempt(admission, allowed, loop, pool, waiting).start(fresh);
                        case AddressGuard.Judgement.Forbidden(String reason) ->
                            waiting.failed(Refusal.of(RefusalError.ADDRESS_FORBIDDEN, reason));
                        case null -> waiting.failed(unavailable("the addresses could not be judged"));
                    }
                }
                case Resolver.Resolution.Failed(String reason) ->
                    waiting.failed(
                            Refusal.of(RefusalError.NAME_UNRESOLVED, "the host name can't be resolved: " + reason));
                case null -> {
                    Hop.fault(fault);
                    waiting.failed(unavailable("the resolver failed"));
                }
            }
        });
    }

    /** A fault of the resolver is an answer like any other: somebody waits for one. */
    private CompletionStage<Resolver.Resolution> asked(String host) {
        try {
            return resolver.resolve(host);
        } catch (RuntimeException fault) {
            return CompletableFuture.failedFuture(fault);
        }
    }

    /** @return null where the guard itself failed, which allows nothing */
    private AddressGuard.@Nullable Judgement judged(List<InetAddress> addresses, Admission admission) {
        try {
            return guard.judge(addresses, admission.outgoing().origin().port(), admission.permitted());
        } catch (RuntimeException fault) {
            Hop.fault(fault);
            return null;
        }
    }

    private static Refusal unavailable(String cause) {
        return Refusal.of(RefusalError.UNAVAILABLE, "the broker can't serve this just now")
                .because(cause);
    }

    /** One request's way through the addresses that were judged, in their order. */
    private final class Attempt {
        private final Admission admission;
        private final List<InetAddress> addresses;
        private final EventLoop loop;
        private final UpstreamPool pool;
        private final Waiting waiting;

        Attempt(Admission admission, List<InetAddress> addresses, EventLoop loop, UpstreamPool pool, Waiting waiting) {
            this.admission = admission;
            this.addresses = addresses;
            this.loop = loop;
            this.pool = pool;
            this.waiting = waiting;
        }

        void start(boolean fresh) {
            for (InetAddress address : addresses) {
                Http1Upstream pooled = fresh ? null : pool.take(key(address));
                if (pooled != null) {
                    waiting.ready(pooled, false);
                    return;
                }
            }
            dial(0);
        }

        private UpstreamKey key(InetAddress address) {
            return new UpstreamKey(admission.outgoing().origin(), address, admission.credentialVersion());
        }

        private void dial(int index) {
            Origin origin = admission.outgoing().origin();
            UpstreamKey key = key(addresses.get(index));
            Http1Upstream connection = new Http1Upstream(key, pool);
            ChannelFuture connecting = new Bootstrap()
                    .group(loop)
                    .channel(transport.clientChannel())
                    .option(ChannelOption.AUTO_READ, false)
                    .option(ChannelOption.TCP_NODELAY, true)
                    .option(ChannelOption.SO_KEEPALIVE, true)
                    .option(ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(64 * 1024, 256 * 1024))
                    .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                            settings.deadlines().dial().toMillis())
                    .handler(new ChannelInitializer<Channel>() {
                        @Override
                        protected void initChannel(Channel channel) {
                            if (origin.secure()) {
                                channel.pipeline().addLast(handshake(channel.alloc(), origin));
                            }
                            channel.pipeline().addLast(connection);
                        }
                    })
                    .connect(new InetSocketAddress(key.address(), origin.port()));
            connecting.addListener((ChannelFutureListener) done -> {
                if (!done.isSuccess()) {
                    next(index, done.cause());
                } else if (origin.secure()) {
                    secured(done.channel(), connection, index);
                } else {
                    waiting.ready(connection, true);
                }
            });
        }

        private SslHandler handshake(ByteBufAllocator alloc, Origin origin) {
            SslHandler handler = tls.client(alloc, origin);
            handler.setHandshakeTimeout(settings.deadlines().handshake().toMillis(), TimeUnit.MILLISECONDS);
            return handler;
        }

        private void secured(Channel channel, Http1Upstream connection, int index) {
            channel.pipeline().get(SslHandler.class).handshakeFuture().addListener(done -> {
                if (done.isSuccess()) {
                    waiting.ready(connection, true);
                } else {
                    channel.close();
                    next(index, done.cause());
                }
            });
        }

        private void next(int index, Throwable fault) {
            if (index + 1 < addresses.size() && waiting.waits()) {
                dial(index + 1);
            } else {
                waiting.failed(UpstreamFaults.connecting(fault));
            }
        }
    }
}

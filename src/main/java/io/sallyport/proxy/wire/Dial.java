package io.sallyport.proxy.wire;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslHandler;
import io.sallyport.net.ProxyFault;
import io.sallyport.net.UpstreamProxy;
import io.sallyport.proxy.HopHealth;
import io.sallyport.proxy.ProxySettings;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One connection that is being made, and who waits for it. Until the handshake is over nobody knows whether one connection serves one
 * request or a hundred, so that others who want the same wait for it instead of each dialling on its own.
 */
final class Dial {

    /** More would perhaps not find room on it. */
    private static final int WAITING = 100;

    /**
     * Bytes that the system keeps before it sends them: what it has taken can't be taken back from a connection that goes on, so it is
     * given no more than it needs.
     */
    private static final int UNSENT = 128 * 1024;

    /** Through the proxy at the way out. @param tls to it: by the usual roots, and never with a client's certificate */
    record Tunnel(UpstreamProxy proxy, UpstreamTls.Client tls) {}

    /** What is spoken on it. */
    enum Speech {
        /** What the handshake agrees on. */
        EITHER,
        HTTP_1,
        /** What the agent says, who makes its own handshake. */
        UNREAD
    }

    /** Who waits, on the loop of the connection. */
    interface Waiter {
        void dialled(Dialled result);

        /** Whether it still does. */
        boolean waits();
    }

    private final UpstreamKey key;
    private final UpstreamPool pool;
    private final UpstreamTls.@Nullable Client tls;
    private final Transport transport;
    private final ProxySettings.Deadlines deadlines;
    private final HopHealth health;
    private final Speech speech;
    private final boolean http1;
    private final List<Waiter> waiters = new ArrayList<>();
    private boolean over;

    /**
     * @param tls null for plain http alone
     * @param speech where it can't be HTTP/2, nobody need wait for anybody else's
     */
    Dial(
            UpstreamKey key,
            UpstreamPool pool,
            UpstreamTls.@Nullable Client tls,
            Transport transport,
            ProxySettings.Deadlines deadlines,
            HopHealth health,
            Speech speech) {
        this.key = key;
        this.pool = pool;
        this.tls = tls;
        this.transport = transport;
        this.deadlines = deadlines;
        this.health = health;
        this.speech = speech;
        this.http1 = speech != Speech.EITHER || !key.origin().secure();
    }

    /** @return false when it has enough to wait for it, or is over */
    boolean join(Waiter waiter) {
        if (over || waiters.size() >= WAITING) {
            return false;
        }
        waiters.add(waiter);
        return true;
    }

    /** It is about to start: others may wait for it. */
    void hold() {
        if (!http1) {
            pool.dialling(key, this);
        }
    }

    /**
     * @param peers to connect to, one after the other until one takes it; at least one
     * @param tunnel where they are a proxy's; null where they are the destination's own
     */
    void start(EventLoop loop, List<InetSocketAddress> peers, @Nullable Tunnel tunnel) {
        hold();
        Bootstrap bootstrap = new Bootstrap()
                .group(loop)
                .channel(transport.clientChannel())
                .option(ChannelOption.AUTO_READ, false)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                // A destination that takes no more may have said why: that is read before the connection ends.
                .option(ChannelOption.AUTO_CLOSE, false)
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(64 * 1024, 256 * 1024))
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                        deadlines.dial().toMillis())
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        health.upstreamMade();
                        channel.closeFuture().addListener(gone -> health.upstreamGone());
                        if (tunnel == null) {
                            lay(channel);
                        } else {
                            layTunnel(channel, tunnel);
                        }
                    }
                });
        if (transport == Transport.NATIVE) {
            bootstrap.option(EpollChannelOption.TCP_NOTSENT_LOWAT, (long) UNSENT);
        } else {
            // The whole buffer, what is in flight included: slower on long ways, but megabytes would outlive a stop.
            bootstrap.option(ChannelOption.SO_SNDBUF, UNSENT);
        }
        connect(bootstrap, peers, tunnel);
    }

    private void connect(Bootstrap bootstrap, List<InetSocketAddress> peers, @Nullable Tunnel tunnel) {
        bootstrap.connect(peers.getFirst()).addListener((ChannelFutureListener) done -> {
            if (done.isSuccess()) {
                return;
            }
            if (peers.size() > 1) {
                connect(bootstrap, peers.subList(1, peers.size()), tunnel);
            } else {
                fail(tunnel == null ? done.cause() : ProxyFault.unreachable(done.cause()));
            }
        });
    }

    void fail(Throwable fault) {
        end(new Dialled.Failed(fault));
    }

    /** What speaks with the destination, at the end of the pipeline. */
    private void lay(Channel channel) {
        if (key.origin().secure() && speech != Speech.UNREAD) {
            SslHandler own = handshake(channel);
            channel.pipeline().addLast(own, new HandshakeHandler(own, new Agreed()));
        } else {
            channel.pipeline().addLast(new Plain());
        }
    }

    private void layTunnel(Channel channel, Tunnel tunnel) {
        UpstreamProxy proxy = tunnel.proxy();
        if (proxy.place().secure()) {
            channel.pipeline().addLast(patient(tunnel.tls().handler(channel.alloc(), proxy.place(), true)));
        }
        byte[] request = proxy.request(key.origin(), key.way());
        channel.pipeline()
                .addLast(new TunnelRequestHandler(request, deadlines.dial(), new TunnelRequestHandler.Waiter() {
                    @Override
                    public void opened(ChannelHandlerContext at) {
                        lay(at.channel());
                    }

                    @Override
                    public void refused(ProxyFault fault) {
                        fail(fault);
                    }
                }));
    }

    private SslHandler handshake(Channel channel) {
        return patient(Objects.requireNonNull(tls, "a secure origin is dialled with TLS")
                .handler(channel.alloc(), key.origin(), http1));
    }

    private SslHandler patient(SslHandler handler) {
        handler.setHandshakeTimeout(deadlines.handshake().toMillis(), TimeUnit.MILLISECONDS);
        return handler;
    }

    /** Without TLS of ours there is nothing to agree on. */
    private final class Plain extends ChannelInboundHandlerAdapter {

        @Override
        public void handlerAdded(ChannelHandlerContext ctx) {
            if (ctx.channel().isActive()) {
                channelActive(ctx);
            }
        }

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            if (speech == Speech.UNREAD) {
                BlindUpstream connection = new BlindUpstream(key);
                ctx.pipeline().replace(this, null, connection);
                end(new Dialled.Unread(connection));
                return;
            }
            Http1Upstream connection = new Http1Upstream(key, pool);
            ctx.pipeline().replace(this, null, connection);
            end(new Dialled.Http1(connection));
        }
    }

    /** Puts the version that was agreed on in the place where it stands. */
    private final class Agreed implements HandshakeHandler.Waiter {

        @Override
        public void shaken(ChannelHandlerContext at, @Nullable String protocol) {
            if (ApplicationProtocolNames.HTTP_2.equals(protocol)) {
                Http2Upstream connection = Http2Upstream.to(key, pool);
                at.pipeline().replace(at.handler(), null, connection);
                pool.share(connection);
                end(new Dialled.Http2(connection));
            } else {
                pool.versions().http1(key.origin());
                Http1Upstream connection = new Http1Upstream(key, pool);
                at.pipeline().replace(at.handler(), null, connection);
                end(new Dialled.Http1(connection));
            }
        }

        @Override
        public void failed(Throwable fault) {
            end(new Dialled.Failed(fault));
        }
    }

    private void end(Dialled result) {
        if (over) {
            return;
        }
        over = true;
        pool.dialled(key, this);
        Dialled next = result;
        for (Waiter waiter : waiters) {
            if (waiter.waits()) {
                waiter.dialled(next);
                next = next instanceof Dialled.Http1 || next instanceof Dialled.Unread ? new Dialled.Taken() : next;
            }
        }
        if (next instanceof Dialled.Http1(Http1Upstream unwanted)) {
            unwanted.close();
        }
        if (next instanceof Dialled.Unread(BlindUpstream unwanted)) {
            unwanted.drop();
        }
    }
}

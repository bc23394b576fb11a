package io.sallyport.bench.hop;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslContext;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Drives one load over kept-alive TLS connections, direct or in tunnels of the hop; everything on one event loop, so nothing is locked. */
final class LoadRun {

    /** @param tunnel the CONNECT head to send first; null for direct */
    record Path(InetSocketAddress address, byte @Nullable [] tunnel) {}

    private static final int MOST_SAMPLES = 4_000_000;

    private final Load load;
    private final byte[] request;
    private final long[] samples = new long[MOST_SAMPLES];
    private final ArrayDeque<RequestLoop> idle = new ArrayDeque<>();
    private final ArrayDeque<Long> due = new ArrayDeque<>();
    private int count;
    private long begin;
    private long end;
    private int failures;
    private boolean running;
    private Runnable another = () -> {};

    LoadRun(Load load, byte[] request) {
        this.load = load;
        this.request = request;
    }

    /** Opens the load's connections, each ready for a request, and holds them while something is done. */
    void holding(Path path, SslContext tls, Callable<?> held) throws Exception {
        try (IoEventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory())) {
            List<Channel> channels = open(path, tls, loop);
            held.call();
            for (Channel channel : channels) {
                channel.close().await();
            }
        }
    }

    /** @return what was measured; throws when an answer was other than 200 */
    Latencies run(Path path, SslContext tls, double seconds) throws InterruptedException {
        try (IoEventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory())) {
            another = () -> connect(path, tls, loop, new CountDownLatch(1));
            List<Channel> channels = open(path, tls, loop);
            CountDownLatch done = new CountDownLatch(1);
            loop.next().execute(() -> start(loop, seconds, done));
            if (!done.await((long) seconds + 60, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the load did not end");
            }
            // Waited for: a channel that is closed after its loop complains of it.
            for (Channel channel : channels) {
                channel.close().await();
            }
        }
        if (failures > 0) {
            throw new IllegalStateException(load.name() + ": " + failures + " of " + (count + failures) + " failed");
        }
        return Latencies.of(samples, count, end - begin);
    }

    private List<Channel> open(Path path, SslContext tls, IoEventLoopGroup loop) throws InterruptedException {
        List<Channel> channels = new ArrayList<>();
        CountDownLatch ready = new CountDownLatch(load.connections());
        for (int n = 0; n < load.connections(); n++) {
            channels.add(connect(path, tls, loop, ready).sync().channel());
        }
        if (!ready.await(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException("not every connection could be opened");
        }
        return channels;
    }

    private ChannelFuture connect(Path path, SslContext tls, EventLoopGroup loop, CountDownLatch ready) {
        RequestLoop requests = new RequestLoop(this, path, tls, ready);
        return new Bootstrap()
                .group(loop)
                .channel(EpollSocketChannel.class)
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline().addLast(requests);
                    }
                })
                .connect(path.address());
    }

    private void start(IoEventLoopGroup loop, double seconds, CountDownLatch done) {
        begin = System.nanoTime();
        running = true;
        end = begin + (long) (seconds * 1e9);
        loop.next().schedule(done::countDown, (long) (seconds * 1000) + 200, TimeUnit.MILLISECONDS);
        if (load.perSecond() == 0) {
            List.copyOf(idle).forEach(requests -> requests.send(System.nanoTime()));
            idle.clear();
            return;
        }
        long step = 1_000_000_000L / load.perSecond();
        long tick = Math.max(step, 1_000_000L);
        long[] next = {begin};
        loop.next().scheduleAtFixedRate(() -> offer(next, step), 0, tick, TimeUnit.NANOSECONDS);
    }

    /** Open loop: a request is due at its time whether or not a connection is free, so that a stall is seen in the figures. */
    private void offer(long[] next, long step) {
        for (long now = System.nanoTime(); next[0] <= now && next[0] < end; next[0] += step) {
            RequestLoop free = idle.poll();
            if (free == null) {
                due.add(next[0]);
            } else {
                free.send(next[0]);
            }
        }
    }

    ByteBuf request() {
        return Unpooled.wrappedBuffer(request);
    }

    void ready(RequestLoop requests) {
        if (load.fresh() && running) {
            requests.send(requests.born());
        } else {
            idle.add(requests);
        }
    }

    void answered(RequestLoop requests, long since, boolean ok) {
        long now = System.nanoTime();
        if (!ok) {
            failures++;
        } else if (now <= end && count < MOST_SAMPLES) {
            samples[count++] = now - since;
        }
        if (load.fresh()) {
            requests.close();
        }
        if (now >= end) {
            return;
        }
        if (load.fresh()) {
            another.run();
        } else if (load.perSecond() == 0) {
            requests.send(now);
        } else {
            next(requests);
        }
    }

    private void next(RequestLoop requests) {
        Long waiting = due.poll();
        if (waiting == null) {
            idle.add(requests);
        } else {
            requests.send(waiting);
        }
    }
}

package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBuf;
import io.netty.channel.AbstractChannel;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelMetadata;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelConfig;
import io.netty.channel.EventLoop;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.util.ReferenceCountUtil;
import io.sallyport.http.Fields;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * What a CONNECT on a stream opens (RFC 9113 section 8.5): the stream's content is a connection's bytes, both ways. With it a tunnel is the
 * same pipeline, whatever the CONNECT came in.
 */
final class StreamChannel extends AbstractChannel implements AgentStream.Listener {

    private static final ChannelMetadata METADATA = new ChannelMetadata(false, 16);

    private final AgentStream stream;
    private final Config config = new Config(this);
    private final Queue<ByteBuf> arrived = new ArrayDeque<>(2);
    private boolean open = true;
    private boolean reading;
    private boolean ended;
    private boolean stuck;

    /** @param connection that the stream is on */
    StreamChannel(Channel connection, AgentStream stream) {
        super(connection);
        this.stream = stream;
        config.setAutoRead(false);
        config.setAllocator(connection.alloc());
        config.setWriteBufferWaterMark(new WriteBufferWaterMark(64 * 1024, 256 * 1024));
    }

    @Override
    public boolean wantsContent() {
        return open && reading;
    }

    @Override
    public void content(ByteBuf piece) {
        arrived.add(piece);
    }

    @Override
    public void contentPaused() {
        deliver();
    }

    @Override
    public void contentEnded(Fields trailers) {
        ended = true;
        deliver();
    }

    @Override
    public void contentMalformed(String reason) {
        left();
    }

    private void deliver() {
        if (!arrived.isEmpty()) {
            reading = false;
            for (ByteBuf piece = arrived.poll(); piece != null; piece = arrived.poll()) {
                pipeline().fireChannelRead(piece);
            }
            pipeline().fireChannelReadComplete();
        } else if (ended && open) {
            // A tunnel whose agent says no more is of no more use to it, as with a connection.
            unsafe().close(voidPromise());
        }
    }

    @Override
    public void writable() {
        if (open) {
            unsafe().flush();
        }
    }

    @Override
    public void left() {
        if (open) {
            config.abrupt = true;
            unsafe().close(voidPromise());
        }
    }

    @Override
    protected void doBeginRead() {
        reading = true;
        // Not from within: whoever asks for more may be in the middle of what came last.
        eventLoop().execute(() -> {
            if (open) {
                stream.more();
                deliver();
            }
        });
    }

    @Override
    protected void doWrite(ChannelOutboundBuffer out) {
        boolean wrote = false;
        while (stream.writable() && out.current() instanceof ByteBuf piece) {
            stream.content(piece.retain());
            out.remove();
            wrote = true;
        }
        stuck = out.current() != null;
        if (wrote) {
            stream.flush();
        }
    }

    @Override
    protected Object filterOutboundMessage(Object message) {
        if (message instanceof ByteBuf) {
            return message;
        }
        throw new UnsupportedOperationException("a tunnel carries bytes");
    }

    /** A connection that ends without its regular end does so on a stream, too. */
    @Override
    protected void doClose() {
        open = false;
        arrived.forEach(ReferenceCountUtil::release);
        arrived.clear();
        if (config.abrupt || stuck) {
            stream.reset();
        } else {
            stream.end(Fields.EMPTY);
            stream.finish();
        }
    }

    @Override
    protected AbstractUnsafe newUnsafe() {
        return new AbstractUnsafe() {
            @Override
            public void connect(SocketAddress remote, SocketAddress local, ChannelPromise promise) {
                promise.setFailure(new UnsupportedOperationException("a stream is connected already"));
            }
        };
    }

    @Override
    protected boolean isCompatible(EventLoop loop) {
        return loop == stream.loop();
    }

    @Override
    protected SocketAddress localAddress0() {
        return parent().localAddress();
    }

    @Override
    protected SocketAddress remoteAddress0() {
        return parent().remoteAddress();
    }

    @Override
    protected void doBind(SocketAddress address) {
        throw new UnsupportedOperationException("a stream is bound already");
    }

    @Override
    protected void doDisconnect() {
        doClose();
    }

    @Override
    public ChannelConfig config() {
        return config;
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public boolean isActive() {
        return open;
    }

    @Override
    public ChannelMetadata metadata() {
        return METADATA;
    }

    private static final class Config extends DefaultChannelConfig {
        private boolean abrupt;

        Config(Channel channel) {
            super(channel);
        }

        @Override
        public <T> boolean setOption(ChannelOption<T> option, T value) {
            if (option == ChannelOption.SO_LINGER) {
                abrupt = Integer.valueOf(0).equals(value);
                return true;
            }
            return super.setOption(option, value);
        }
    }
}

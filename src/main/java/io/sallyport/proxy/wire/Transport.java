package io.sallyport.proxy.wire;

import io.netty.channel.Channel;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.util.Optional;

/** Sockets and TLS: the native kinds where they load, the JDK's elsewhere. */
enum Transport {
    NATIVE,
    JDK;

    /** @param jdkOnly true to leave the native kinds alone even where they load */
    static Transport best(boolean jdkOnly) {
        return !jdkOnly && Epoll.isAvailable() && OpenSsl.isAvailable() ? NATIVE : JDK;
    }

    IoHandlerFactory handlers() {
        return this == NATIVE ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    }

    Class<? extends ServerChannel> serverChannel() {
        return this == NATIVE ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
    }

    /** Of Unix sockets that can tell who is at the other end. */
    Optional<Class<? extends ServerChannel>> unixServerChannel() {
        return this == NATIVE ? Optional.of(EpollServerDomainSocketChannel.class) : Optional.empty();
    }

    static SocketAddress unixAddress(Path file) {
        return new DomainSocketAddress(file.toFile());
    }

    /** The user at the other end of a Unix socket, as the kernel says it (SO_PEERCRED); -1 where it does not. */
    static long user(Channel connection) {
        try {
            return connection instanceof EpollDomainSocketChannel unix
                    ? Integer.toUnsignedLong(unix.peerCredentials().uid())
                    : -1;
        } catch (IOException gone) {
            return -1;
        }
    }

    Class<? extends SocketChannel> clientChannel() {
        return this == NATIVE ? EpollSocketChannel.class : NioSocketChannel.class;
    }

    SslProvider tls() {
        return this == NATIVE ? SslProvider.OPENSSL : SslProvider.JDK;
    }
}

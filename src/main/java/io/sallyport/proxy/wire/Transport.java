package io.sallyport.proxy.wire;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslProvider;

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

    Class<? extends SocketChannel> clientChannel() {
        return this == NATIVE ? EpollSocketChannel.class : NioSocketChannel.class;
    }

    SslProvider tls() {
        return this == NATIVE ? SslProvider.OPENSSL : SslProvider.JDK;
    }
}

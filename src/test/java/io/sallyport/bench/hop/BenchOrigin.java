package io.sallyport.bench.hop;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.File;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** A TLS origin in a process of its own: reads each request to its end and answers 1 KiB. */
final class BenchOrigin {

    private static final ByteBuf ANSWER =
            Unpooled.unreleasableBuffer(Unpooled.copiedBuffer("x".repeat(1024), StandardCharsets.US_ASCII));

    private BenchOrigin() {}

    /** Arguments: port, certificate chain and key (PEM files). Ends when its parent does. */
    public static void main(String[] args) throws Exception {
        SslContext tls = SslContextBuilder.forServer(new File(args[1]), new File(args[2]))
                .sslProvider(SslProvider.OPENSSL)
                .build();
        new ServerBootstrap()
                .group(new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory()))
                .channel(EpollServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, 512)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline()
                                .addLast(tls.newHandler(channel.alloc()), new HttpServerCodec(), new AnswerHandler());
                    }
                })
                .bind(new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0])))
                .sync();
        while (System.in.read() >= 0) {
            // The parent's end of this pipe closes with it.
        }
        System.exit(0);
    }

    private static final class AnswerHandler extends SimpleChannelInboundHandler<HttpObject> {

        @Override
        protected void channelRead0(ChannelHandlerContext context, HttpObject part) {
            if (!(part instanceof LastHttpContent)) {
                return;
            }
            DefaultFullHttpResponse answer =
                    new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, ANSWER.duplicate());
            answer.headers().set(HttpHeaderNames.CONTENT_TYPE, "text/plain");
            HttpUtil.setContentLength(answer, ANSWER.readableBytes());
            context.writeAndFlush(answer).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
        }
    }
}

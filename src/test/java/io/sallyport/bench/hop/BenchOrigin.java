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
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
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
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** A TLS origin in a process of its own: reads each request to its end and answers 1 KiB; 10 MiB at {@code /bulk} and {@code /text}, events at {@code /events}. */
final class BenchOrigin {

    private static final ByteBuf ANSWER =
            Unpooled.unreleasableBuffer(Unpooled.copiedBuffer("x".repeat(1024), StandardCharsets.US_ASCII));

    private static final int BULK_PIECE = 64 * 1024;

    private static final ByteBuf BULK = piece(noise());

    /** JSON in lines, with an escape in every 30 characters: what is searched for secrets the hard way. */
    private static final ByteBuf TEXT = piece(
            "{\"id\": 4711, \"name\": \"an \\\"ordinary\\\" name\", \"url\": \"https://api.example.com/v1/items?a=b%20c\"},\n"
                    .repeat(BULK_PIECE / 80)
                    .getBytes(StandardCharsets.US_ASCII));

    static final int BULK_BYTES = 10 * 1024 * 1024;

    /** Events of a stream, and milliseconds between them. */
    static final int EVENTS = 200;

    private static final int EVENT_GAP = 10;

    private BenchOrigin() {}

    private static byte[] noise() {
        byte[] noise = new byte[BULK_PIECE];
        new Random(1).nextBytes(noise);
        return noise;
    }

    private static ByteBuf piece(byte[] content) {
        return Unpooled.unreleasableBuffer(Unpooled.directBuffer(BULK_PIECE)
                .writeBytes(content, 0, BULK_PIECE)
                .asReadOnly());
    }

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

        private String target = "";
        private int unsent;
        private ByteBuf bulk = BULK;

        @Override
        protected void channelRead0(ChannelHandlerContext context, HttpObject part) {
            if (part instanceof HttpRequest request) {
                target = request.uri();
            }
            if (!(part instanceof LastHttpContent)) {
                return;
            }
            switch (target) {
                case "/bulk", "/plain/bulk" -> bulk(context, BULK);
                case "/text", "/plain/text" -> bulk(context, TEXT);
                case "/events" -> events(context);
                default -> small(context);
            }
        }

        private static void small(ChannelHandlerContext context) {
            DefaultFullHttpResponse answer =
                    new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, ANSWER.duplicate());
            answer.headers().set(HttpHeaderNames.CONTENT_TYPE, "text/plain");
            HttpUtil.setContentLength(answer, ANSWER.readableBytes());
            context.writeAndFlush(answer).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
        }

        private void bulk(ChannelHandlerContext context, ByteBuf content) {
            bulk = content;
            DefaultHttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
            HttpUtil.setContentLength(head, BULK_BYTES);
            context.write(head);
            unsent = BULK_BYTES;
            more(context);
        }

        private void more(ChannelHandlerContext context) {
            while (unsent > 0 && context.channel().isWritable()) {
                unsent -= BULK_PIECE;
                context.write(new DefaultHttpContent(bulk.duplicate()));
            }
            if (unsent == 0) {
                unsent = -1;
                context.write(LastHttpContent.EMPTY_LAST_CONTENT);
            }
            context.flush();
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            if (unsent > 0) {
                more(context);
            }
        }

        /** Each event says when it was sent, on the clock that all processes of a machine share. */
        private static void events(ChannelHandlerContext context) {
            DefaultHttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
            head.headers().set(HttpHeaderNames.CONTENT_TYPE, "text/event-stream");
            HttpUtil.setTransferEncodingChunked(head, true);
            context.writeAndFlush(head);
            event(context, EVENTS);
        }

        private static void event(ChannelHandlerContext context, int left) {
            if (left == 0) {
                context.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT);
                return;
            }
            context.executor()
                    .schedule(
                            () -> {
                                String text = "data: " + System.nanoTime() + "\n\n";
                                context.writeAndFlush(
                                        new DefaultHttpContent(Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII)));
                                event(context, left - 1);
                            },
                            EVENT_GAP,
                            TimeUnit.MILLISECONDS);
        }
    }
}

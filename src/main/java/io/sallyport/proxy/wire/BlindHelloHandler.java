package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslClientHelloHandler;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ScheduledFuture;
import io.sallyport.grant.Grant;
import io.sallyport.http.Fields;
import io.sallyport.http.Framing;
import io.sallyport.http.HostName;
import io.sallyport.http.Origin;
import io.sallyport.http.Parsed;
import io.sallyport.http.RequestHead;
import io.sallyport.http.Target;
import io.sallyport.proxy.Refusal;
import io.sallyport.proxy.RefusalError;
import io.sallyport.proxy.RefusedRequest;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the first bytes of a tunnel that is passed through: a TLS handshake for the host that was decided about, and nothing else. It is the
 * only look: many hosts share an address, and the name is what tells which of them the tunnel reaches.
 */
final class BlindHelloHandler extends SslClientHelloHandler<ClientHello> {

    private static final Target WHOLE = Target.parse("/").orElseThrow();

    private final Hop hop;
    private final Grant grant;
    private final String host;
    private final int port;
    private @Nullable ChannelHandlerContext context;
    private @Nullable ScheduledFuture<?> deadline;

    BlindHelloHandler(Hop hop, Grant grant, String host, int port) {
        super(ClientHello.LONGEST);
        this.hop = hop;
        this.grant = grant;
        this.host = host;
        this.port = port;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) throws Exception {
        super.handlerAdded(ctx);
        context = ctx;
        GrantsConnection.hold(hop, ctx.channel(), grant);
        deadline = ctx.executor()
                .schedule(
                        () -> {
                            ctx.close();
                        },
                        hop.settings().deadlines().handshake().toMillis(),
                        TimeUnit.MILLISECONDS);
        ctx.read();
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext ctx) throws Exception {
        cancelDeadline();
        super.handlerRemoved0(ctx);
    }

    /** What a client sent right behind its CONNECT. Takes it over. */
    void begin(ByteBuf rest) {
        ChannelHandlerContext ctx = context;
        if (ctx == null || !rest.isReadable()) {
            rest.release();
            return;
        }
        try {
            channelRead(ctx, rest);
            channelReadComplete(ctx);
        } catch (Exception fault) {
            exceptionCaught(ctx, fault);
        }
    }

    /** @param hello null for what is no TLS */
    @Override
    protected Future<ClientHello> lookup(ChannelHandlerContext ctx, @Nullable ByteBuf hello) {
        try {
            return ctx.executor()
                    .newSucceededFuture(hello == null ? new ClientHello(null, false) : ClientHello.read(hello));
        } catch (IndexOutOfBoundsException malformed) {
            return ctx.executor().newFailedFuture(malformed);
        }
    }

    @Override
    protected void onLookupComplete(ChannelHandlerContext ctx, Future<ClientHello> found) {
        cancelDeadline();
        String problem = found.isSuccess() ? problem(found.getNow()) : "a TLS handshake that can't be read";
        if (problem == null) {
            pass(ctx);
        } else {
            refuse(ctx, Refusal.of(RefusalError.MISDIRECTED, "a tunnel to " + host + " began with " + problem));
        }
    }

    private @Nullable String problem(ClientHello hello) {
        if (hello.encrypted()) {
            return "an encrypted ClientHello, which may be for another host";
        }
        String name = hello.serverName();
        if (name == null) {
            return "no TLS server name";
        }
        return HostName.canonical(name) instanceof Parsed.Valid<String>(String canonical) && canonical.equals(host)
                ? null
                : "another TLS server name";
    }

    private void pass(ChannelHandlerContext ctx) {
        RequestHead head = new RequestHead(
                "CONNECT", new Origin("https", host, port), WHOLE, Fields.EMPTY, new Framing.Chunked(), false);
        BlindTunnel tunnel = new BlindTunnel(hop);
        ctx.pipeline().addAfter(ctx.name(), null, tunnel);
        RequestRun run = new RequestRun(hop, tunnel, new Asked(head, false));
        tunnel.serve(run.request());
        // What was read so far goes on to it from here.
        ctx.pipeline().remove(this);
        run.start(grant, null);
    }

    private void refuse(ChannelHandlerContext ctx, Refusal refusal) {
        OnLoop.then(
                hop.recorder().refused(grant, RefusedRequest.tunnel(host, port), refusal),
                ctx.channel().eventLoop(),
                (entered, fault) -> {
                    hop.health().refused(refusal.error());
                    ctx.writeAndFlush(Unpooled.wrappedBuffer(BlindTunnel.unrecognisedName()))
                            .addListener(ChannelFutureListener.CLOSE);
                });
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        Hop.fault(cause);
        ctx.close();
    }

    private void cancelDeadline() {
        if (deadline != null) {
            deadline.cancel(false);
            deadline = null;
        }
    }
}

package io.sallyport.proxy.wire;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.AbstractSniHandler;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import io.sallyport.http.HostName;
import io.sallyport.http.Parsed;
import io.sallyport.proxy.Entrance;
import io.sallyport.proxy.Refusal;
import io.sallyport.proxy.RefusalError;
import io.sallyport.proxy.RefusedRequest;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads the server name of a ClientHello before TLS begins. In a tunnel it goes to the reception with every request, to be compared with
 * CONNECT and Host; at the hop itself it picks the name under which the hop shows itself.
 */
final class ServerNameHandler extends AbstractSniHandler<String> {

    private final Hop hop;
    private final Entrance entrance;

    ServerNameHandler(Hop hop, Entrance entrance) {
        super(ClientHello.LONGEST, hop.settings().deadlines().handshake().toMillis());
        this.hop = hop;
        this.entrance = entrance;
    }

    /** The host whose leaf is shown. */
    @Override
    protected Future<String> lookup(ChannelHandlerContext ctx, @Nullable String serverName) {
        Promise<String> host = ctx.executor().newPromise();
        switch (entrance) {
            // Minted at the CONNECT. A client that asks for another name gets this leaf, and a 421 if it goes on.
            case Entrance.Tunnel tunnel -> host.setSuccess(tunnel.host());
            case Entrance.Open ignored -> mint(ctx, own(ctx, serverName), host);
            case Entrance.Own ignored -> mint(ctx, own(ctx, serverName), host);
            case Entrance.Transparent ignored -> throw new IllegalStateException("its host is not known yet");
        }
        return host;
    }

    /**
     * The hop's own name that was asked for. A client that dials an address asks for none (RFC 6066 section 3): then it is the address,
     * if the hop has it for a name. Whoever asks for another's name gets the first, and turns away: a stranger has nothing minted.
     */
    private String own(ChannelHandlerContext ctx, @Nullable String serverName) {
        List<String> names = hop.settings().names();
        String asked = serverName == null ? address(ctx) : serverName.toLowerCase(Locale.ROOT);
        return names.contains(asked) ? asked : names.getFirst();
    }

    private static String address(ChannelHandlerContext ctx) {
        return ctx.channel().localAddress() instanceof InetSocketAddress dialled
                        && HostName.canonical(dialled.getAddress().getHostAddress())
                                instanceof Parsed.Valid<String>(String address)
                ? address
                : "";
    }

    private void mint(ChannelHandlerContext ctx, String own, Promise<String> host) {
        if (hop.leaves().ready(own)) {
            host.setSuccess(own);
            return;
        }
        OnLoop.then(
                CompletableFuture.supplyAsync(() -> hop.leaves().leaf(own), hop.offload()),
                ctx.channel().eventLoop(),
                (leaf, fault) -> {
                    if (fault == null) {
                        host.setSuccess(own);
                    } else {
                        host.setFailure(fault);
                    }
                });
    }

    @Override
    protected void onLookupComplete(ChannelHandlerContext ctx, @Nullable String serverName, Future<String> host) {
        if (!host.isSuccess()) {
            Hop.fault(host.cause());
            ctx.close();
            return;
        }
        Entrance inside = switch (entrance) {
            case Entrance.Open open -> open;
            case Entrance.Own own -> own;
            case Entrance.Transparent led -> led;
            case Entrance.Tunnel(var grant, String name, int port, boolean ignored, String none) ->
                new Entrance.Tunnel(grant, name, port, true, serverName);
        };
        SslHandler tls = hop.tls().server(ctx.alloc(), host.getNow());
        tls.setHandshakeTimeout(hop.settings().deadlines().handshake().toMillis(), TimeUnit.MILLISECONDS);
        tls.handshakeFuture().addListener(done -> {
            if (!done.isSuccess()) {
                handshakeFailed(serverName);
            }
        });
        ctx.pipeline().addAfter(ctx.name(), null, new NegotiatedHandler(hop, inside));
        ctx.pipeline().replace(this, null, tls);
    }

    /** A client that asked for another name than its CONNECT turns away from the leaf it gets: that is worth an entry all the same. */
    private void handshakeFailed(@Nullable String serverName) {
        if (entrance instanceof Entrance.Tunnel tunnel
                && serverName != null
                && !serverName.equalsIgnoreCase(tunnel.host())) {
            hop.recorder()
                    .refused(
                            tunnel.grant(),
                            RefusedRequest.tunnel(tunnel.host(), tunnel.port()),
                            Refusal.of(
                                    RefusalError.MISDIRECTED,
                                    "CONNECT and TLS server name disagree: " + tunnel.host() + ", "
                                            + named(serverName)));
        }
    }

    /** A name may be 64 KiB of whatever the client likes. */
    private static String named(String serverName) {
        return HostName.canonical(serverName) instanceof Parsed.Valid<String>(String name) ? name : "(malformed)";
    }
}

package io.sallyport.proxy.wire;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.AbstractSniHandler;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import io.sallyport.http.HostName;
import io.sallyport.http.Parsed;
import io.sallyport.proxy.Entrance;
import io.sallyport.proxy.Refusal;
import io.sallyport.proxy.RefusalError;
import io.sallyport.proxy.RefusedRequest;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Decides about a TLS connection that was led here by the server name of its ClientHello, as a CONNECT is decided about by its target:
 * nothing is minted or resolved for a host that no granted scope names. There is no answer to give yet but an alert of TLS.
 */
final class LedNameHandler extends AbstractSniHandler<Entrance.Tunnel> {

    /** RFC 8446 section 6.2. */
    private static final int ACCESS_DENIED = 49;

    private static final int UNRECOGNIZED_NAME = 112;
    private static final int INTERNAL_ERROR = 80;

    private final Hop hop;
    private final Entrance.Transparent led;

    LedNameHandler(Hop hop, Entrance.Transparent led) {
        super(ClientHello.LONGEST, hop.settings().deadlines().handshake().toMillis());
        this.hop = hop;
        this.led = led;
    }

    /** A "no", and the alert that says it. */
    private static final class Refused extends Exception {
        private final int alert;

        Refused(int alert) {
            super("alert " + alert, null, false, false);
            this.alert = alert;
        }
    }

    @Override
    protected Future<Entrance.Tunnel> lookup(ChannelHandlerContext ctx, @Nullable String serverName) {
        Promise<Entrance.Tunnel> tunnel = ctx.executor().newPromise();
        if (serverName != null && HostName.canonical(serverName) instanceof Parsed.Valid<String>(String host)) {
            decide(ctx, host, tunnel);
        } else {
            Refusal nameless = Refusal.of(
                    RefusalError.MISDIRECTED, "TLS without a server name: nothing says which host was meant");
            refuse(RefusedRequest.unread("", ":" + led.port()), nameless);
            tunnel.setFailure(new Refused(UNRECOGNIZED_NAME));
        }
        return tunnel;
    }

    private void decide(ChannelHandlerContext ctx, String host, Promise<Entrance.Tunnel> tunnel) {
        Optional<Refusal> no = hop.gate().tunnel(led.grant(), host, led.port());
        if (no.isPresent()) {
            refuse(RefusedRequest.tunnel(host, led.port()), no.get());
            tunnel.setFailure(new Refused(ACCESS_DENIED));
            return;
        }
        Entrance.Tunnel inside = new Entrance.Tunnel(led.grant(), host, led.port(), false, null);
        if (hop.leaves().ready(host)) {
            tunnel.setSuccess(inside);
            return;
        }
        OnLoop.then(
                CompletableFuture.supplyAsync(() -> hop.leaves().leaf(host), hop.offload()),
                ctx.channel().eventLoop(),
                (leaf, fault) -> {
                    if (fault == null) {
                        tunnel.setSuccess(inside);
                    } else {
                        Hop.fault(fault);
                        tunnel.setFailure(new Refused(INTERNAL_ERROR));
                    }
                });
    }

    /** Counted like an answer; nobody waits for its entry. */
    private void refuse(RefusedRequest request, Refusal refusal) {
        hop.health().refused(refusal.error());
        var unused = hop.recorder().refused(led.grant(), request, refusal);
    }

    /** The ClientHello goes on to whoever does the handshake, and from there on it is a tunnel like any other. */
    @Override
    protected void onLookupComplete(
            ChannelHandlerContext ctx, @Nullable String serverName, Future<Entrance.Tunnel> tunnel) {
        if (tunnel.isSuccess()) {
            ctx.pipeline().replace(this, null, new ServerNameHandler(hop, tunnel.getNow()));
            return;
        }
        int alert = tunnel.cause() instanceof Refused refused ? refused.alert : INTERNAL_ERROR;
        byte[] fatal = {21, 3, 3, 0, 2, 2, (byte) alert};
        ctx.writeAndFlush(Unpooled.wrappedBuffer(fatal)).addListener(ChannelFutureListener.CLOSE);
    }
}

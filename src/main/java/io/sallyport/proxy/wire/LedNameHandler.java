package io.sallyport.proxy.wire;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
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
import org.jspecify.annotations.Nullable;

/**
 * Decides about a TLS connection that was led here by the server name of its ClientHello, as a CONNECT is decided about by its target:
 * nothing is minted or resolved for a host that no granted scope names, and what is to be passed through is. There is no answer to give
 * yet but an alert of TLS.
 */
final class LedNameHandler extends AbstractSniHandler<ChannelHandler> {

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

    /** Who goes on with the ClientHello. */
    @Override
    protected Future<ChannelHandler> lookup(ChannelHandlerContext ctx, @Nullable String serverName) {
        Promise<ChannelHandler> next = ctx.executor().newPromise();
        if (serverName != null && HostName.canonical(serverName) instanceof Parsed.Valid<String>(String host)) {
            decide(ctx, host, next);
        } else {
            Refusal nameless = Refusal.of(
                    RefusalError.MISDIRECTED, "TLS without a server name: nothing says which host was meant");
            refuse(RefusedRequest.unread("", ":" + led.port()), nameless, next);
        }
        return next;
    }

    private void decide(ChannelHandlerContext ctx, String host, Promise<ChannelHandler> next) {
        Optional<Refusal> no = hop.gate().tunnel(led.grant(), host, led.port());
        if (no.isPresent()) {
            refuse(RefusedRequest.tunnel(host, led.port()), no.get(), next);
        } else if (hop.gate().passesThrough(led.grant(), host, led.port())) {
            // It reads the name again, by the stricter rules for what nobody here answers.
            next.setSuccess(new BlindHelloHandler(hop, led.grant(), host, led.port()));
        } else {
            mint(ctx, host, next);
        }
    }

    private void mint(ChannelHandlerContext ctx, String host, Promise<ChannelHandler> next) {
        Minting.leaf(hop, ctx.channel().eventLoop(), host, no -> {
            if (no == null) {
                Entrance.Tunnel inside = new Entrance.Tunnel(led.grant(), host, led.port(), false, null);
                next.setSuccess(new ServerNameHandler(hop, inside));
            } else {
                refuse(RefusedRequest.tunnel(host, led.port()), no, next);
            }
        });
    }

    /** Counted like an answer; nobody waits for its entry. */
    private void refuse(RefusedRequest request, Refusal refusal, Promise<ChannelHandler> next) {
        hop.health().refused(refusal.error());
        var unused = hop.recorder().refused(led.grant(), request, refusal);
        next.setFailure(new Refused(alert(refusal)));
    }

    /** Of a name: nothing here answers to it (RFC 6066 section 3). Of a grant: it allows nothing any more. */
    private static int alert(Refusal refusal) {
        if (refusal.error().equals(RefusalError.UNAVAILABLE.text())) {
            return INTERNAL_ERROR;
        }
        boolean ofName = refusal.error().equals(RefusalError.DESTINATION_NOT_ALLOWED.text())
                || refusal.error().equals(RefusalError.MISDIRECTED.text());
        return ofName ? UNRECOGNIZED_NAME : ACCESS_DENIED;
    }

    /** The ClientHello goes on, and from there on it is a tunnel like any other. */
    @Override
    protected void onLookupComplete(
            ChannelHandlerContext ctx, @Nullable String serverName, Future<ChannelHandler> next) {
        if (next.isSuccess()) {
            ctx.pipeline().replace(this, null, next.getNow());
            return;
        }
        int alert = next.cause() instanceof Refused refused ? refused.alert : INTERNAL_ERROR;
        byte[] fatal = {21, 3, 3, 0, 2, 2, (byte) alert};
        ctx.writeAndFlush(Unpooled.wrappedBuffer(fatal)).addListener(ChannelFutureListener.CLOSE);
    }
}

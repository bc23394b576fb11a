package io.sallyport.proxy.wire;

import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.sallyport.net.ProxyFault;
import io.sallyport.proxy.Refusal;
import io.sallyport.proxy.RefusalError;
import java.net.ConnectException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Tells what went wrong with a destination by its class: the agent learns that, and nothing of addresses or our own network. */
final class UpstreamFaults {

    /** As the JDK writes it, {@code Received fatal alert: certificate_expired}, and BoringSSL, {@code SSLV3_ALERT_CERTIFICATE_EXPIRED}. */
    private static final Pattern UNACCEPTED = Pattern.compile("alert[:_] ?(bad_certificate|unsupported_certificate"
            + "|certificate_revoked|certificate_expired|certificate_unknown|unknown_ca|certificate_required)");

    private UpstreamFaults() {}

    static Refusal connecting(Throwable fault) {
        return switch (fault) {
            case ProxyFault proxy -> proxied(proxy);
            case ConnectTimeoutException ignored ->
                of(RefusalError.UPSTREAM_TIMEOUT, "the destination did not answer in time");
            case SslHandshakeTimeoutException ignored ->
                of(RefusalError.UPSTREAM_TIMEOUT, "the destination did not finish the TLS handshake in time");
            case ConnectException ignored ->
                of(RefusalError.UPSTREAM_REFUSED, "the destination refused the connection");
            case SSLException refused when alert(refused) != null -> broken(refused);
            case SSLException tls -> unproven(tls);
            default -> broken(fault);
        };
    }

    private static Refusal proxied(ProxyFault fault) {
        Refusal refusal = of(RefusalError.UPSTREAM_PROXY, String.valueOf(fault.getMessage()));
        return fault.getCause() == null ? refusal : refusal.because(TlsFault.words(fault.getCause()));
    }

    private static Refusal unproven(SSLException fault) {
        String what = TlsFault.of(fault).text();
        return of(RefusalError.UPSTREAM_TLS, "TLS to the destination failed: " + what)
                .because(what + ": " + TlsFault.words(fault));
    }

    /** In TLS 1.3 a peer looks at a client's certificate after the handshake is over for that client: its alert is the first thing read. */
    static Refusal broken(@Nullable Throwable fault) {
        String alert = alert(fault);
        if (alert != null) {
            return of(
                            RefusalError.CLIENT_CERTIFICATE,
                            "the destination does not accept what the broker proves itself with")
                    .because("TLS alert " + alert);
        }
        Refusal reset =
                of(RefusalError.UPSTREAM_RESET, "the destination closed the connection before its answer was whole");
        return fault == null ? reset : reset.because(TlsFault.words(fault));
    }

    /** The name of an HTTP/2 error (RFC 9113 section 7). */
    static String code(long code) {
        Http2Error known = Http2Error.valueOf(code);
        return known == null ? "error " + code : known.name();
    }

    private static Refusal of(RefusalError error, String reason) {
        return Refusal.of(error, reason);
    }

    /**
     * The alert (RFC 8446 section 6.2) by which a peer said that it does not accept a certificate, or misses one; null for any other fault.
     * Our own verification names the same things, but receives no alert.
     */
    private static @Nullable String alert(@Nullable Throwable fault) {
        for (Throwable cause = fault; cause != null; cause = cause.getCause()) {
            String message = cause instanceof SSLException ? String.valueOf(cause.getMessage()) : "";
            Matcher said = UNACCEPTED.matcher(message.toLowerCase(Locale.ROOT));
            if (said.find()) {
                return said.group(1);
            }
        }
        return null;
    }
}

package io.sallyport.proxy.wire;

import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.sallyport.net.ProxyFault;
import io.sallyport.proxy.Refusal;
import io.sallyport.proxy.RefusalError;
import java.net.ConnectException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Tells what went wrong with a destination by its class: the agent learns that, and nothing of addresses or our own network. */
final class UpstreamFaults {

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
            case SSLException tls ->
                of(RefusalError.UPSTREAM_TLS, "TLS to the destination failed: " + certificate(tls))
                        .because(String.valueOf(tls.getMessage()));
            default -> broken(fault);
        };
    }

    private static Refusal proxied(ProxyFault fault) {
        Refusal refusal = of(RefusalError.UPSTREAM_PROXY, String.valueOf(fault.getMessage()));
        return fault.getCause() == null
                ? refusal
                : refusal.because(String.valueOf(fault.getCause().getMessage()));
    }

    static Refusal broken(@Nullable Throwable fault) {
        Refusal reset =
                of(RefusalError.UPSTREAM_RESET, "the destination closed the connection before its answer was whole");
        return fault == null ? reset : reset.because(String.valueOf(fault.getMessage()));
    }

    /** The name of an HTTP/2 error (RFC 9113 section 7). */
    static String code(long code) {
        Http2Error known = Http2Error.valueOf(code);
        return known == null ? "error " + code : known.name();
    }

    private static Refusal of(RefusalError error, String reason) {
        return Refusal.of(error, reason);
    }

    private static String certificate(Throwable fault) {
        for (Throwable cause = fault; cause != null; cause = cause.getCause()) {
            switch (cause) {
                case CertificateExpiredException ignored -> {
                    return "its certificate has expired";
                }
                case CertificateNotYetValidException ignored -> {
                    return "its certificate is not valid yet";
                }
                case CertificateException named
                when String.valueOf(named.getMessage()).startsWith("No ") -> {
                    return "its certificate is for another name";
                }
                default -> {}
            }
        }
        return fault instanceof javax.net.ssl.SSLHandshakeException
                ? "its certificate is not trusted, or no common version or cipher was found"
                : "the handshake broke off";
    }
}

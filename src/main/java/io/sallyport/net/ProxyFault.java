package io.sallyport.net;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The proxy at the way out did not open a tunnel. The message is fit for an agent: it tells nothing of where the proxy is or who we are there. */
public final class ProxyFault extends IOException {

    private static final long serialVersionUID = 1L;
    private static final String PROXY = "the proxy that the broker goes out by ";

    private final boolean retryable;

    private ProxyFault(String what, boolean retryable, @Nullable Throwable cause) {
        super(PROXY + what, cause);
        this.retryable = retryable;
    }

    /** It answered with something else than a tunnel. */
    public static ProxyFault answered(int status) {
        return switch (status) {
            case 407 -> new ProxyFault("does not accept the broker's credential (407)", false, null);
            case 401, 403, 405 ->
                new ProxyFault("does not let it reach this destination (" + status + ")", false, null);
            case 502, 503, 504 -> new ProxyFault("can't reach the destination (" + status + ")", true, null);
            default -> new ProxyFault("opens no tunnel to this destination (" + status + ")", false, null);
        };
    }

    public static ProxyFault unreachable(Throwable cause) {
        return new ProxyFault("can't be reached", false, cause);
    }

    public static ProxyFault unproven(Throwable cause) {
        return new ProxyFault("does not prove who it is", false, cause);
    }

    public static ProxyFault malformed(String how) {
        return new ProxyFault("gives an answer that can't be read: " + how, false, null);
    }

    public static ProxyFault late() {
        return new ProxyFault("does not answer in time", true, null);
    }

    public static ProxyFault broken(@Nullable Throwable cause) {
        return new ProxyFault("closed the connection", true, cause);
    }

    /** Whether another address of the destination may do better. */
    public boolean retryable() {
        return retryable;
    }
}

package io.sallyport.proxy.tls;

/** No document names this host any more, so no leaf is minted for it. */
public final class NotSignable extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NotSignable(String host) {
        super("no document names " + host + ", so there is no certificate for it");
    }
}

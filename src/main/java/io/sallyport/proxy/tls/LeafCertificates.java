package io.sallyport.proxy.tls;

import java.util.Optional;

/** Leaves by host, minted on demand and kept in a bounded cache. */
public interface LeafCertificates {

    /**
     * Mints if need be, and mints anew what is due: some milliseconds, so off the event loop.
     *
     * @param host canonical name or IP literal (IPv6 without brackets)
     * @throws AuthorityExpired when every interception CA is past its end
     * @throws NotSignable for a host that no document names
     */
    Leaf leaf(String host);

    /** Whether {@link #leaf} would have nothing to do. Only looks up. */
    boolean ready(String host);

    /** Only looks up, never an expired one: for the TLS handshake. */
    Optional<Leaf> cached(String host);

    /** Leaves minted since the start. */
    long minted();
}

package io.sallyport.proxy.tls;

import java.util.Optional;

/** Leaves by host, minted on demand and kept in a bounded cache. */
public interface LeafCertificates {

    /** Mints if need be: about 1 ms, so off the event loop. @param host canonical name or IP literal */
    Leaf leaf(String host);

    /** Only looks up: for the TLS handshake. */
    Optional<Leaf> cached(String host);

    /** The root, as PEM: what clients trust. */
    String authorityPem();
}

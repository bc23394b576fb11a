package io.sallyport.proxy.tls;

import java.time.Duration;
import java.util.Optional;
import org.springframework.modulith.NamedInterface;

/** Leaves by host, minted on demand and kept in a bounded cache. The agent door hands out the root's certificate. */
@NamedInterface("authority")
public interface LeafCertificates {

    /**
     * Mints if need be, and mints anew what has less than a third of its life left: about 1 ms, so off the event loop.
     *
     * @param host canonical name or IP literal (IPv6 without brackets)
     * @throws AuthorityExpired when the root itself is past its end
     */
    Leaf leaf(String host);

    /** Only looks up, never an expired one: for the TLS handshake. */
    Optional<Leaf> cached(String host);

    /** The root, as PEM: what clients trust. */
    String authorityPem();

    /** Until the root ends; zero or negative when it has. Health warns in advance, because every sandbox must be given a successor first. */
    Duration authorityTimeLeft();
}

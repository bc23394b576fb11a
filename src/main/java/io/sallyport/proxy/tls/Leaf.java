package io.sallyport.proxy.tls;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * A certificate for one host, ready to be served.
 *
 * @param key shared by all leaves of this process; never on disk
 * @param chain leaf first, without the root
 */
public record Leaf(PrivateKey key, List<X509Certificate> chain) {

    public Leaf {
        chain = List.copyOf(chain);
        if (chain.isEmpty()) {
            throw new IllegalArgumentException("a chain begins with the leaf");
        }
    }

    public X509Certificate certificate() {
        return chain.getFirst();
    }

    /** Names the certificate only: some providers print a private key in full. */
    @Override
    public String toString() {
        return "Leaf[serial=" + certificate().getSerialNumber().toString(16) + "]";
    }
}

package io.sallyport.credential;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * What a connection to a destination proves itself with.
 *
 * @param version SHA-256 (hex) of what was read: a connection that was made with another is another connection
 * @param chain the client's own certificate first
 */
public record ClientCertificate(String version, List<X509Certificate> chain, PrivateKey key) {

    public ClientCertificate {
        chain = List.copyOf(chain);
    }

    /** Names the certificate only: some providers print a private key in full. */
    @Override
    public String toString() {
        return "ClientCertificate[" + chain.getFirst().getSubjectX500Principal() + "]";
    }
}

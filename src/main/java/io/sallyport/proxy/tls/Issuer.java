package io.sallyport.proxy.tls;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;

/**
 * Who signs leaves.
 *
 * @param anchor the id of the authority above it, or of itself
 * @param shown what a handshake shows after the leaf, nearest first; empty where a root signs leaves itself
 * @param due when another should take its place
 */
record Issuer(String anchor, X509Certificate certificate, PrivateKey key, List<X509Certificate> shown, Instant due) {

    Issuer {
        shown = List.copyOf(shown);
    }

    Instant end() {
        return certificate.getNotAfter().toInstant();
    }

    /** Names the certificate only: some providers print a private key in full. */
    @Override
    public String toString() {
        return "Issuer[serial=" + certificate.getSerialNumber().toString(16) + "]";
    }
}

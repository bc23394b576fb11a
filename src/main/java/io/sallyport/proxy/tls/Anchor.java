package io.sallyport.proxy.tls;

import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What intermediates are signed with: a root of the broker's own, or an authority that was brought along.
 *
 * @param id under which its intermediates rest
 * @param above what stands between it and the root that clients trust, nearest first; the root itself left out
 * @param signsIntermediates false where a path length leaves no room below it for another authority; then it signs leaves itself
 */
record Anchor(String id, X509Certificate certificate, List<X509Certificate> above, boolean signsIntermediates) {

    Anchor {
        above = List.copyOf(above);
        if (certificate.getBasicConstraints() < 0) {
            throw new IllegalArgumentException("what signs is a CA: " + certificate.getSubjectX500Principal());
        }
    }

    Instant end() {
        return certificate.getNotAfter().toInstant();
    }

    /** What a handshake shows of it: a root is what clients have, and sending it would only cost bytes. */
    List<X509Certificate> shown() {
        List<X509Certificate> shown = new ArrayList<>();
        if (!Certificates.selfIssued(certificate)) {
            shown.add(certificate);
        }
        shown.addAll(above);
        return List.copyOf(shown);
    }
}

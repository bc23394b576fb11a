package io.sallyport.proxy.tls;

import io.sallyport.testing.TestStore;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertPath;
import java.security.cert.CertPathValidator;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What clients of the authority have and see, for its tests. */
final class Chains {

    private Chains() {}

    static InterceptionAuthority.Store in(TestStore store) {
        return new InterceptionAuthority.Store(store.writer(), store.readers(), store.seal());
    }

    /** The certificates of a PEM text, in its order. */
    static List<X509Certificate> read(String pem) {
        try {
            var in = new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII));
            return CertificateFactory.getInstance("X.509").generateCertificates(in).stream()
                    .map(X509Certificate.class::cast)
                    .toList();
        } catch (java.security.GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    /** Java's own verifier (RFC 5280 section 6) over what a handshake shows. @throws CertPathValidatorException when it refuses */
    static void validate(List<X509Certificate> chain, List<X509Certificate> trusted, Instant when)
            throws CertPathValidatorException {
        try {
            CertPath path = CertificateFactory.getInstance("X.509").generateCertPath(chain);
            Set<TrustAnchor> anchors =
                    trusted.stream().map(root -> new TrustAnchor(root, null)).collect(Collectors.toSet());
            PKIXParameters parameters = new PKIXParameters(anchors);
            parameters.setRevocationEnabled(false);
            parameters.setDate(Date.from(when));
            CertPathValidator.getInstance("PKIX").validate(path, parameters);
        } catch (CertPathValidatorException refused) {
            throw refused;
        } catch (java.security.GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }
}

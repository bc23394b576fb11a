package io.sallyport.net;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** Whose certificates are believed: a destination's by the system's roots, or by those of one PEM file and no others. */
final class Trust {

    private Trust() {}

    /** @throws IOException for a file that can't be read or holds no certificate, naming it */
    static SSLContext of(@Nullable Path pem) throws IOException {
        try {
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(pem == null ? null : roots(pem));
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException(
                    "the trusted certificates" + (pem == null ? "" : " in " + pem) + " can't be used: "
                            + e.getMessage(),
                    e);
        }
    }

    /** The system's roots and those of a file together: whom the proxy at the way out is verified by. */
    static SSLContext besides(@Nullable Path pem) throws IOException {
        if (pem == null) {
            return of(null);
        }
        try {
            KeyStore all = roots(pem);
            TrustManagerFactory system = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            system.init((KeyStore) null);
            for (TrustManager manager : system.getTrustManagers()) {
                if (manager instanceof X509TrustManager x509) {
                    for (X509Certificate root : x509.getAcceptedIssuers()) {
                        all.setCertificateEntry("system-" + all.size(), root);
                    }
                }
            }
            TrustManagerFactory both = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            both.init(all);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, both.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("the trusted certificates in " + pem + " can't be used: " + e.getMessage(), e);
        }
    }

    private static KeyStore roots(Path pem) throws GeneralSecurityException, IOException {
        KeyStore roots = KeyStore.getInstance(KeyStore.getDefaultType());
        roots.load(null, null);
        try (InputStream in = Files.newInputStream(pem)) {
            Collection<? extends Certificate> certificates =
                    CertificateFactory.getInstance("X.509").generateCertificates(in);
            for (Certificate certificate : certificates) {
                roots.setCertificateEntry("root-" + roots.size(), certificate);
            }
        }
        if (roots.size() == 0) {
            throw new IOException(pem + " holds no certificate");
        }
        return roots;
    }
}

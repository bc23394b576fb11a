package io.sallyport.proxy.wire;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.sallyport.credential.ClientCertificate;
import io.sallyport.http.Origin;
import io.sallyport.proxy.Route;
import io.sallyport.rules.PrivateRoots;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * TLS towards destinations: verified, always. There is one client for the usual roots, and one for each pair of private roots and client's
 * certificate: sessions are resumed within a context alone, so that nobody resumes what another proved.
 */
final class UpstreamTls {

    /** Kept at once. A context takes some 20 ms to make, so off the loop, and a few dozen KiB. */
    private static final int MOST = 256;

    private static final Duration UNUSED = Duration.ofMinutes(10);

    private final Transport transport;
    private final Executor offload;
    private final List<X509Certificate> usualRoots;
    private final CompletableFuture<Client> usual;
    private final Cache<String, CompletableFuture<Client>> others =
            Caffeine.newBuilder().maximumSize(MOST).expireAfterAccess(UNUSED).build();

    /** TLS to whoever is verified by the same roots and is proven the same. */
    static final class Client {

        private final SslContext either;
        private final SslContext http1;

        private Client(SslContext either, SslContext http1) {
            this.either = either;
            this.http1 = http1;
        }

        /**
         * Verifies the chain and that it names the origin's host; there is no way to switch that off.
         *
         * @param first true to offer HTTP/1.1 alone, not HTTP/2 before it
         */
        SslHandler handler(ByteBufAllocator alloc, Origin origin, boolean first) {
            return (first ? http1 : either).newHandler(alloc, origin.host(), origin.port());
        }
    }

    /** @param more a PEM file of roots to trust besides the system's, where a scope names none of its own; null for none */
    UpstreamTls(Transport transport, @Nullable Path more, Executor offload)
            throws IOException, GeneralSecurityException {
        this.transport = transport;
        this.offload = offload;
        this.usualRoots = system();
        if (more != null) {
            usualRoots.addAll(read(more));
        }
        this.usual = CompletableFuture.completedFuture(made(trusting(usualRoots), null));
    }

    /** Already complete where it was made before. */
    CompletionStage<Client> client(Route route) {
        if (route.roots() == null && route.certificate() == null) {
            return usual;
        }
        CompletableFuture<Client> known =
                others.get(route.terms(), terms -> CompletableFuture.supplyAsync(() -> made(route), offload));
        if (known.isCompletedExceptionally()) {
            // Not kept: what failed for want of memory, say, may succeed the next time.
            others.asMap().remove(route.terms(), known);
        }
        return known;
    }

    /** By the usual roots, as nobody in particular. */
    Client usual() {
        return usual.join();
    }

    /** How many are kept besides the usual one. */
    long kept() {
        others.cleanUp();
        return others.estimatedSize();
    }

    private Client made(Route route) {
        try {
            PrivateRoots roots = route.roots();
            return made(trusting(roots == null ? usualRoots : roots.certificates()), route.certificate());
        } catch (IOException | GeneralSecurityException e) {
            throw new CompletionException(e);
        }
    }

    private Client made(TrustManagerFactory trust, @Nullable ClientCertificate certificate) throws SSLException {
        return new Client(context(trust, certificate, HopTls.EITHER), context(trust, certificate, HopTls.HTTP_1));
    }

    private SslContext context(
            TrustManagerFactory trust, @Nullable ClientCertificate certificate, ApplicationProtocolConfig alpn)
            throws SSLException {
        SslContextBuilder builder = SslContextBuilder.forClient()
                .sslProvider(transport.tls())
                .protocols(HopTls.VERSIONS)
                .applicationProtocolConfig(alpn)
                .endpointIdentificationAlgorithm("HTTPS")
                .trustManager(trust);
        if (certificate != null) {
            builder.keyManager(certificate.key(), certificate.chain().toArray(X509Certificate[]::new));
        }
        return builder.build();
    }

    private static TrustManagerFactory trusting(Collection<X509Certificate> roots)
            throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        for (X509Certificate root : roots) {
            store.setCertificateEntry("root-" + store.size(), root);
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        return trust;
    }

    private static List<X509Certificate> system() throws GeneralSecurityException {
        TrustManagerFactory system = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        system.init((KeyStore) null);
        List<X509Certificate> all = new ArrayList<>();
        for (TrustManager manager : system.getTrustManagers()) {
            if (manager instanceof X509TrustManager x509) {
                all.addAll(List.of(x509.getAcceptedIssuers()));
            }
        }
        return all;
    }

    private static List<X509Certificate> read(Path pem) throws IOException, GeneralSecurityException {
        try (InputStream in = Files.newInputStream(pem)) {
            Collection<? extends Certificate> read =
                    CertificateFactory.getInstance("X.509").generateCertificates(in);
            if (read.isEmpty()) {
                throw new IOException("sallyport.proxy.upstream-trust: " + pem + " holds no certificate in PEM form");
            }
            return read.stream().map(X509Certificate.class::cast).toList();
        }
    }
}

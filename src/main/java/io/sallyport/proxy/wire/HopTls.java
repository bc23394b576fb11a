package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.OpenSslCachingX509KeyManagerFactory;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.sallyport.http.Origin;
import io.sallyport.proxy.tls.LeafCertificates;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** The two TLS contexts of the hop: towards agents with minted leaves, towards destinations verified, always. */
final class HopTls {

    private static final ApplicationProtocolConfig HTTP_1 = alpn(ApplicationProtocolNames.HTTP_1_1);
    private static final ApplicationProtocolConfig EITHER =
            alpn(ApplicationProtocolNames.HTTP_2, ApplicationProtocolNames.HTTP_1_1);

    private static final String[] VERSIONS = {"TLSv1.3", "TLSv1.2"};

    private final SslContext server;
    private final SslContext client;
    private final SslContext http1Client;

    /** @param trust a PEM file of roots to trust besides the system's; null for none */
    HopTls(Transport transport, LeafCertificates leaves, @Nullable Path trust)
            throws IOException, GeneralSecurityException {
        KeyManagerFactory keys = LeafKeys.factory(leaves);
        server = SslContextBuilder.forServer(
                        transport == Transport.NATIVE ? new OpenSslCachingX509KeyManagerFactory(keys) : keys)
                .sslProvider(transport.tls())
                .protocols(VERSIONS)
                .applicationProtocolConfig(EITHER)
                .build();
        TrustManagerFactory roots = trustOf(trust);
        client = client(transport, roots, EITHER);
        http1Client = client(transport, roots, HTTP_1);
    }

    private static SslContext client(Transport transport, TrustManagerFactory roots, ApplicationProtocolConfig alpn)
            throws IOException {
        return SslContextBuilder.forClient()
                .sslProvider(transport.tls())
                .protocols(VERSIONS)
                .applicationProtocolConfig(alpn)
                .endpointIdentificationAlgorithm("HTTPS")
                .trustManager(roots)
                .build();
    }

    private static ApplicationProtocolConfig alpn(String... protocols) {
        return new ApplicationProtocolConfig(
                ApplicationProtocolConfig.Protocol.ALPN,
                ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                protocols);
    }

    /** @param host whose leaf is shown; it must have been minted */
    SslHandler server(ByteBufAllocator alloc, String host) {
        return server.newHandler(alloc, host, 443);
    }

    /**
     * Verifies the chain and that it names the origin's host; there is no way to switch that off.
     *
     * @param http1 true to offer HTTP/1.1 alone, not HTTP/2 before it
     */
    SslHandler client(ByteBufAllocator alloc, Origin origin, boolean http1) {
        return (http1 ? http1Client : client).newHandler(alloc, origin.host(), origin.port());
    }

    private static TrustManagerFactory trustOf(@Nullable Path more) throws IOException, GeneralSecurityException {
        TrustManagerFactory system = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        system.init((KeyStore) null);
        if (more == null) {
            return system;
        }
        KeyStore roots = KeyStore.getInstance(KeyStore.getDefaultType());
        roots.load(null, null);
        List<Certificate> all = new ArrayList<>();
        for (TrustManager manager : system.getTrustManagers()) {
            if (manager instanceof X509TrustManager x509) {
                all.addAll(List.<X509Certificate>of(x509.getAcceptedIssuers()));
            }
        }
        all.addAll(read(more));
        for (int i = 0; i < all.size(); i++) {
            roots.setCertificateEntry("root-" + i, all.get(i));
        }
        TrustManagerFactory combined = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        combined.init(roots);
        return combined;
    }

    private static Collection<? extends Certificate> read(Path pem) throws IOException, GeneralSecurityException {
        try (InputStream in = Files.newInputStream(pem)) {
            Collection<? extends Certificate> read =
                    CertificateFactory.getInstance("X.509").generateCertificates(in);
            if (read.isEmpty()) {
                throw new IOException("sallyport.proxy.upstream-trust: " + pem + " holds no certificate in PEM form");
            }
            return read;
        }
    }
}

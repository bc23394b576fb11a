package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.OpenSslCachingX509KeyManagerFactory;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.sallyport.proxy.tls.LeafCertificates;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLException;

/** TLS towards agents, with minted leaves. */
final class HopTls {

    static final ApplicationProtocolConfig HTTP_1 = alpn(ApplicationProtocolNames.HTTP_1_1);
    static final ApplicationProtocolConfig EITHER =
            alpn(ApplicationProtocolNames.HTTP_2, ApplicationProtocolNames.HTTP_1_1);

    static final String[] VERSIONS = {"TLSv1.3", "TLSv1.2"};

    private final SslContext server;

    HopTls(Transport transport, LeafCertificates leaves) throws SSLException {
        KeyManagerFactory keys = LeafKeys.factory(leaves);
        server = SslContextBuilder.forServer(
                        transport == Transport.NATIVE ? new OpenSslCachingX509KeyManagerFactory(keys) : keys)
                .sslProvider(transport.tls())
                .protocols(VERSIONS)
                .applicationProtocolConfig(EITHER)
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
}

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

    /**
     * Leaves whose native form is kept with a context, some KiB each. Netty keeps those it met first and never lets one go, and leaves
     * are replaced within days: so after as many mintings there is another context, and the old one goes with what it kept.
     */
    private static final int LEAVES = 2_000;

    private final Transport transport;
    private final LeafCertificates leaves;
    private volatile Server server;

    /** @param minted leaves when it was made */
    private record Server(SslContext context, long minted) {}

    HopTls(Transport transport, LeafCertificates leaves) throws SSLException {
        this.transport = transport;
        this.leaves = leaves;
        this.server = new Server(made(), leaves.minted());
    }

    private SslContext made() throws SSLException {
        KeyManagerFactory keys = LeafKeys.factory(leaves);
        return SslContextBuilder.forServer(
                        transport == Transport.NATIVE ? new OpenSslCachingX509KeyManagerFactory(keys, LEAVES) : keys)
                .sslProvider(transport.tls())
                .protocols(VERSIONS)
                .applicationProtocolConfig(EITHER)
                .build();
    }

    /** Some 20 ms, once in thousands of mintings. */
    private synchronized SslContext renewed() {
        if (leaves.minted() - server.minted >= LEAVES) {
            try {
                server = new Server(made(), leaves.minted());
            } catch (SSLException e) {
                // The one that there is serves on; it is only slower.
                Hop.fault(e);
            }
        }
        return server.context;
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
        Server current = server;
        SslContext context = leaves.minted() - current.minted < LEAVES ? current.context : renewed();
        return context.newHandler(alloc, host, 443);
    }

    /** The one that handshakes are made with now. */
    SslContext context() {
        return server.context;
    }
}

package io.sallyport.net;

import io.sallyport.http.Origin;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.apache.hc.client5.http.io.HttpClientConnectionOperator;
import org.apache.hc.client5.http.io.ManagedHttpClientConnection;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.util.TimeValue;
import org.jspecify.annotations.Nullable;

/**
 * Connects one call. The name is resolved once: what the guard allowed is what is dialled, whatever the name answers a moment later.
 *
 * @param origin of the call; plain HTTP may reach loopback alone
 * @param towards TLS to the destination
 * @param proxyTls to the proxy at the way out, where there is one that speaks it
 */
record GuardedConnections(
        Resolver resolver,
        Egress egress,
        List<Cidr> permitted,
        Origin origin,
        TlsSocketStrategy towards,
        @Nullable SSLSocketFactory proxyTls)
        implements HttpClientConnectionOperator {

    @Override
    public void connect(
            ManagedHttpClientConnection connection,
            HttpHost host,
            @Nullable InetSocketAddress local,
            TimeValue timeout,
            SocketConfig config,
            HttpContext context)
            throws IOException {
        IOException last = new UnknownHostException("there is no address");
        for (Way way : ways()) {
            try {
                Socket socket = open(connection, way, Math.toIntExact(timeout.toMilliseconds()));
                if (origin.secure()) {
                    connection.bind(towards.upgrade(socket, origin.host(), origin.port(), null, context), socket);
                } else {
                    connection.bind(socket);
                }
                return;
            } catch (ProxyFault fault) {
                last = fault;
                if (!fault.retryable()) {
                    break;
                }
            } catch (IOException fault) {
                last = fault;
            }
        }
        throw last;
    }

    @Override
    public void upgrade(ManagedHttpClientConnection connection, HttpHost host, HttpContext context) {
        throw new UnsupportedOperationException("a connection is what it is from its start");
    }

    private List<Way> ways() throws UnknownHostException {
        List<Way> ways = switch (egress.plan(origin, resolved(origin.host()), permitted)) {
            case Egress.Plan.Ways(List<Way> found) -> found;
            case Egress.Plan.Forbidden(String reason) -> throw new UnknownHostException(reason);
            case Egress.Plan.Unresolved(String reason) -> throw new UnknownHostException(reason);
        };
        for (Way way : ways) {
            if (!origin.secure() && (way.address() == null || !way.address().isLoopbackAddress())) {
                throw new UnknownHostException("http is allowed to loopback alone; https is allowed");
            }
        }
        return ways;
    }

    private Socket open(ManagedHttpClientConnection connection, Way way, int millis) throws IOException {
        Socket socket = new Socket();
        // Before it is connected: whoever gives the call up closes what is bound.
        connection.bind(socket);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(millis);
        UpstreamProxy proxy = egress.proxy();
        if (way.proxied() && proxy != null) {
            try {
                return tunnel(socket, proxy, way, millis);
            } catch (IOException fault) {
                socket.close();
                throw fault;
            }
        }
        socket.connect(new InetSocketAddress(way.address(), origin.port()), millis);
        return socket;
    }

    private Socket tunnel(Socket socket, UpstreamProxy proxy, Way way, int millis) throws IOException {
        InetSocketAddress peer =
                switch (egress.toProxy(proxy, resolved(proxy.place().host()))) {
                    case Egress.Plan.Ways(List<Way> found) ->
                        new InetSocketAddress(found.getFirst().address(), proxy.port());
                    case Egress.Plan.Forbidden(String reason) -> throw ProxyFault.unreachable(new IOException(reason));
                    case Egress.Plan.Unresolved(String reason) -> throw ProxyFault.unreachable(new IOException(reason));
                };
        try {
            socket.connect(peer, millis);
        } catch (IOException fault) {
            throw ProxyFault.unreachable(fault);
        }
        Socket spoken = proxyTls == null ? socket : verified(proxyTls, socket, proxy.place());
        TunnelAnswer.await(spoken, proxy.request(origin, way));
        return spoken;
    }

    private static Socket verified(SSLSocketFactory tls, Socket socket, Origin place) throws IOException {
        try {
            SSLSocket spoken = (SSLSocket) tls.createSocket(socket, place.host(), place.port(), true);
            SSLParameters parameters = spoken.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            spoken.setSSLParameters(parameters);
            spoken.startHandshake();
            return spoken;
        } catch (IOException fault) {
            throw ProxyFault.unproven(fault);
        }
    }

    private Resolver.Resolution resolved(String host) throws UnknownHostException {
        try {
            return resolver.resolve(host)
                    .toCompletableFuture()
                    .get(CachingResolver.DEADLINE.toSeconds() + 1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnknownHostException("interrupted");
        } catch (ExecutionException | TimeoutException e) {
            throw new UnknownHostException("the name could not be resolved");
        }
    }
}

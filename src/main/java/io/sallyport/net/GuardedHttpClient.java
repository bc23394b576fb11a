package io.sallyport.net;

import io.sallyport.http.Field;
import io.sallyport.http.Fields;
import io.sallyport.http.Origin;
import io.sallyport.http.Parsed;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocketFactory;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.DefaultSchemePortResolver;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.io.BasicHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.routing.DefaultRoutePlanner;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.client5.http.ssl.DefaultHostnameVerifier;
import org.apache.hc.client5.http.ssl.HostnameVerificationPolicy;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.io.HttpClientResponseHandler;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.reactor.ssl.SSLBufferMode;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * One connection a call, to an address that the guard allowed. Such calls are rare (discovery, keys), so nothing is pooled: a pooled
 * connection would outlive the trust and the ranges it was made with. Proxies of the environment, cookies, redirects, retries and compression are off.
 */
final class GuardedHttpClient implements GuardedClient, GuardedExchange, AutoCloseable {

    private final Resolver resolver;
    private final Egress egress;
    private final @Nullable Path proxyTrust;
    private final ScheduledExecutorService deadlines = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("call-deadlines").factory());

    /** @param proxyTrust roots that the proxy at the way out is verified by besides the system's; null for none */
    GuardedHttpClient(Resolver resolver, Egress egress, @Nullable Path proxyTrust) {
        this.resolver = resolver;
        this.egress = egress;
        this.proxyTrust = proxyTrust;
    }

    @Override
    public byte[] get(Call call) throws IOException {
        Origin origin = origin(call.uri());
        if (!origin.secure() && call.bearer() != null) {
            throw new IOException("a bearer is never sent over http");
        }
        HttpGet request = new HttpGet(canonical(call.uri(), origin));
        if (call.bearer() != null) {
            request.setHeader("Authorization", "Bearer " + call.bearer());
        }
        try (CloseableHttpClient client =
                client(origin, call.trust(), call.permitted(), call.timeout(), new SendMark())) {
            return within(call.timeout(), client, request, answer -> content(ok(answer), call.limit()));
        }
    }

    @Override
    public Answer exchange(Request asked) throws IOException {
        SendMark mark = new SendMark();
        try {
            return exchange(asked, mark);
        } catch (IOException e) {
            throw mark.sent() ? e : new Unsent(e);
        }
    }

    private Answer exchange(Request asked, SendMark mark) throws IOException {
        Origin origin = origin(asked.uri());
        HttpUriRequestBase request = new HttpUriRequestBase(asked.method(), canonical(asked.uri(), origin));
        asked.fields().forEach(line -> request.addHeader(line.name(), line.value()));
        if (asked.content() != null) {
            request.setEntity(new ByteArrayEntity(asked.content(), null));
        }
        try (CloseableHttpClient client = client(origin, asked.trust(), asked.permitted(), asked.timeout(), mark)) {
            return within(
                    asked.timeout(),
                    client,
                    request,
                    answer -> new Answer(
                            answer.getCode(),
                            Fields.of(Arrays.stream(answer.getHeaders())
                                    .map(line -> new Field(line.getName(), String.valueOf(line.getValue())))
                                    .toList()),
                            content(answer, asked.limit())));
        }
    }

    /** The client's own time-outs start anew with each read; only an absolute one ends a peer that trickles. */
    private <T> T within(
            Duration timeout,
            CloseableHttpClient client,
            HttpUriRequestBase request,
            HttpClientResponseHandler<T> reader)
            throws IOException {
        long millis = timeout.toMillis();
        Future<?> deadline = deadlines.schedule(request::cancel, millis, TimeUnit.MILLISECONDS);
        try {
            return client.execute(request, reader);
        } catch (IOException e) {
            throw request.isCancelled() ? new IOException("no answer within " + millis + " ms", e) : e;
        } finally {
            deadline.cancel(false);
        }
    }

    private static Origin origin(URI uri) throws IOException {
        if (uri.getRawUserInfo() != null || uri.getRawAuthority() == null) {
            throw new IOException("a URI without user name and password is allowed");
        }
        return switch (Origin.parse(uri.getScheme() + "://" + uri.getRawAuthority())) {
            case Parsed.Valid<Origin>(Origin origin) -> origin;
            case Parsed.Malformed<Origin>(String reason) -> throw new IOException(reason);
        };
    }

    /** The same place with the host in its one spelling, so that what is verified is what was judged. */
    private static URI canonical(URI uri, Origin origin) {
        String path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        return URI.create(origin + path + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery()));
    }

    private CloseableHttpClient client(
            Origin origin, @Nullable Path trust, List<Cidr> permitted, Duration within, SendMark mark)
            throws IOException {
        Timeout timeout = Timeout.of(within);
        var tls = new DefaultClientTlsStrategy(
                Trust.of(trust),
                new String[] {"TLSv1.3", "TLSv1.2"},
                null,
                SSLBufferMode.STATIC,
                HostnameVerificationPolicy.BOTH,
                new DefaultHostnameVerifier());
        var dialling = new GuardedConnections(resolver, egress, permitted, origin, tls, toProxy());
        var connections = new BasicHttpClientConnectionManager(dialling, null);
        connections.setConnectionConfig(ConnectionConfig.custom()
                .setConnectTimeout(timeout)
                .setSocketTimeout(timeout)
                .build());
        return HttpClientBuilder.create()
                .setConnectionManager(connections)
                .setDefaultRequestConfig(
                        RequestConfig.custom().setResponseTimeout(timeout).build())
                .setRoutePlanner(new DefaultRoutePlanner(DefaultSchemePortResolver.INSTANCE))
                .setRequestExecutor(mark)
                .setUserAgent("sallyport")
                .disableRedirectHandling()
                .disableAutomaticRetries()
                .disableCookieManagement()
                .disableContentCompression()
                .disableAuthCaching()
                .build();
    }

    private @Nullable SSLSocketFactory toProxy() throws IOException {
        UpstreamProxy proxy = egress.proxy();
        return proxy == null || !proxy.place().secure()
                ? null
                : Trust.besides(proxyTrust).getSocketFactory();
    }

    private static ClassicHttpResponse ok(ClassicHttpResponse answer) throws IOException {
        if (answer.getCode() != 200) {
            throw new IOException("the answer was " + answer.getCode() + "; 200 is expected");
        }
        return answer;
    }

    private static byte[] content(ClassicHttpResponse answer, int limit) throws IOException {
        HttpEntity entity = answer.getEntity();
        if (entity == null) {
            return new byte[0];
        }
        try (InputStream in = entity.getContent()) {
            byte[] content = in.readNBytes(limit);
            if (in.read() >= 0) {
                throw new IOException("the answer is longer than " + limit + " bytes");
            }
            return content;
        }
    }

    @Override
    public void close() {
        deadlines.shutdownNow();
    }
}

package io.sallyport.credential.vault;

import io.sallyport.http.Field;
import io.sallyport.http.Fields;
import io.sallyport.net.GuardedExchange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * The JDK's client by its type, the broker's guarded one by what it does: the driver takes any client of that type, so each of its calls
 * passes the same guard as all others. One call at a time for each caller; nothing is kept open between two.
 */
final class GuardedHttp extends HttpClient {

    private final Function<Asked, GuardedExchange.Request> making;
    private final GuardedExchange exchange;

    /** What the driver says of one request. */
    record Asked(String method, URI uri, Fields fields, byte @Nullable [] content) {

        /** Without fields and content: a token is among them. */
        @Override
        public String toString() {
            return method + " " + uri.getScheme() + "://" + uri.getRawAuthority();
        }
    }

    /** @param making adds trust, permitted ranges and limits, which the driver does not know of */
    GuardedHttp(GuardedExchange exchange, Function<Asked, GuardedExchange.Request> making) {
        this.exchange = exchange;
        this.making = making;
    }

    @Override
    public <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler)
            throws IOException, InterruptedException {
        List<Field> fields = new ArrayList<>();
        request.headers().map().forEach((name, values) -> values.forEach(value -> fields.add(new Field(name, value))));
        byte[] content = request.bodyPublisher().map(GuardedHttp::gathered).orElse(null);
        GuardedExchange.Answer answer =
                answer(making.apply(new Asked(request.method(), request.uri(), Fields.of(fields), content)));
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        Received received = new Received(answer.status(), headers(answer.fields()));
        return new Whole<>(request, received, body(handler.apply(received), answer.content()));
    }

    /** Whether it was sent is nothing to the driver, which asks once; why it was not is what is told apart. */
    private GuardedExchange.Answer answer(GuardedExchange.Request request) throws IOException {
        try {
            return exchange.exchange(request);
        } catch (GuardedExchange.Unsent e) {
            throw e.why();
        }
    }

    private static HttpHeaders headers(Fields fields) {
        Map<String, List<String>> map = new LinkedHashMap<>();
        fields.forEach(line ->
                map.computeIfAbsent(line.name(), name -> new ArrayList<>()).add(line.value()));
        return HttpHeaders.of(map, (name, value) -> true);
    }

    /** Publishers of content that is in memory give it all at once, on this thread. */
    private static byte[] gathered(HttpRequest.BodyPublisher publisher) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        publisher.subscribe(new Flow.Subscriber<>() {
            @Override
            public void onSubscribe(Flow.Subscription subscription) {
                subscription.request(Long.MAX_VALUE);
            }

            @Override
            public void onNext(ByteBuffer piece) {
                byte[] bytes = new byte[piece.remaining()];
                piece.get(bytes);
                all.writeBytes(bytes);
            }

            @Override
            public void onError(Throwable fault) {
                throw new IllegalStateException("content in memory can't fail", fault);
            }

            @Override
            public void onComplete() {
                // The length is known by what came.
            }
        });
        return all.toByteArray();
    }

    private static <T> T body(HttpResponse.BodySubscriber<T> subscriber, byte[] content) {
        subscriber.onSubscribe(new Flow.Subscription() {
            @Override
            public void request(long count) {
                // All of it follows at once, whatever is asked for.
            }

            @Override
            public void cancel() {
                // There is nothing to stop.
            }
        });
        subscriber.onNext(List.of(ByteBuffer.wrap(content)));
        subscriber.onComplete();
        return subscriber.getBody().toCompletableFuture().join();
    }

    private record Received(int statusCode, HttpHeaders headers) implements HttpResponse.ResponseInfo {

        @Override
        public Version version() {
            return Version.HTTP_1_1;
        }
    }

    private record Whole<T>(HttpRequest request, Received received, T body) implements HttpResponse<T> {

        @Override
        public int statusCode() {
            return received.statusCode();
        }

        @Override
        public HttpHeaders headers() {
            return received.headers();
        }

        @Override
        public Optional<HttpResponse<T>> previousResponse() {
            return Optional.empty();
        }

        @Override
        public Optional<SSLSession> sslSession() {
            return Optional.empty();
        }

        @Override
        public URI uri() {
            return request.uri();
        }

        @Override
        public Version version() {
            return Version.HTTP_1_1;
        }

        /** Without the content. */
        @Override
        public String toString() {
            return "Whole[" + statusCode() + "]";
        }
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, HttpResponse.BodyHandler<T> handler) {
        return CompletableFuture.failedFuture(new UnsupportedOperationException("the driver waits for each call"));
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
            HttpRequest request,
            HttpResponse.BodyHandler<T> handler,
            HttpResponse.@Nullable PushPromiseHandler<T> pushes) {
        return sendAsync(request, handler);
    }

    @Override
    public Optional<CookieHandler> cookieHandler() {
        return Optional.empty();
    }

    @Override
    public Optional<java.time.Duration> connectTimeout() {
        return Optional.empty();
    }

    @Override
    public Redirect followRedirects() {
        return Redirect.NEVER;
    }

    @Override
    public Optional<ProxySelector> proxy() {
        return Optional.empty();
    }

    /** The guarded client makes its own, from the roots that the settings name. */
    @Override
    public SSLContext sslContext() {
        throw new UnsupportedOperationException("TLS is made where the address is judged");
    }

    @Override
    public SSLParameters sslParameters() {
        throw new UnsupportedOperationException("TLS is made where the address is judged");
    }

    @Override
    public Optional<Authenticator> authenticator() {
        return Optional.empty();
    }

    @Override
    public Version version() {
        return Version.HTTP_1_1;
    }

    @Override
    public Optional<Executor> executor() {
        return Optional.empty();
    }
}

package io.sallyport.net;

import io.sallyport.http.Field;
import io.sallyport.http.Fields;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpFullResponse;
import software.amazon.awssdk.http.SdkHttpRequest;

/** What the AWS SDK sends and hears, through the guard: one connection a call, no redirect, no more of an answer than {@link #LIMIT}. */
record AwsHttp(GuardedExchange exchange, AwsPlace place, Duration timeout) implements SdkHttpClient {

    /** In bytes. A secret of Secrets Manager has at most 64 KiB, in JSON and perhaps in base64. */
    static final int LIMIT = 256 * 1024;

    /** The guarded client frames messages itself, and takes the host from the URI, which is what was signed. */
    private static final Set<String> FRAMING =
            Set.of("host", "content-length", "transfer-encoding", "connection", "expect");

    @Override
    public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
        return new ExecutableHttpRequest() {
            @Override
            public HttpExecuteResponse call() throws IOException {
                try {
                    return answered(exchange.exchange(asked(request)));
                } catch (GuardedExchange.Unsent e) {
                    throw told(e);
                }
            }

            /** An answer is here whole when the call returns, and until then the time-out ends it. */
            @Override
            public void abort() {}
        };
    }

    /** Whether it was sent is nothing to the SDK, which asks once; why it was not is what it passes on. */
    private static IOException told(GuardedExchange.Unsent unsent) {
        // The SDK puts advice on DNS in place of an unknown host's message, and that says which range is forbidden.
        return unsent.why() instanceof UnknownHostException ? new IOException(unsent.getMessage()) : unsent.why();
    }

    private GuardedExchange.Request asked(HttpExecuteRequest execute) throws IOException {
        SdkHttpRequest request = execute.httpRequest();
        List<Field> fields = new ArrayList<>();
        request.forEachHeader((name, values) -> {
            if (!FRAMING.contains(name.toLowerCase(Locale.ROOT))) {
                values.forEach(value -> fields.add(new Field(name, value)));
            }
        });
        byte[] content = null;
        if (execute.contentStreamProvider().isPresent()) {
            content = content(execute.contentStreamProvider().get());
        }
        return new GuardedExchange.Request(
                request.method().name(),
                request.getUri(),
                Fields.of(fields),
                content,
                place.trust(),
                place.permitted(),
                timeout,
                LIMIT);
    }

    private static byte[] content(ContentStreamProvider provider) throws IOException {
        try (InputStream in = provider.newStream()) {
            return in.readAllBytes();
        }
    }

    private static HttpExecuteResponse answered(GuardedExchange.Answer answer) {
        SdkHttpFullResponse.Builder head = SdkHttpFullResponse.builder().statusCode(answer.status());
        answer.fields().forEach(line -> head.appendHeader(line.name(), line.value()));
        return HttpExecuteResponse.builder()
                .response(head.build())
                .responseBody(AbortableInputStream.create(new ByteArrayInputStream(answer.content())))
                .build();
    }

    /** For the SDK's {@code User-Agent}. */
    @Override
    public String clientName() {
        return "Guarded";
    }

    /** There is nothing to close: the exchange is the broker's. */
    @Override
    public void close() {}
}

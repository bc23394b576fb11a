package io.sallyport.proxy;

import io.sallyport.http.RequestHead;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a refusal's entry says of the request.
 *
 * @param destination an origin, or host and port of a CONNECT
 * @param target canonical; null where there was none that could be read
 */
public record RefusedRequest(
        String method, String destination, @Nullable String target, List<String> removed) {

    public static RefusedRequest tunnel(String host, int port) {
        return new RefusedRequest("CONNECT", host + ":" + port, null, List.of());
    }

    public static RefusedRequest of(RequestHead head) {
        return new RefusedRequest(
                head.method(), head.origin().toString(), head.target().text(), List.of());
    }

    /** Of a request that could not be read: its target may be anything, so it is not repeated. */
    public static RefusedRequest unread(String method, String destination) {
        return new RefusedRequest(method, destination, null, List.of());
    }
}

package io.sallyport.proxy;

import io.sallyport.credential.TokenMarks;
import io.sallyport.http.CredentialSlots;
import io.sallyport.http.RequestHead;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a refusal's entry says of the request.
 *
 * @param destination an origin, or host and port of a CONNECT
 * @param target canonical, without credentials; null where there was none that could be read
 * @param removed slots in which the agent brought something
 */
public record RefusedRequest(
        String method, String destination, @Nullable String target, List<String> removed) {

    /** No method that means anything is longer; a task token, which is made of characters that a method may have, always is. */
    private static final int LONGEST_METHOD = 32;

    public RefusedRequest {
        method = method.length() > LONGEST_METHOD ? "" : method;
    }

    public static RefusedRequest tunnel(String host, int port) {
        return new RefusedRequest("CONNECT", host + ":" + port, null, List.of());
    }

    /** Without what stands where credentials do: the agent's own key would otherwise lie in the ledger because it was not let out. */
    public static RefusedRequest of(RequestHead head) {
        CredentialSlots.Cleaned cleaned = CredentialSlots.takeOff(
                head.target(), head.fields().without("proxy-authorization"), Set.of(), Set.of());
        return new RefusedRequest(
                head.method(), head.origin().toString(), cleaned.target().text(), cleaned.removed());
    }

    /** The same, without a target in which a task token stands: the ledger keeps none. */
    public static RefusedRequest of(RequestHead head, TokenMarks marks) {
        RefusedRequest request = of(head);
        return request.target() != null && marks.in(request.target())
                ? new RefusedRequest(request.method(), request.destination(), null, request.removed())
                : request;
    }

    /** Of a request that could not be read: its target may be anything, so it is not repeated. */
    public static RefusedRequest unread(String method, String destination) {
        return new RefusedRequest(method, destination, null, List.of());
    }
}

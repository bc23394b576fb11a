package io.sallyport.admin;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.sallyport.grant.Grant;
import io.sallyport.grant.TaskListener;
import io.sallyport.http.IpRange;
import io.sallyport.policy.Binding;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What ties a grant to whoever may use it.
 *
 * @param kind {@code address}; {@code port}, {@code socket} or {@code transparent} for a listener that is open; {@code listener} for one
 *     that is not open just now
 * @param address from which its token may be used, or its listener reached; null for any, and for a socket
 * @param uid of the only user that may connect to the socket; null elsewhere
 * @param place where the listener is: {@code HOST:PORT}, or the path of the socket; null where there is none
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record BindingView(
        String kind,
        @Nullable String address,
        @Nullable Long uid,
        @Nullable String place) {

    static BindingView of(Grant grant, Optional<TaskListener> open) {
        if (grant.binding() == Binding.ADDRESS) {
            return new BindingView("address", grant.address(), null, null);
        }
        return open.map(listener -> switch (listener.wanted()) {
                    case TaskListener.Port(IpRange peers) ->
                        new BindingView("port", peers.toString(), null, listener.place());
                    case TaskListener.Transparent(IpRange peers) ->
                        new BindingView("transparent", peers.toString(), null, listener.place());
                    case TaskListener.Socket(long user) -> new BindingView("socket", null, user, listener.place());
                })
                .orElseGet(() -> new BindingView("listener", grant.address(), null, null));
    }

    /** In words, for a person. */
    public String text() {
        return switch (kind) {
            case "address" -> address == null ? "its token, from anywhere" : "its token, from " + address;
            case "port" -> "its own port " + place + ", from " + address;
            case "transparent" -> "its own transparent port " + place + ", from " + address;
            case "socket" -> "its own socket " + place + ", for the user " + uid;
            default -> "a listener of its own, which is not open";
        };
    }
}

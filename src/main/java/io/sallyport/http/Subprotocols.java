package io.sallyport.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Credentials among the subprotocols of a WebSocket handshake. A browser can set no other field of it, so some services take their key
 * there: behind a prefix, or as the element after one that announces it.
 */
public final class Subprotocols {

    /** The slot's name in {@code keep}, in {@code own} and in the record. */
    public static final String SLOT = "sec-websocket-protocol";

    private static final List<String> PREFIXES = List.of(
            "openai-insecure-api-key.",
            "xai-client-secret.",
            "cf-aig-authorization.",
            "base64url.bearer.authorization.k8s.io.",
            // AWS AppSync: its fields, Authorization among them, in base64.
            "header-",
            // A JSON Web Token: its first byte is an opening brace.
            "eyj");

    private static final Set<String> ANNOUNCING = Set.of(
            "token", "bearer", "authorization", "access_token", "access-token", "api-key", "api_key", "apikey", "jwt");

    private Subprotocols() {}

    /** @param kept in order @param found whether any was taken off */
    record Cleaned(List<String> kept, boolean found) {}

    static Cleaned withoutCredentials(List<String> asked) {
        List<String> kept = new ArrayList<>(asked.size());
        boolean announced = false;
        for (String element : asked) {
            String lower = element.toLowerCase(Locale.ROOT);
            if (!announced && PREFIXES.stream().noneMatch(lower::startsWith)) {
                kept.add(element);
            }
            // What announces stays: a service may want to see it, and answer it, though the credential comes by another
            // way.
            announced = !announced && ANNOUNCING.contains(lower);
        }
        return new Cleaned(kept, kept.size() < asked.size());
    }

    static Fields takeOff(Fields fields, List<String> removed) {
        Cleaned cleaned =
                withoutCredentials(WebSocketHandshake.elements(fields, SLOT).toList());
        if (!cleaned.found()) {
            return fields;
        }
        if (!removed.contains(SLOT)) {
            removed.add(SLOT);
        }
        return WebSocketHandshake.withSubprotocols(fields, cleaned.kept());
    }

    /** Prefixes of the list, sorted, lower case. */
    public static List<String> prefixes() {
        return PREFIXES.stream().sorted().toList();
    }

    /** Elements after which a credential stands, sorted, lower case. */
    public static List<String> announcing() {
        return ANNOUNCING.stream().sorted().toList();
    }
}

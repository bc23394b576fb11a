package io.sallyport.proxy;

import io.sallyport.http.Field;
import io.sallyport.http.FieldSyntax;
import io.sallyport.http.Fields;
import io.sallyport.http.Parsed;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the task token in the fields where an agent may present it. */
final class PresentedToken {

    /** @param tokens that were presented, each once, in their order */
    record Found(List<String> tokens) {

        /** Null for none. */
        @Nullable
        String token() {
            return tokens.isEmpty() ? null : tokens.getFirst();
        }

        boolean ambiguous() {
            return tokens.size() > 1;
        }
    }

    private PresentedToken() {}

    /** Proxy-Authorization: Basic with the user {@code task}, or Bearer. */
    static Found forward(Fields fields) {
        Set<String> tokens = new LinkedHashSet<>();
        for (String value : fields.all("proxy-authorization")) {
            authorization(value, "task").ifPresent(tokens::add);
        }
        return found(tokens);
    }

    /**
     * The slot of the scope's own credential, Authorization, x-api-key. A client library puts its key where its own template says, so
     * in a slot the last word of the value counts.
     */
    static Found gateway(Fields fields, Set<String> slots) {
        Set<String> tokens = new LinkedHashSet<>();
        for (String slot : gatewaySlots(slots)) {
            for (String value : fields.all(slot)) {
                tokens.addAll(inSlot(value));
            }
        }
        return found(tokens);
    }

    /**
     * Whatever may be a token in a head that could not be read, so that its entry can say whose it was. Nothing is allowed by it: it is
     * looked for loosely, and at most two are looked at.
     */
    static Set<String> anywhere(String head) {
        Set<String> tokens = new LinkedHashSet<>();
        int end = head.indexOf("\r\n\r\n");
        for (String line : (end < 0 ? head : head.substring(0, end)).split("\r?\n")) {
            if (tokens.size() < 2 && FieldSyntax.parseLine(line) instanceof Parsed.Valid<Field>(Field field)) {
                if (field.is("Proxy-Authorization") || field.is("Authorization")) {
                    authorization(field.value(), null).ifPresent(tokens::add);
                } else if (field.is("x-api-key")) {
                    tokens.add(field.value());
                }
            }
        }
        return tokens;
    }

    /** Whether one of these texts stands where a token could. */
    static boolean shows(String value, Set<String> texts) {
        return inSlot(value).stream().anyMatch(texts::contains);
    }

    static List<String> gatewaySlots(Set<String> slots) {
        Set<String> all = new LinkedHashSet<>();
        for (String slot : slots) {
            // Of what belongs to a signature for AWS only the session token is a client's to choose.
            if (!slot.startsWith("x-amz-") || slot.equals("x-amz-security-token")) {
                all.add(slot);
            }
        }
        all.add("authorization");
        all.add("x-api-key");
        return List.copyOf(all);
    }

    /** What a client has signed for AWS stands in a token's place and is none. */
    static boolean signature(String value) {
        return value.startsWith("AWS4-HMAC-SHA256 ") || value.startsWith("AWS4-ECDSA-P256-SHA256 ");
    }

    private static List<String> inSlot(String value) {
        if (signature(value)) {
            return List.of();
        }
        Optional<String> known = authorization(value, null);
        if (known.isPresent()) {
            return List.of(known.get());
        }
        String last = value.substring(value.lastIndexOf(' ') + 1);
        return last.isEmpty() ? List.of() : List.of(last);
    }

    private static Found found(Set<String> tokens) {
        return new Found(List.copyOf(tokens));
    }

    private static Optional<String> authorization(String value, @Nullable String user) {
        int space = value.indexOf(' ');
        if (space < 0) {
            return Optional.empty();
        }
        String scheme = value.substring(0, space);
        String rest = value.substring(space + 1).strip();
        if (scheme.equalsIgnoreCase("Bearer")) {
            return rest.isEmpty() ? Optional.empty() : Optional.of(rest);
        }
        return scheme.equalsIgnoreCase("Basic") ? password(rest, user) : Optional.empty();
    }

    private static Optional<String> password(String encoded, @Nullable String user) {
        String pair;
        try {
            pair = new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException notBase64) {
            return Optional.empty();
        }
        int colon = pair.indexOf(':');
        if (colon < 0 || (user != null && !pair.substring(0, colon).equals(user))) {
            return Optional.empty();
        }
        String password = pair.substring(colon + 1);
        return password.isEmpty() ? Optional.empty() : Optional.of(password);
    }
}

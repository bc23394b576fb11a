package io.sallyport.exchange;

import io.sallyport.identity.ClientAssertions;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The parameters of a request's body. An empty one is a missing one and, but for {@code resource} and {@code audience}, none comes twice
 * (RFC 6749 section 3.2): two readers of one request must not be able to see two requests. It holds tokens: it is never printed.
 */
final class Form {

    private static final int MOST_PARAMETERS = 100;
    private static final Set<String> REPEATABLE = Set.of("resource", "audience");

    private final Map<String, List<String>> values;

    private Form(Map<String, List<String>> values) {
        this.values = values;
    }

    /** @param body {@code application/x-www-form-urlencoded} */
    static Step<Form> parse(String body) {
        Map<String, List<String>> values = new LinkedHashMap<>();
        Set<String> seen = new HashSet<>();
        String[] pairs = body.isEmpty() ? new String[0] : body.split("&", -1);
        if (pairs.length > MOST_PARAMETERS) {
            return Step.refused(Refusal.invalidRequest("More than " + MOST_PARAMETERS + " parameters."));
        }
        for (String pair : pairs) {
            int equals = pair.indexOf('=');
            Optional<String> name = decode(equals < 0 ? pair : pair.substring(0, equals));
            Optional<String> value = decode(equals < 0 ? "" : pair.substring(equals + 1));
            if (name.isEmpty() || value.isEmpty()) {
                return Step.refused(Refusal.invalidRequest("The body is not form-urlencoded UTF-8."));
            }
            if (!seen.add(name.get()) && !REPEATABLE.contains(name.get())) {
                return Step.refused(Refusal.invalidRequest("A parameter is there twice."));
            }
            if (!value.get().isEmpty()) {
                values.computeIfAbsent(name.get(), key -> new ArrayList<>()).add(value.get());
            }
        }
        return Step.passed(new Form(values));
    }

    private static Optional<String> decode(String text) {
        try {
            String decoded = URLDecoder.decode(text, StandardCharsets.UTF_8);
            boolean sound = decoded.indexOf('\uFFFD') < 0 && decoded.indexOf('\0') < 0;
            return sound ? Optional.of(decoded) : Optional.empty();
        } catch (IllegalArgumentException badEscape) {
            return Optional.empty();
        }
    }

    Optional<String> one(String name) {
        return all(name).stream().findFirst();
    }

    List<String> all(String name) {
        return values.getOrDefault(name, List.of());
    }

    /** What the request brings to prove its client. */
    ClientAssertions.Presented client(Optional<String> authorization) {
        return new ClientAssertions.Presented(
                authorization,
                one("client_id"),
                one("client_secret"),
                one("client_assertion_type"),
                one("client_assertion"));
    }
}

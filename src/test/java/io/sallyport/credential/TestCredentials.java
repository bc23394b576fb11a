package io.sallyport.credential;

import io.sallyport.document.Compiled;
import io.sallyport.document.Keys;
import io.sallyport.document.Problem;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Credential documents for tests. */
final class TestCredentials {

    static final Map<String, Object> BEARER = Map.of("kind", "bearer");

    private TestCredentials() {}

    static Map<String, Object> keys(Map<String, Object> source, Map<String, Object> inject) {
        Map<String, Object> keys = new HashMap<>();
        keys.put("destinations", List.of("https://api.example.com"));
        keys.put("source", source);
        keys.put("inject", inject);
        keys.put("blast-radius", "low");
        return keys;
    }

    static Credential compiled(Map<String, Object> source, Map<String, Object> inject) {
        return compiled(keys(source, inject));
    }

    static Credential compiled(Map<String, ?> keys) {
        return switch (CredentialCompiler.compile("acme", Keys.of(keys))) {
            case Compiled.Ok<Credential>(Credential credential) -> credential;
            case Compiled.Rejected<Credential>(List<Problem> problems) -> throw new AssertionError(problems);
        };
    }

    static List<Problem> problems(Map<String, ?> keys) {
        return switch (CredentialCompiler.compile("acme", Keys.of(keys))) {
            case Compiled.Ok<Credential>(Credential credential) -> throw new AssertionError("compiled: " + credential);
            case Compiled.Rejected<Credential>(List<Problem> problems) -> problems;
        };
    }
}

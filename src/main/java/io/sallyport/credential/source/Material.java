package io.sallyport.credential.source;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a source gave: named parts of one secret. A simple source gives {@link #SECRET} alone; others give what their product calls a
 * secret: {@code username} and {@code password}, {@code access-key-id}, {@code secret-access-key} and {@code session-token},
 * {@code private-key}, and so on. Closing it zeroes every part.
 */
public final class Material implements AutoCloseable {

    /** The part that is meant where an injection names none. */
    public static final String SECRET = "secret";

    private final Map<String, SecretValue> parts;

    private Material(Map<String, SecretValue> parts) {
        this.parts = parts;
    }

    /** One part, {@link #SECRET}. Takes the bytes over and zeroes them. */
    public static Material of(byte[] secret) {
        return new Material(Map.of(SECRET, SecretValue.of(secret)));
    }

    /** @param parts each is taken over and zeroed, by its name; lower case with hyphens, at least one */
    public static Material of(Map<String, byte[]> parts) {
        if (parts.isEmpty()) {
            throw new IllegalArgumentException("a secret has at least one part");
        }
        Map<String, SecretValue> held = new LinkedHashMap<>();
        parts.forEach((name, bytes) -> held.put(name, SecretValue.of(bytes)));
        return new Material(held);
    }

    /** Empty where the source gave no such part: the credential is unavailable then, with a cause that names the part. */
    public Optional<SecretValue> part(String name) {
        return Optional.ofNullable(parts.get(name));
    }

    /** The names alone, in order: they say nothing of the values, and may be shown to an operator. */
    public Set<String> names() {
        return new TreeMap<>(parts).navigableKeySet();
    }

    @Override
    public void close() {
        parts.values().forEach(SecretValue::close);
    }

    @Override
    public String toString() {
        return "Material" + names();
    }
}

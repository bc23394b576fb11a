package io.sallyport.credential.vault;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.jopenlibs.vault.json.JsonObject;
import io.sallyport.credential.source.Material;
import io.sallyport.credential.source.SourceFault;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Which fields of what the server gave are parts of the secret.
 *
 * @param byPart the field for each part's name; empty for all fields, each under its own name
 */
record VaultFields(Map<String, String> byPart) {

    /** What engines call it, and what injections do. */
    private static final Map<String, String> CUSTOMARY = Map.of(
            "access_key", "access-key-id",
            "secret_key", "secret-access-key",
            "security_token", "session-token");

    /** @param where for causes */
    Map<String, byte[]> parts(JsonObject data, String where) throws SourceFault {
        Map<String, String> texts = VaultAnswer.texts(data);
        Map<String, byte[]> parts = new LinkedHashMap<>();
        if (byPart.isEmpty()) {
            texts.forEach((field, text) -> parts.putIfAbsent(part(field), text.getBytes(UTF_8)));
        }
        for (Map.Entry<String, String> wanted : byPart.entrySet()) {
            String text = texts.get(wanted.getValue());
            if (text == null) {
                throw SourceFault.missing(where + " has no field " + wanted.getValue());
            }
            parts.put(wanted.getKey(), text.getBytes(UTF_8));
        }
        if (parts.isEmpty()) {
            throw SourceFault.missing(where + " has no field");
        }
        return parts;
    }

    static VaultFields one(String field) {
        return new VaultFields(Map.of(Material.SECRET, field));
    }

    private static String part(String field) {
        return CUSTOMARY.getOrDefault(field, field.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "-"));
    }
}

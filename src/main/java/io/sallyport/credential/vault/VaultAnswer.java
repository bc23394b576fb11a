package io.sallyport.credential.vault;

import io.github.jopenlibs.vault.json.Json;
import io.github.jopenlibs.vault.json.JsonObject;
import io.github.jopenlibs.vault.json.JsonValue;
import io.github.jopenlibs.vault.json.ParseException;
import io.github.jopenlibs.vault.rest.RestResponse;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the server said. The text of its errors is left alone: it may repeat what was sent.
 *
 * @param status of HTTP
 * @param body empty where there was none, or none that is an object
 */
record VaultAnswer(int status, JsonObject body) {

    static VaultAnswer of(RestResponse response) {
        return new VaultAnswer(response.getStatus(), parsed(response.getBody()));
    }

    static VaultAnswer bare(int status) {
        return new VaultAnswer(status, new JsonObject());
    }

    private static JsonObject parsed(byte @Nullable [] body) {
        if (body == null || body.length == 0) {
            return new JsonObject();
        }
        try {
            JsonValue value = Json.parse(new String(body, StandardCharsets.UTF_8));
            return value.isObject() ? value.asObject() : new JsonObject();
        } catch (ParseException notJson) {
            return new JsonObject();
        }
    }

    boolean ok() {
        return status == 200 || status == 204;
    }

    /** An object within the body; empty where it is absent or something else. */
    JsonObject object(String name) {
        return object(body, name);
    }

    static JsonObject object(JsonObject within, String name) {
        JsonValue value = within.get(name);
        return value != null && value.isObject() ? value.asObject() : new JsonObject();
    }

    /** The text of a member; empty where it is absent or no text. */
    static String text(JsonObject within, String name) {
        JsonValue value = within.get(name);
        return value != null && value.isString() ? value.asString() : "";
    }

    /** A whole number of seconds, versions and the like; 0 where it is absent or none. */
    static long number(JsonObject within, String name) {
        JsonValue value = within.get(name);
        try {
            return value != null && value.isNumber() ? value.asLong() : 0;
        } catch (NumberFormatException notWhole) {
            return 0;
        }
    }

    static boolean flag(JsonObject within, String name) {
        JsonValue value = within.get(name);
        return value != null && value.isTrue();
    }

    /** Each member that has a value, as text: a text without its quotes, anything else as JSON. */
    static Map<String, String> texts(JsonObject object) {
        Map<String, String> texts = new LinkedHashMap<>();
        for (JsonObject.Member member : object) {
            JsonValue value = member.getValue();
            if (!value.isNull()) {
                texts.put(member.getName(), value.isString() ? value.asString() : value.toString());
            }
        }
        return texts;
    }

    /** Without the body: secrets are in it. */
    @Override
    public String toString() {
        return "VaultAnswer[" + status + "]";
    }
}

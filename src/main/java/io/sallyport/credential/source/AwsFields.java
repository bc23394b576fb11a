package io.sallyport.credential.source;

import io.sallyport.document.Form;
import io.sallyport.document.Forms;
import io.sallyport.document.Keys;
import io.sallyport.document.Reading;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Which part of what was read is which part of the secret.
 *
 * @param fields a member of the JSON object for each part; empty for all of the text as the one part there is
 */
record AwsFields(SortedMap<String, String> fields) {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private static final Form<String> PART = Forms.TEXT.then(text -> text.matches("[a-z][a-z0-9-]{0,62}")
            ? Reading.of(text)
            : Reading.unreadable(Forms.quote(text)
                    + " is not a part's name; allowed: lower-case letters, digits and -, a letter first"));

    /** The keys {@code field} and {@code fields}. */
    static Optional<AwsFields> read(Keys keys) {
        SortedMap<String, String> fields = new TreeMap<>();
        keys.optionalText("field").ifPresent(member -> fields.put(Material.SECRET, member));
        if (!keys.has("fields")) {
            return Optional.of(new AwsFields(fields));
        }
        if (!fields.isEmpty()) {
            keys.problem("fields", "stands beside field; allowed: one of them, or none for the whole text");
        }
        Keys parts = keys.child("fields");
        for (String part : parts.names()) {
            if (PART.read(part) instanceof Reading.Unreadable<String>(String what)) {
                parts.problem(part, what);
            }
            parts.text(part).ifPresent(member -> fields.put(part, member));
        }
        if (fields.isEmpty()) {
            parts.problem("is empty; allowed: at least one, or leave it out");
            return Optional.empty();
        }
        return Optional.of(new AwsFields(fields));
    }

    /** @throws SourceFault of kind BAD that names the field, and nothing of the text */
    Material material(String text) throws SourceFault {
        if (fields.isEmpty()) {
            return Material.of(text.getBytes(StandardCharsets.UTF_8));
        }
        JsonNode object = parsed(text);
        Map<String, byte[]> parts = new LinkedHashMap<>();
        for (Map.Entry<String, String> field : fields.entrySet()) {
            JsonNode member = object.get(field.getValue());
            if (member == null || !member.isValueNode() || member.isNull()) {
                throw SourceFault.bad(
                        "its JSON has no field " + Forms.quote(field.getValue()) + " that is a text or a number");
            }
            parts.put(field.getKey(), member.asString().getBytes(StandardCharsets.UTF_8));
        }
        return Material.of(parts);
    }

    private static JsonNode parsed(String text) throws SourceFault {
        try {
            JsonNode node = JSON.readTree(text);
            if (node != null && node.isObject()) {
                return node;
            }
        } catch (JacksonException notJson) {
            // Its message quotes the text.
        }
        throw SourceFault.bad("is not a JSON object, and the document names a field");
    }
}

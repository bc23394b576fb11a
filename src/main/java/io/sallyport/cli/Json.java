package io.sallyport.cli;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The one JSON reader and writer of the command line. */
final class Json {

    static final JsonMapper MAPPER = JsonMapper.builder().build();

    private Json() {}

    /** @throws CommandFailed when it is not JSON: something else than a broker has answered */
    static JsonNode read(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (JacksonException e) {
            throw new CommandFailed("what answers there is no broker: it does not speak JSON", e);
        }
    }

    static String pretty(JsonNode node) {
        return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(node);
    }
}

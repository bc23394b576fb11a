package io.sallyport.cli;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The one JSON reader and writer of the command line. */
final class Json {

    static final JsonMapper MAPPER = JsonMapper.builder().build();

    private Json() {}

    static JsonNode read(String text) {
        return MAPPER.readTree(text);
    }

    static String pretty(JsonNode node) {
        return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(node);
    }
}

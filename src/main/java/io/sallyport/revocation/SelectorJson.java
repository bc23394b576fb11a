package io.sallyport.revocation;

import java.util.Map;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** A selector's canonical text: one JSON object, keys in order, as it stands in the ledger and in the tables. */
final class SelectorJson {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {};

    private SelectorJson() {}

    static String write(Selector selector) {
        return JSON.writeValueAsString(selector.asMap());
    }

    static Selector read(String json) {
        return Selector.parse(JSON.readValue(json, OBJECT)).orElseThrow();
    }
}

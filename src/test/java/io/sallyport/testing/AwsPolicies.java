package io.sallyport.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * IAM's evaluation of one policy, as documented: a Deny that matches decides, else an Allow that matches, else no. Of conditions it knows
 * {@code StringEquals} and {@code StringNotEquals} on {@code aws:ResourceAccount}.
 */
public final class AwsPolicies {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private AwsPolicies() {}

    /** @param policy null for none, which limits nothing; @param account of the resource, null for one that has none */
    public static boolean allows(@Nullable String policy, String action, String resource, @Nullable String account) {
        if (policy == null) {
            return true;
        }
        boolean allowed = false;
        for (JsonNode statement : items(JSON.readTree(policy).get("Statement"))) {
            if (matches(statement, action, resource, account)) {
                if (statement.get("Effect").asString().equals("Deny")) {
                    return false;
                }
                allowed = true;
            }
        }
        return allowed;
    }

    private static boolean matches(JsonNode statement, String action, String resource, @Nullable String account) {
        return matches(statement, "Action", action)
                && matches(statement, "Resource", resource)
                && holds(statement.path("Condition"), account);
    }

    private static boolean matches(JsonNode statement, String key, String value) {
        return statement.has(key)
                ? items(statement.get(key)).stream().anyMatch(pattern -> like(pattern.asString(), value))
                : items(statement.get("Not" + key)).stream().noneMatch(pattern -> like(pattern.asString(), value));
    }

    private static boolean holds(JsonNode condition, @Nullable String account) {
        for (Map.Entry<String, JsonNode> operator : condition.properties()) {
            List<JsonNode> named = items(operator.getValue().get("aws:ResourceAccount"));
            boolean equal = named.stream().anyMatch(one -> one.asString().equals(account));
            boolean holds = switch (operator.getKey()) {
                case "StringEquals" -> equal;
                case "StringNotEquals" -> !equal;
                default -> throw new AssertionError(operator.getKey());
            };
            if (!holds) {
                return false;
            }
        }
        return true;
    }

    private static List<JsonNode> items(JsonNode node) {
        List<JsonNode> items = new ArrayList<>();
        if (node.isArray()) {
            node.forEach(items::add);
        } else {
            items.add(node);
        }
        return items;
    }

    private static boolean like(String pattern, String value) {
        StringBuilder regex = new StringBuilder();
        for (char c : pattern.toCharArray()) {
            regex.append(c == '*' ? ".*" : c == '?' ? "." : Pattern.quote(String.valueOf(c)));
        }
        return value.matches(regex.toString());
    }
}

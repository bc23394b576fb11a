package io.sallyport.credential.source;

import io.sallyport.document.Forms;
import io.sallyport.document.Keys;
import io.sallyport.document.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.json.JsonMapper;

/** A policy of IAM that a document writes out, in YAML or in JSON (which is YAML): checked for its shape, and for nothing that AWS knows better. */
final class AwsPolicyText {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private static final Set<String> OF_STATEMENT =
            Set.of("Sid", "Effect", "Action", "NotAction", "Resource", "NotResource", "Condition");

    private AwsPolicyText() {}

    /** The statements as a JSON array; empty where a problem has been noted. */
    static Optional<String> read(Keys policy) {
        policy.optional("Version", Forms.oneOf("2012-10-17"));
        policy.optionalText("Id");
        List<Object> statements = new ArrayList<>();
        boolean right = true;
        for (Value item : statements(policy)) {
            right &= item instanceof Value.Mapping(var _, Keys keys) && isStatement(keys);
            if (!(item instanceof Value.Mapping)) {
                item.problem(
                        "is " + item.shape() + "; allowed: a statement, as in {Effect: Allow, Action: …, Resource: …}");
            }
            statements.add(plain(item));
        }
        return right && !statements.isEmpty() ? Optional.of(JSON.writeValueAsString(statements)) : Optional.empty();
    }

    /** One statement may stand without a list. */
    private static List<Value> statements(Keys policy) {
        return policy.requiredValue("Statement")
                .map(value -> value instanceof Value.Mapping ? List.of(value) : policy.items("Statement"))
                .orElse(List.of());
    }

    private static boolean isStatement(Keys keys) {
        boolean right = keys.required("Effect", Forms.oneOf("Allow", "Deny")).isPresent();
        for (String key : keys.names()) {
            if (!OF_STATEMENT.contains(key)) {
                keys.problem(
                        key,
                        "is not allowed in a session policy's statement; allowed: Sid, Effect, Action, NotAction,"
                                + " Resource, NotResource, Condition");
                right = false;
            }
        }
        if (keys.has("Action") == keys.has("NotAction")) {
            keys.problem("needs either Action or NotAction");
            right = false;
        }
        if (keys.has("Resource") == keys.has("NotResource")) {
            keys.problem("needs either Resource or NotResource");
            right = false;
        }
        return right;
    }

    private static Object plain(Value value) {
        return switch (value) {
            case Value.Scalar scalar -> scalar.scalar();
            case Value.Listing listing ->
                listing.items().stream().map(AwsPolicyText::plain).toList();
            case Value.Mapping(var _, Keys keys) -> {
                Map<String, Object> members = new LinkedHashMap<>();
                for (String key : keys.names()) {
                    keys.value(key).ifPresent(member -> members.put(key, plain(member)));
                }
                yield members;
            }
        };
    }
}

package io.sallyport.credential.source;

import io.sallyport.document.Form;
import io.sallyport.document.Forms;
import io.sallyport.document.Keys;
import io.sallyport.document.Reading;
import io.sallyport.document.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What one document, or one scope's {@code narrow}, lets a session of a role do: never more than the role itself may.
 *
 * @param statements of a policy that was written out, as JSON; null where none was
 * @param actions and
 * @param resources what alone is allowed; empty for no limit of that kind
 * @param accounts whose resources alone; empty for no limit
 * @param tags of the session, with places for what is known of the grant
 */
record AwsLimits(
        @Nullable String statements,
        List<String> actions,
        List<String> resources,
        List<String> accounts,
        SortedMap<String, String> tags) {

    private static final int MOST_TAGS = 50;

    private static final Form<String> ACTION = Forms.TEXT.then(text -> text.matches("\\*|[a-z0-9-]+:[A-Za-z0-9*?]+")
            ? Reading.of(text)
            : Reading.unreadable(Forms.quote(text) + " is not an action; allowed: as in s3:GetObject or s3:Get*"));

    private static final Form<String> RESOURCE = Forms.TEXT.then(
            text -> text.equals("*") || text.matches("arn:[^\\s\"\\\\]{1,1024}")
                    ? AwsTemplate.IN_POLICY.read(text)
                    : Reading.unreadable(
                            Forms.quote(text)
                                    + " is not a resource; allowed: an ARN, as in arn:aws:s3:::bucket/* or arn:aws:s3:::bucket/{task}/*"));

    private static final Form<String> ACCOUNT = Forms.TEXT.then(text -> text.matches("\\d{12}")
            ? Reading.of(text)
            : Reading.unreadable(Forms.quote(text) + " is not an account; allowed: 12 digits, in quotes"));

    private static final Form<String> TAG_KEY = Forms.TEXT.then(
            text -> text.matches("[\\p{L}\\p{Z}\\p{N}_.:/=+@-]{1,128}")
                            && !text.toLowerCase(Locale.ROOT).startsWith("aws:")
                    ? Reading.of(text)
                    : Reading.unreadable(
                            Forms.quote(text)
                                    + " is not a tag's key; allowed: up to 128 letters, digits, spaces and _ . : / = + - @, and no aws: in front"));

    AwsLimits {
        actions = List.copyOf(actions);
        resources = List.copyOf(resources);
        accounts = List.copyOf(accounts);
    }

    /** The keys {@code policy}, {@code actions}, {@code resources}, {@code account} and {@code tags}. */
    static AwsLimits read(Keys keys) {
        Optional<String> statements = keys.optionalChild("policy").flatMap(AwsPolicyText::read);
        if (keys.has("policy") && (keys.has("actions") || keys.has("resources"))) {
            keys.problem("policy", "stands beside actions or resources; allowed: the one or the other");
        }
        List<String> actions = keys.optionalList("actions", ACTION);
        List<String> resources = keys.optionalList("resources", RESOURCE);
        List<String> accounts = keys.value("account").map(AwsLimits::accounts).orElse(List.of());
        return new AwsLimits(statements.orElse(null), actions, resources, accounts, tags(keys));
    }

    private static List<String> accounts(Value value) {
        return switch (value) {
            case Value.Scalar scalar -> scalar.as(ACCOUNT).stream().toList();
            case Value.Listing listing -> listing.as(ACCOUNT);
            case Value.Mapping mapping -> {
                mapping.problem("is a mapping; allowed: an account, or a list of them");
                yield List.of();
            }
        };
    }

    private static SortedMap<String, String> tags(Keys keys) {
        SortedMap<String, String> tags = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        keys.optionalChild("tags").ifPresent(child -> {
            for (String key : child.names()) {
                if (TAG_KEY.read(key) instanceof Reading.Unreadable<String>(String what)) {
                    child.problem(key, what);
                }
                child.required(key, AwsTemplate.IN_TAG).ifPresent(text -> {
                    if (tags.put(key, text) != null) {
                        child.problem(key, "is there twice: AWS takes no note of case in a tag's key");
                    }
                });
            }
            if (tags.size() > MOST_TAGS) {
                child.problem("has more than 50 tags; allowed: 50");
            }
        });
        return tags;
    }

    boolean empty() {
        return statements == null && !listed() && accounts.isEmpty() && tags.isEmpty();
    }

    /** Whether actions or resources are listed. */
    boolean listed() {
        return !actions.isEmpty() || !resources.isEmpty();
    }

    /** For JSON, in IAM's words. */
    Map<String, Object> allowed() {
        Map<String, Object> statement = new LinkedHashMap<>();
        statement.put("Effect", "Allow");
        statement.put("Action", actions.isEmpty() ? "*" : actions);
        statement.put("Resource", resources.isEmpty() ? "*" : resources);
        return statement;
    }

    /** The same as a limit on what other statements allow. */
    List<Map<String, Object>> denied() {
        List<Map<String, Object>> statements = new ArrayList<>();
        if (!actions.isEmpty()) {
            statements.add(denial("NotAction", actions, "Resource", "*"));
        }
        if (!resources.isEmpty()) {
            statements.add(denial("Action", "*", "NotResource", resources));
        }
        return statements;
    }

    /** A resource of no account, or of one that can't be told, is denied as well: a negated condition holds where the key is absent. */
    List<Map<String, Object>> pinned() {
        if (accounts.isEmpty()) {
            return List.of();
        }
        Map<String, Object> statement = denial("Action", "*", "Resource", "*");
        statement.put("Condition", Map.of("StringNotEquals", Map.of("aws:ResourceAccount", accounts)));
        return List.of(statement);
    }

    private static Map<String, Object> denial(String firstKey, Object first, String secondKey, Object second) {
        Map<String, Object> statement = new LinkedHashMap<>();
        statement.put("Effect", "Deny");
        statement.put(firstKey, first);
        statement.put(secondKey, second);
        return statement;
    }
}

package io.sallyport.credential.source;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;

/**
 * The session policy in which several limits all hold. AWS takes one, in which whatever any statement allows is allowed; so of several limits one
 * allows, and each other denies all but itself. Of two policies that are written out no such thing can be made.
 */
final class AwsSessionPolicy {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** In characters, of a session policy in the clear. */
    static final int LONGEST = 2048;

    /** For a trial: a session that may do nothing. */
    static final String NOTHING = json(List.of(Map.of("Effect", "Deny", "Action", "*", "Resource", "*")));

    private AwsSessionPolicy() {}

    /** Whether all of them can hold in one. */
    static boolean possible(List<AwsLimits> limits) {
        return limits.stream().filter(limit -> limit.statements() != null).count() <= 1;
    }

    /** JSON with places for what is known of a grant; empty where nothing is limited. */
    static Optional<String> of(List<AwsLimits> limits) {
        Optional<AwsLimits> written =
                limits.stream().filter(limit -> limit.statements() != null).findFirst();
        List<Object> statements = new ArrayList<>();
        written.ifPresent(limit -> statements.addAll(JSON.readValue(limit.statements(), List.class)));
        for (AwsLimits limit : limits) {
            if (!limit.listed()) {
                continue;
            }
            if (statements.isEmpty()) {
                statements.add(limit.allowed());
            } else {
                statements.addAll(limit.denied());
            }
        }
        List<Map<String, Object>> pins =
                limits.stream().flatMap(limit -> limit.pinned().stream()).toList();
        if (statements.isEmpty() && !pins.isEmpty()) {
            statements.add(Map.of("Effect", "Allow", "Action", "*", "Resource", "*"));
        }
        statements.addAll(pins);
        return statements.isEmpty() ? Optional.empty() : Optional.of(json(statements));
    }

    private static String json(List<?> statements) {
        Map<String, Object> policy = new LinkedHashMap<>();
        policy.put("Version", "2012-10-17");
        policy.put("Statement", statements);
        return JSON.writeValueAsString(policy);
    }
}

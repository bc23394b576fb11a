package io.sallyport.revocation;

import io.sallyport.grant.Grant;
import io.sallyport.http.Origin;
import io.sallyport.http.Parsed;
import io.sallyport.identity.Principal;
import java.util.Arrays;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which grants an order means: every key given must match. Kept as its canonical text, key by key, so that what was ordered is what is
 * recorded, shown and matched.
 *
 * @param parts keys of {@link Key} with their canonical values, in alphabetical order; {@code all} stands alone with {@code true}
 */
public record Selector(SortedMap<Key, String> parts) {

    /** What a selector may ask for; each named as documents and requests name it. */
    public enum Key {
        ALL,
        CREDENTIAL,
        DESTINATION,
        GRANT,
        PERSON,
        POLICY,
        TASK,
        WORKLOAD;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final int LONGEST_VALUE = 2048;

    public Selector {
        if (parts.isEmpty()) {
            throw new IllegalArgumentException("a selector names at least one of " + allowed());
        }
        parts = Collections.unmodifiableSortedMap(new TreeMap<>(parts));
    }

    public static Selector ofGrant(String id) {
        return new Selector(new TreeMap<>(Map.of(Key.GRANT, id)));
    }

    public static Selector ofTask(String id) {
        return new Selector(new TreeMap<>(Map.of(Key.TASK, id)));
    }

    /**
     * @param select the {@code select} object of a request: {@code task, grant, workload, person, policy, credential, destination} with text,
     *     or {@code all} with true and nothing else
     * @return malformed for no key, an unknown key, a value that is not of its kind
     */
    public static Parsed<Selector> parse(Map<String, ?> select) {
        if (select.isEmpty()) {
            return Parsed.malformed("select is empty: it names at least one of " + allowed());
        }
        TreeMap<Key, String> parts = new TreeMap<>();
        for (Map.Entry<String, ?> part : select.entrySet()) {
            Key key = key(part.getKey());
            if (key == null) {
                return Parsed.malformed("select has the unknown key '" + part.getKey() + "'; allowed are " + allowed());
            }
            switch (value(key, part.getValue())) {
                case Parsed.Valid<String>(String value) -> parts.put(key, value);
                case Parsed.Malformed<String>(String reason) -> {
                    return Parsed.malformed("select." + key + " " + reason);
                }
            }
        }
        if (parts.containsKey(Key.ALL) && parts.size() > 1) {
            return Parsed.malformed("select.all stands alone: beside another key it would say nothing");
        }
        return Parsed.valid(new Selector(parts));
    }

    private static @Nullable Key key(String name) {
        for (Key key : Key.values()) {
            if (key.toString().equals(name)) {
                return key;
            }
        }
        return null;
    }

    private static Parsed<String> value(Key key, @Nullable Object raw) {
        if (key == Key.ALL) {
            return Boolean.TRUE.equals(raw) ? Parsed.valid("true") : Parsed.malformed("must be true");
        }
        if (!(raw instanceof String text) || text.isBlank() || text.length() > LONGEST_VALUE) {
            return Parsed.malformed("must be text of 1 to " + LONGEST_VALUE + " characters");
        }
        return switch (key) {
            case WORKLOAD, PERSON -> principal(text);
            case DESTINATION -> Origin.parse(text).then(origin -> Parsed.valid(origin.toString()));
            case TASK, GRANT, POLICY, CREDENTIAL, ALL -> Parsed.valid(text);
        };
    }

    private static Parsed<String> principal(String text) {
        int slash = text.indexOf('/');
        return slash < 1 || slash == text.length() - 1
                ? Parsed.malformed("must be IDENTITY/SUBJECT")
                : Parsed.valid(text);
    }

    private static String allowed() {
        return Arrays.stream(Key.values()).map(Key::toString).collect(Collectors.joining(", "));
    }

    /** Wider than a task or a grant: what matches could be opened again, so an order by it also locks. */
    public boolean wide() {
        return !parts.containsKey(Key.TASK) && !parts.containsKey(Key.GRANT);
    }

    /** Whether every key matches the grant. */
    public boolean matches(Grant grant, GrantReach reach) {
        return parts.entrySet().stream().allMatch(part -> matches(part.getKey(), part.getValue(), grant, reach));
    }

    private static boolean matches(Key key, String value, Grant grant, GrantReach reach) {
        return switch (key) {
            case ALL -> true;
            case TASK -> grant.task().equals(value);
            case GRANT -> grant.id().equals(value);
            case POLICY -> grant.policy().equals(value);
            case WORKLOAD -> grant.workload().toString().equals(value);
            case PERSON -> named(grant.person(), value);
            case CREDENTIAL -> reach.credentials(grant).contains(value);
            case DESTINATION -> reach.reaches(grant, Origin.parse(value).orElseThrow());
        };
    }

    private static boolean named(@Nullable Principal person, String value) {
        return person != null && person.toString().equals(value);
    }

    /** For answers: the object that {@link #parse} would read back. */
    public Map<String, Object> asMap() {
        TreeMap<String, Object> map = new TreeMap<>();
        parts.forEach((key, value) -> map.put(key.toString(), key == Key.ALL ? (Object) true : value));
        return map;
    }
}

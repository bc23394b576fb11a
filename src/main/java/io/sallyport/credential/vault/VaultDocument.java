package io.sallyport.credential.vault;

import io.sallyport.credential.source.SecretSource.Sharing;
import io.sallyport.credential.vault.VaultMount.Engine;
import io.sallyport.document.Form;
import io.sallyport.document.Forms;
import io.sallyport.document.Keys;
import io.sallyport.document.Reading;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads {@code source: {kind: vault, …}}. */
final class VaultDocument {

    private static final Duration REFRESH = Duration.ofMinutes(1);
    private static final Duration SHORTEST = Duration.ofSeconds(5);
    private static final Duration LONGEST = Duration.ofHours(1);

    private static final Form<String> PATH = segments("a path", "secrets/team/github: at least two segments", 2);
    private static final Form<String> NAMESPACE = segments("a namespace", "team-a or team-a/builds", 1);

    private static final Form<String> PART = Forms.TEXT.then(text -> text.matches("[a-z][a-z0-9-]{0,62}")
            ? Reading.of(text)
            : Reading.unreadable(Forms.quote(text)
                    + " is not a part's name; allowed: lower-case letters, digits and -, a letter first"));

    private static final Form<Duration> BELIEVED =
            Forms.DURATION.then(time -> time.compareTo(SHORTEST) >= 0 && time.compareTo(LONGEST) <= 0
                    ? Reading.of(time)
                    : Reading.unreadable(time + " is too short or too long; allowed: 5s to 1h"));

    private static final Form<Engine> ENGINE = Forms.oneOf(engines(), Set.of());

    private VaultDocument() {}

    static Optional<VaultSource> read(Keys keys) {
        Optional<String> path = keys.required("path", PATH);
        Optional<VaultFields> fields = fields(keys);
        Optional<String> namespace = keys.optional("namespace", NAMESPACE);
        Optional<Engine> engine = keys.optional("engine", ENGINE);
        int version = keys.optional("version", Forms.count(1, Integer.MAX_VALUE))
                .map(Long::intValue)
                .orElse(0);
        Map<String, String> parameters = named(keys, "parameters");
        Duration refresh = keys.optional("refresh", BELIEVED).orElse(REFRESH);
        Sharing sharing = keys.optional("sharing", Forms.oneOf(Sharing.class)).orElse(Sharing.SHARED);
        if (path.isEmpty() || fields.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new VaultSource(
                path.get(),
                namespace.orElse(null),
                engine.orElse(null),
                fields.get(),
                version,
                parameters,
                refresh,
                sharing));
    }

    private static Optional<VaultFields> fields(Keys keys) {
        Optional<String> one = keys.optionalText("field");
        Map<String, String> several = named(keys, "fields");
        if (keys.has("field") && keys.has("fields")) {
            keys.problem("fields", "stands beside field; allowed: one of them, or none for all fields");
            return Optional.empty();
        }
        boolean wrong = false;
        for (String part : several.keySet()) {
            if (PART.read(part) instanceof Reading.Unreadable<String>(String why)) {
                keys.problem("fields." + part, why);
                wrong = true;
            }
        }
        return wrong
                ? Optional.empty()
                : Optional.of(one.map(VaultFields::one).orElseGet(() -> new VaultFields(several)));
    }

    private static Map<String, String> named(Keys keys, String key) {
        Map<String, String> named = new LinkedHashMap<>();
        keys.optionalChild(key).ifPresent(child -> {
            for (String name : child.names()) {
                child.optionalText(name).ifPresent(value -> named.put(name, value));
            }
            if (child.names().isEmpty()) {
                child.problem("is empty; allowed: at least one, or leave it out");
            }
        });
        return named;
    }

    private static Map<String, Engine> engines() {
        Map<String, Engine> engines = new LinkedHashMap<>();
        engines.put("kv-1", Engine.KV_1);
        engines.put("kv-2", Engine.KV_2);
        engines.put("dynamic", Engine.DYNAMIC);
        return engines;
    }

    /** The driver puts it into a URL as it stands, so it has nothing in it that a URL gives a meaning to. */
    private static Form<String> segments(String noun, String example, int least) {
        return Forms.TEXT.then(text -> {
            String[] segments = text.split("/", -1);
            boolean plain = Arrays.stream(segments)
                    .allMatch(one -> one.matches("[A-Za-z0-9._~@:+=,-]+") && !one.matches("\\.{1,2}"));
            return plain && segments.length >= least
                    ? Reading.of(text)
                    : Reading.unreadable(Forms.quote(text) + " is not " + noun
                            + "; allowed: segments of letters, digits and . _ ~ @ : + = , - with / between them, as in "
                            + example);
        });
    }
}

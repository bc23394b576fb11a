package io.sallyport.credential.source;

import io.sallyport.document.Form;
import io.sallyport.document.Forms;
import io.sallyport.document.Keys;
import io.sallyport.document.Reading;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/**
 * How far an installation token reaches: repositories of one owner, and permissions.
 *
 * @param repositories names without their owner, lower case, sorted; at least one
 * @param permissions by name, as in {@code contents}; at least one
 */
record GitHubReach(List<String> repositories, Map<String, Level> permissions) {

    /** Each holds those before it. */
    enum Level {
        READ,
        WRITE,
        ADMIN
    }

    /** As many as one token may have. */
    private static final int MOST_REPOSITORIES = 500;

    /** Comes with every token, asked for or not. */
    private static final String METADATA = "metadata";

    private static final Form<String> REPOSITORY = Forms.TEXT.then(text -> text.matches("[A-Za-z0-9._-]{1,100}")
            ? Reading.of(text.toLowerCase(Locale.ROOT))
            : Reading.unreadable(
                    Forms.quote(text) + " is not a repository; allowed: its name without its owner, as in site"));

    GitHubReach {
        repositories = List.copyOf(new TreeSet<>(repositories));
        permissions = new TreeMap<>(permissions);
    }

    /** The keys {@code repositories} and {@code permissions}, both required: what is left out would be everything. */
    static Optional<GitHubReach> read(Keys keys) {
        List<String> repositories = keys.list("repositories", REPOSITORY);
        if (repositories.size() > MOST_REPOSITORIES) {
            keys.problem("repositories", "has more than a token may have; allowed: " + MOST_REPOSITORIES);
        }
        Keys named = keys.child("permissions");
        Map<String, Level> permissions = new LinkedHashMap<>();
        for (String name : named.names()) {
            named.required(name, Forms.oneOf(Level.class)).ifPresent(level -> {
                if (name.matches("[a-z_]{1,60}")) {
                    permissions.put(name, level);
                } else {
                    named.problem(name, "is not a permission; allowed: GitHub's names, as in pull_requests");
                }
            });
        }
        if (keys.has("permissions") && named.names().isEmpty()) {
            keys.problem("permissions", "is empty; allowed: at least one, as in contents: read");
        }
        return repositories.isEmpty() || permissions.isEmpty()
                ? Optional.empty()
                : Optional.of(new GitHubReach(repositories, permissions));
    }

    /** A part of this one; what lies outside is a problem on the keys. */
    Optional<GitHubReach> narrowed(Keys keys) {
        Optional<GitHubReach> asked = read(keys);
        asked.ifPresent(part -> {
            List<String> others = part.repositories.stream()
                    .filter(name -> !repositories.contains(name))
                    .toList();
            if (!others.isEmpty()) {
                keys.problem(
                        "repositories",
                        "has " + String.join(", ", others) + ", which the credential has not; allowed: some of "
                                + String.join(", ", repositories));
            }
            Map<String, Level> wider = part.beyond(permissions);
            if (!wider.isEmpty()) {
                keys.problem(
                        "permissions",
                        "has " + text(wider) + ", which is more than the credential has; allowed: up to "
                                + text(permissions));
            }
        });
        return asked.filter(part -> repositories.containsAll(part.repositories)
                && part.beyond(permissions).isEmpty());
    }

    /** The same repositories, of which nothing but that they are there can be seen. */
    GitHubReach least() {
        return new GitHubReach(repositories, Map.of(METADATA, Level.READ));
    }

    /** The permissions of this one that those do not hold. */
    private Map<String, Level> beyond(Map<String, Level> those) {
        Map<String, Level> beyond = new TreeMap<>();
        permissions.forEach((name, level) -> {
            Level held = those.get(name);
            if (held == null || held.compareTo(level) < 0) {
                beyond.put(name, level);
            }
        });
        return beyond;
    }

    /** The content of a request for a token. */
    Map<String, Object> asked() {
        Map<String, String> levels = new TreeMap<>();
        permissions.forEach((name, level) -> levels.put(name, level.name().toLowerCase(Locale.ROOT)));
        return Map.of("repositories", repositories, "permissions", levels);
    }

    /** Those of the permissions that an installation does not have. */
    String lacking(JsonNode installed) {
        Map<String, Level> known = new TreeMap<>();
        installed.properties().forEach(one -> level(one.getValue()).ifPresent(level -> known.put(one.getKey(), level)));
        return text(beyond(known));
    }

    /**
     * Whether an answer gives no more than this: every repository named, of one owner, and every permission at its level at most.
     *
     * @param owner that the repositories must have, lower case; empty for any one
     */
    boolean holds(JsonNode answer, String owner) {
        if (!answer.path("repository_selection").asString("all").equals("selected")) {
            return false;
        }
        TreeSet<String> owners = new TreeSet<>();
        for (JsonNode repository : answer.path("repositories")) {
            String[] full = repository
                    .path("full_name")
                    .asString("")
                    .toLowerCase(Locale.ROOT)
                    .split("/", -1);
            if (full.length != 2 || !repositories.contains(full[1])) {
                return false;
            }
            owners.add(full[0]);
        }
        if (owners.size() != 1 || (!owner.isEmpty() && !owners.contains(owner))) {
            return false;
        }
        return levels(answer.path("permissions")).filter(this::holds).isPresent();
    }

    private boolean holds(Map<String, Level> given) {
        Map<String, Level> allowed = new TreeMap<>(permissions);
        allowed.putIfAbsent(METADATA, Level.READ);
        return new GitHubReach(repositories, given).beyond(allowed).isEmpty();
    }

    /** Empty where one of them is none that is known: what it allows can't be said then. */
    private static Optional<Map<String, Level>> levels(JsonNode permissions) {
        Map<String, Level> levels = new TreeMap<>();
        for (Map.Entry<String, JsonNode> one : permissions.properties()) {
            Optional<Level> level = level(one.getValue());
            if (level.isEmpty()) {
                return Optional.empty();
            }
            levels.put(one.getKey(), level.get());
        }
        return Optional.of(levels);
    }

    private static Optional<Level> level(JsonNode text) {
        return switch (text.asString("")) {
            case "read" -> Optional.of(Level.READ);
            case "write" -> Optional.of(Level.WRITE);
            case "admin" -> Optional.of(Level.ADMIN);
            default -> Optional.empty();
        };
    }

    private static String text(Map<String, Level> permissions) {
        TreeSet<String> all = new TreeSet<>();
        permissions.forEach((name, level) -> all.add(name + ": " + level.name().toLowerCase(Locale.ROOT)));
        return String.join(", ", all);
    }

    /** For a person, as in {@code site, docs with contents: read}. */
    String text() {
        return String.join(", ", repositories) + " with " + text(permissions);
    }
}

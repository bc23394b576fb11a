package io.sallyport.admin;

import io.sallyport.ledger.Ledger.Entry;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Entries in words for a person. Everything in them that came from an agent stays plain text: whoever shows it encodes it. */
public final class EntryText {

    private static final JsonMapper MAPPER = JsonMapper.shared();
    private static final int SHORT_HASH = 12;

    private EntryText() {}

    /** One member of an entry. */
    public record Member(String name, String value) {}

    static JsonNode read(Entry entry) {
        return MAPPER.readTree(entry.canonical());
    }

    /** All members, in the canonical order. */
    public static List<Member> members(Entry entry) {
        List<Member> members = new ArrayList<>();
        read(entry)
                .properties()
                .forEach(member -> members.add(new Member(
                        member.getKey().replace('_', ' '),
                        member.getValue().isString()
                                ? member.getValue().asString()
                                : member.getValue().toString())));
        return members;
    }

    public static @Nullable String task(Entry entry) {
        return read(entry).path("task").asString(null);
    }

    /** One sentence that says what happened. */
    public static String what(Entry entry) {
        JsonNode said = read(entry);
        return switch (entry.kind()) {
            case "exchanged" ->
                "%s may %s%s"
                        .formatted(
                                text(said, "workload"),
                                list(said, "scopes"),
                                said.has("purpose") ? ": " + text(said, "purpose") : "");
            case "exchange-refused" ->
                "%s from %s: %s".formatted(text(said, "error"), text(said, "source"), text(said, "cause"));
            case "used" -> "%s %s%s".formatted(text(said, "method"), text(said, "origin"), text(said, "target"));
            case "window" ->
                "content up to byte %d, %s…"
                        .formatted(
                                said.path("offset").asLong()
                                        + said.path("window_bytes").asLong(),
                                shortHash(said));
            case "outcome" -> "entry %s %s%s".formatted(text(said, "use"), text(said, "outcome"), status(said));
            case "handed-out" ->
                "entry %s: a fresh credential%s"
                        .formatted(text(said, "use"), said.has("name") ? ", " + text(said, "name") : "");
            case "refused" ->
                "%s %s%s: %s, %s"
                        .formatted(
                                text(said, "method"),
                                text(said, "destination"),
                                text(said, "target"),
                                text(said, "error"),
                                text(said, "reason"));
            case "revoked" ->
                "%s, grants ended: %d, flows cut: %d: %s"
                        .formatted(
                                text(said, "selector"),
                                said.path("grants").size(),
                                said.path("flows_cut").asInt(),
                                text(said, "reason"));
            case "locked" -> text(said, "selector") + ": " + text(said, "reason");
            case "unlocked" -> text(said, "lock") + ": " + text(said, "reason");
            case "operated" -> text(said, "what") + ", " + text(said, "by");
            case "book-read" ->
                said.has("refused_because")
                        ? "refused: " + text(said, "refused_because")
                        : "rule book " + text(said, "digest") + " in force";
            case "started" -> "version %s on %s".formatted(text(said, "version"), text(said, "node"));
            default -> "";
        };
    }

    private static String text(JsonNode said, String member) {
        JsonNode value = said.path(member);
        return value.isMissingNode() ? "" : value.asString(value.toString());
    }

    private static String list(JsonNode said, String member) {
        List<String> values = new ArrayList<>();
        said.path(member).forEach(value -> values.add(value.asString("")));
        return String.join(", ", values);
    }

    private static String shortHash(JsonNode said) {
        String hash = text(said, "prefix_sha256");
        return hash.substring(0, Math.min(SHORT_HASH, hash.length()));
    }

    private static String status(JsonNode said) {
        int status = said.path("status").asInt(0);
        return (status == 0 ? "" : " with " + status)
                + (said.path("masked").asBoolean(false) ? ", a secret masked" : "");
    }
}

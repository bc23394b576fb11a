package io.sallyport.ledger;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Compares the columns that look-ups go by with the canonical bytes: an entry that can't be found is as good as gone. */
final class RowCheck {

    private final JsonMapper json = JsonMapper.shared();
    private final Timestamps timestamps = new Timestamps();

    /** @return what differs, in words; null when nothing does */
    @Nullable
    String difference(ResultSet row) throws SQLException {
        JsonNode entry;
        try {
            entry = json.readTree(row.getBytes(9));
        } catch (JacksonException e) {
            return "its bytes are not JSON";
        }
        if (entry.path("v").asInt(0) != 1) {
            return "its version is not 1";
        }
        String name = firstDifferent(row, entry);
        return name == null ? null : "the column of its " + name + " says something else than its bytes";
    }

    private @Nullable String firstDifferent(ResultSet row, JsonNode entry) throws SQLException {
        if (entry.path("seq").asLong(-1) != row.getLong(1)) {
            return "seq";
        }
        if (!timestamps.text(row.getLong(2)).equals(text(entry, "time"))) {
            return "time";
        }
        if (!Objects.equals(row.getString(3), text(entry, "kind"))) {
            return "kind";
        }
        if (!Objects.equals(row.getString(4), text(entry, "task"))) {
            return "task";
        }
        if (!Objects.equals(row.getString(5), text(entry, "grant"))) {
            return "grant";
        }
        if (!Objects.equals(row.getString(6), text(entry, "use"))) {
            return "use";
        }
        String value = text(entry, "value_sha256");
        if (!Objects.equals(hash(row.getBytes(7)), value == null ? text(entry, "prefix_sha256") : value)) {
            return "prefix_sha256";
        }
        return Objects.equals(hash(row.getBytes(8)), text(entry, "request_sha256")) ? null : "request_sha256";
    }

    private static @Nullable String text(JsonNode entry, String name) {
        JsonNode member = entry.get(name);
        return member == null ? null : member.asString();
    }

    private static @Nullable String hash(byte @Nullable [] hash) {
        return hash == null ? null : Sha256.hex(hash);
    }
}

package io.sallyport.ledger;

import io.sallyport.identity.Principal;
import io.sallyport.store.Tx;
import io.sallyport.store.Writer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the ledger does before anything else is recorded: uses that a dead broker left without an outcome get one, {@code unknown}. The
 * credential may have left; saying nothing would read as if it had not.
 */
final class Start implements Writer.Work<Integer> {

    /** Before the first that is open there is nothing to close, and what was written since the last start is all behind it. */
    private static final String SINCE = """
            select seq, kind, use, canonical from entry
            where seq >= (select first_open from ledger_head) and kind in ('used', 'window', 'outcome')
            order by seq""";

    private final Ledger ledger;
    private final String version;
    private final String node;
    private final JsonMapper json = JsonMapper.shared();

    Start(Ledger ledger, String version, String node) {
        this.ledger = ledger;
        this.version = version;
        this.node = node;
    }

    /** A use that is open: its entry, and the entry of its last window. */
    private static final class Open {
        final byte[] used;
        byte[] last;

        Open(byte[] used) {
            this.used = used;
            this.last = used;
        }
    }

    /** @return how many uses were closed */
    @Override
    public Integer run(Tx tx) throws SQLException {
        Map<Long, Open> open = open(tx);
        for (Map.Entry<Long, Open> use : open.entrySet()) {
            ledger.append(tx, unknown(use.getKey(), use.getValue()));
        }
        ledger.append(tx, new Fact.Started(version, node, open.size()));
        return open.size();
    }

    private static Map<Long, Open> open(Tx tx) throws SQLException {
        Map<Long, Open> open = new LinkedHashMap<>();
        try (ResultSet rows = tx.prepare(SINCE).executeQuery()) {
            while (rows.next()) {
                switch (rows.getString(2)) {
                    case "used" -> open.put(rows.getLong(1), new Open(rows.getBytes(4)));
                    case "outcome" -> open.remove(rows.getLong(3));
                    default -> {
                        Open use = open.get(rows.getLong(3));
                        if (use != null) {
                            use.last = rows.getBytes(4);
                        }
                    }
                }
            }
        }
        return open;
    }

    private Fact.Outcome unknown(long seq, Open open) {
        JsonNode used = json.readTree(open.used);
        JsonNode last = json.readTree(open.last);
        List<String> credentials =
                used.path("credentials").valueStream().map(JsonNode::asString).toList();
        String detail =
                "the broker ended before the outcome was known; bytes_out and injected are the most that may have left";
        long recorded =
                last.path("offset").asLong(0) + last.path("window_bytes").asLong(0);
        return new Fact.Outcome(actor(used), seq, "unknown", 0, null, credentials, recorded, 0, false, detail);
    }

    private static Fact.Actor actor(JsonNode used) {
        return new Fact.Actor(
                used.path("task").asString(),
                used.path("grant").asString(),
                used.path("policy").asString(),
                Principal.parse(used.path("workload").asString()),
                person(used.get("person")));
    }

    private static @Nullable Principal person(@Nullable JsonNode person) {
        return person == null ? null : Principal.parse(person.asString());
    }
}

package io.sallyport.ledger;

import io.sallyport.identity.Principal;
import io.sallyport.store.Tx;
import io.sallyport.store.Writer;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the ledger does before anything else is recorded: uses that a dead broker left without an outcome get one, {@code unknown}. The
 * credential may have left; saying nothing would read as if it had not.
 */
final class Start implements Writer.Work<Integer> {

    /** Each start closes all that was open before it, so nothing earlier than the last one has to be looked at. */
    private static final String UNFINISHED = """
            select seq, canonical from entry used
            where kind = 'used'
              and seq > coalesce((select max(seq) from entry where kind = 'started'), -1)
              and not exists (select 1 from entry outcome where outcome.use = used.seq and outcome.kind = 'outcome')
            order by seq""";

    private static final String RECORDED =
            "select canonical from entry where use = ? and kind = 'window' order by seq desc limit 1";

    private final Ledger ledger;
    private final String version;
    private final String node;
    private final JsonMapper json = JsonMapper.shared();

    Start(Ledger ledger, String version, String node) {
        this.ledger = ledger;
        this.version = version;
        this.node = node;
    }

    /** @return how many uses were closed */
    @Override
    public Integer run(Tx tx) throws SQLException {
        List<Fact.Outcome> unknown = new ArrayList<>();
        try (ResultSet rows = tx.prepare(UNFINISHED).executeQuery()) {
            while (rows.next()) {
                unknown.add(unknown(tx, rows.getLong(1), json.readTree(rows.getBytes(2))));
            }
        }
        for (Fact.Outcome outcome : unknown) {
            ledger.append(tx, outcome);
        }
        ledger.append(tx, new Fact.Started(version, node, unknown.size()));
        return unknown.size();
    }

    private Fact.Outcome unknown(Tx tx, long seq, JsonNode used) throws SQLException {
        List<String> credentials =
                used.path("credentials").valueStream().map(JsonNode::asString).toList();
        String detail =
                "the broker ended before the outcome was known; bytes_out and injected are the most that may have left";
        return new Fact.Outcome(
                actor(used), seq, "unknown", 0, null, credentials, recordedBytes(tx, seq, used), 0, false, detail);
    }

    private long recordedBytes(Tx tx, long seq, JsonNode used) throws SQLException {
        PreparedStatement select = tx.prepare(RECORDED);
        select.setLong(1, seq);
        try (ResultSet row = select.executeQuery()) {
            JsonNode last = row.next() ? json.readTree(row.getBytes(1)) : used;
            return last.path("offset").asLong(0) + last.path("window_bytes").asLong(0);
        }
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

package io.sallyport.grant;

import io.sallyport.http.Origin;
import io.sallyport.identity.Isolation;
import io.sallyport.identity.Principal;
import io.sallyport.policy.Binding;
import io.sallyport.store.Tx;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The tables {@code grants} and {@code grant_budget}: a grant to a row and back. */
final class GrantRows {

    private static final String COLUMNS =
            "id, jti, task, parent, depth, policy, policy_digest, scopes, resources, workload, person,"
                    + " isolation, address, uses, bytes_out, opened_at, expires_at, purpose, binding";

    private static final String INSERT =
            "insert into grants (" + COLUMNS + ") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    private static final String INSERT_BUDGET = "insert into grant_budget (id, uses_left, bytes_left) values (?, ?, ?)";
    private static final String END =
            "update grants set ended_at = ?, end_reason = ? where id = ? and ended_at is null";

    /** Parents come before their children. */
    private static final String NOT_ENDED =
            "select " + COLUMNS + " from grants where ended_at is null and expires_at > ? order by depth";

    private static final String USAGE = "select g.uses - b.uses_left, g.bytes_out - b.bytes_left"
            + " from grants g join grant_budget b on b.id = g.id where g.id = ?";

    private static final String LINE = "with recursive line (id, parent) as (select id, parent from grants where id = ?"
            + " union all select g.id, g.parent from grants g join line l on g.id = l.parent) select id from line";

    private GrantRows() {}

    static void insert(Tx tx, Grant grant) throws SQLException {
        PreparedStatement row = tx.prepare(INSERT);
        row.setString(1, grant.id());
        row.setString(2, grant.jti());
        row.setString(3, grant.task());
        text(row, 4, grant.parent());
        row.setInt(5, grant.depth());
        row.setString(6, grant.policy());
        row.setString(7, grant.policyDigest());
        row.setString(8, String.join(" ", grant.scopes()));
        row.setString(
                9, grant.resources().stream().map(Origin::toString).sorted().collect(Collectors.joining(" ")));
        row.setString(10, grant.workload().toString());
        text(row, 11, grant.person() == null ? null : grant.person().toString());
        row.setString(12, grant.isolation().name());
        text(row, 13, grant.address());
        row.setLong(14, grant.uses());
        row.setLong(15, grant.bytesOut());
        row.setLong(16, grant.openedAt().toEpochMilli());
        row.setLong(17, grant.expiresAt().toEpochMilli());
        text(row, 18, grant.purpose());
        row.setString(19, grant.binding().name());
        row.executeUpdate();
        PreparedStatement budget = tx.prepare(INSERT_BUDGET);
        budget.setString(1, grant.id());
        budget.setLong(2, grant.uses());
        budget.setLong(3, grant.bytesOut());
        budget.executeUpdate();
    }

    private static void text(PreparedStatement row, int column, @Nullable String value) throws SQLException {
        if (value == null) {
            row.setNull(column, Types.VARCHAR);
        } else {
            row.setString(column, value);
        }
    }

    static void end(Tx tx, String id, EndReason reason, long atMillis) throws SQLException {
        PreparedStatement end = tx.prepare(END);
        end.setLong(1, atMillis);
        end.setString(2, reason.name());
        end.setString(3, id);
        end.executeUpdate();
    }

    static void eachNotEnded(Connection connection, long nowMillis, Consumer<Grant> consumer) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(NOT_ENDED)) {
            query.setLong(1, nowMillis);
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    consumer.accept(grant(rows));
                }
            }
        }
    }

    /** @param column {@code id} or {@code jti} */
    static Optional<Grant> find(Connection connection, String column, String value) throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement("select " + COLUMNS + " from grants where " + column + " = ?")) {
            query.setString(1, value);
            try (ResultSet rows = query.executeQuery()) {
                return rows.next() ? Optional.of(grant(rows)) : Optional.empty();
            }
        }
    }

    /** The grant and all its ancestors. */
    static List<String> line(Tx tx, String id) throws SQLException {
        PreparedStatement query = tx.prepare(LINE);
        query.setString(1, id);
        List<String> line = new ArrayList<>();
        try (ResultSet rows = query.executeQuery()) {
            while (rows.next()) {
                line.add(rows.getString(1));
            }
        }
        return line;
    }

    static Grants.Usage usage(Connection connection, String id) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(USAGE)) {
            query.setString(1, id);
            try (ResultSet rows = query.executeQuery()) {
                return rows.next() ? new Grants.Usage(rows.getLong(1), rows.getLong(2)) : new Grants.Usage(0, 0);
            }
        }
    }

    private static Grant grant(ResultSet row) throws SQLException {
        String person = row.getString("person");
        return new Grant(
                row.getString("id"),
                row.getString("jti"),
                row.getString("task"),
                row.getString("parent"),
                row.getInt("depth"),
                row.getString("policy"),
                row.getString("policy_digest"),
                new TreeSet<>(words(row.getString("scopes"))),
                words(row.getString("resources")).stream()
                        .map(origin -> Origin.parse(origin).orElseThrow())
                        .collect(Collectors.toSet()),
                Principal.parse(row.getString("workload")),
                person == null ? null : Principal.parse(person),
                Isolation.valueOf(row.getString("isolation")),
                row.getString("address"),
                row.getLong("uses"),
                row.getLong("bytes_out"),
                Instant.ofEpochMilli(row.getLong("opened_at")),
                Instant.ofEpochMilli(row.getLong("expires_at")),
                row.getString("purpose"),
                Binding.valueOf(row.getString("binding")));
    }

    private static Set<String> words(String joined) {
        return joined.isEmpty() ? Set.of() : Set.copyOf(List.of(joined.split(" ")));
    }
}

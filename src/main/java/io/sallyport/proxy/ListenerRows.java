package io.sallyport.proxy;

import io.sallyport.grant.TaskListener;
import io.sallyport.http.IpRange;
import io.sallyport.store.Tx;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

/** The table {@code task_listener}: where the listener of a grant is, so that it is there again after a restart. */
final class ListenerRows {

    private static final String INSERT = "insert into task_listener (grant_id, kind, admits, at) values (?, ?, ?, ?)";
    private static final String DELETE = "delete from task_listener where grant_id = ?";
    private static final String ALL = "select grant_id, kind, admits, at from task_listener";

    private ListenerRows() {}

    /** @param at a port's number, or the path of a socket */
    record Row(TaskListener.Wanted wanted, String at) {}

    static void insert(Tx tx, String grant, Row row) throws SQLException {
        PreparedStatement insert = tx.prepare(INSERT);
        insert.setString(1, grant);
        insert.setString(2, kind(row.wanted()));
        insert.setString(3, admits(row.wanted()));
        insert.setString(4, row.at());
        insert.executeUpdate();
    }

    static void delete(Tx tx, String grant) throws SQLException {
        PreparedStatement delete = tx.prepare(DELETE);
        delete.setString(1, grant);
        delete.executeUpdate();
    }

    /** By grant. */
    static Map<String, Row> all(Connection connection) throws SQLException {
        Map<String, Row> all = new LinkedHashMap<>();
        try (PreparedStatement query = connection.prepareStatement(ALL);
                ResultSet rows = query.executeQuery()) {
            while (rows.next()) {
                all.put(
                        rows.getString("grant_id"),
                        new Row(wanted(rows.getString("kind"), rows.getString("admits")), rows.getString("at")));
            }
        }
        return all;
    }

    private static String kind(TaskListener.Wanted wanted) {
        return switch (wanted) {
            case TaskListener.Port ignored -> "port";
            case TaskListener.Transparent ignored -> "transparent";
            case TaskListener.Socket ignored -> "socket";
        };
    }

    private static String admits(TaskListener.Wanted wanted) {
        return switch (wanted) {
            case TaskListener.Port(IpRange peers) -> peers.toString();
            case TaskListener.Transparent(IpRange peers) -> peers.toString();
            case TaskListener.Socket(long uid) -> Long.toString(uid);
        };
    }

    private static TaskListener.Wanted wanted(String kind, String admits) {
        return switch (kind) {
            case "port" -> new TaskListener.Port(IpRange.parse(admits).orElseThrow());
            case "transparent" ->
                new TaskListener.Transparent(IpRange.parse(admits).orElseThrow());
            case "socket" -> new TaskListener.Socket(Long.parseLong(admits));
            default -> throw new IllegalStateException("task_listener has a row of the kind " + kind);
        };
    }
}

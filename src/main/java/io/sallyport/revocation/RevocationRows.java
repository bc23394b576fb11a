package io.sallyport.revocation;

import io.sallyport.store.Tx;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The tables {@code revocation} and {@code revocation_lock}. */
final class RevocationRows {

    private static final String INSERT = "insert into revocation"
            + " (id, ordered_at, ordered_by, selector, reason, grants, flows_cut, node) values (?, ?, ?, ?, ?, ?, ?, ?)";
    private static final String FIND = "select grants, flows_cut, node from revocation where id = ?";
    private static final String INSERT_LOCK = "insert into revocation_lock"
            + " (id, revocation, selector, reason, locked_by, locked_at) values (?, ?, ?, ?, ?, ?)";
    private static final String DELETE_LOCK = "delete from revocation_lock where id = ?";
    private static final String LOCKS =
            "select id, revocation, selector, reason, locked_by, locked_at from revocation_lock order by locked_at, id";

    private RevocationRows() {}

    static void insert(Tx tx, Order order, String node) throws SQLException {
        PreparedStatement row = tx.prepare(INSERT);
        row.setString(1, order.id());
        row.setLong(2, order.at().toEpochMilli());
        row.setString(3, order.by());
        row.setString(4, SelectorJson.write(order.selector()));
        row.setString(5, order.reason());
        row.setString(6, String.join(" ", order.grantIds()));
        row.setInt(7, order.flowsCut());
        row.setString(8, node);
        row.executeUpdate();
    }

    static Optional<Receipt> find(Connection connection, String id) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(FIND)) {
            query.setString(1, id);
            try (ResultSet row = query.executeQuery()) {
                return row.next() ? Optional.of(receipt(id, row)) : Optional.empty();
            }
        }
    }

    private static Receipt receipt(String id, ResultSet row) throws SQLException {
        String ids = row.getString(1);
        List<String> grants = ids.isEmpty() ? List.of() : List.of(ids.split(" "));
        return new Receipt(id, grants, row.getInt(2), true, List.of(row.getString(3)));
    }

    static void insert(Tx tx, Lock lock) throws SQLException {
        PreparedStatement row = tx.prepare(INSERT_LOCK);
        row.setString(1, lock.id());
        row.setString(2, lock.revocation());
        row.setString(3, SelectorJson.write(lock.selector()));
        row.setString(4, lock.reason());
        row.setString(5, lock.by());
        row.setLong(6, lock.since().toEpochMilli());
        row.executeUpdate();
    }

    static void deleteLock(Tx tx, String id) throws SQLException {
        PreparedStatement row = tx.prepare(DELETE_LOCK);
        row.setString(1, id);
        row.executeUpdate();
    }

    static List<Lock> locks(Connection connection) throws SQLException {
        List<Lock> locks = new ArrayList<>();
        try (PreparedStatement query = connection.prepareStatement(LOCKS);
                ResultSet row = query.executeQuery()) {
            while (row.next()) {
                locks.add(new Lock(
                        row.getString(1),
                        row.getString(2),
                        SelectorJson.read(row.getString(3)),
                        row.getString(4),
                        row.getString(5),
                        Instant.ofEpochMilli(row.getLong(6))));
            }
        }
        return locks;
    }
}

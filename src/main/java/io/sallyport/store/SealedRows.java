package io.sallyport.store;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The sealed values of a database, by the key that each of them needs: its id stands in the clear in front of every one. */
final class SealedRows {

    private final Readers readers;
    private final List<SealedColumn> columns;

    SealedRows(Readers readers, List<SealedColumn> columns) {
        this.readers = readers;
        this.columns = List.copyOf(columns);
    }

    /** @param key what {@link SealedColumn#key} names, in that order */
    record Row(SealedColumn column, List<String> key, byte[] sealed) {

        String place() {
            return column.place().apply(key);
        }

        @Override
        public String toString() {
            return column + " of " + key.getFirst();
        }
    }

    List<SealedColumn> columns() {
        return columns;
    }

    /** How many values need which key, by its id. */
    Map<String, Long> needed() {
        return readers.read(connection -> {
            Map<String, Long> needed = new TreeMap<>();
            for (SealedColumn column : columns) {
                try (PreparedStatement select = connection.prepareStatement("select lower(hex(substr(" + column.column()
                        + ", 2, 8))) as id, count(*) from " + column.table() + where(column) + " group by id")) {
                    bind(select, column, 1);
                    try (ResultSet rows = select.executeQuery()) {
                        while (rows.next()) {
                            needed.merge(rows.getString(1), rows.getLong(2), Long::sum);
                        }
                    }
                }
            }
            return needed;
        });
    }

    /** Rows that need another key than that one, in the order of their keys, after a row's. @param after the first key column; empty at first */
    List<Row> others(SealedColumn column, String id, String after, int most) {
        String first = column.key().getFirst();
        return readers.read(connection -> {
            List<Row> found = new ArrayList<>();
            try (PreparedStatement select = connection.prepareStatement("select " + String.join(", ", column.key())
                    + ", " + column.column() + " from " + column.table() + where(column) + " and " + first
                    + " > ? and lower(hex(substr(" + column.column() + ", 2, 8))) <> ? order by " + first
                    + " limit ?")) {
                int next = bind(select, column, 1);
                select.setString(next, after);
                select.setString(next + 1, id);
                select.setInt(next + 2, most);
                try (ResultSet rows = select.executeQuery()) {
                    while (rows.next()) {
                        found.add(row(column, rows));
                    }
                }
            }
            return found;
        });
    }

    private static Row row(SealedColumn column, ResultSet rows) throws SQLException {
        List<String> key = new ArrayList<>();
        for (int i = 1; i <= column.key().size(); i++) {
            key.add(rows.getString(i));
        }
        return new Row(column, List.copyOf(key), rows.getBytes(column.key().size() + 1));
    }

    /**
     * Writes a value sealed anew in the place of the same one. The value itself is what is compared: no two are alike, so one that was
     * entered meanwhile stands.
     */
    static boolean replace(Tx tx, Row row, byte[] anew) throws SQLException {
        SealedColumn column = row.column();
        PreparedStatement update = tx.prepare("update " + column.table() + " set " + column.column() + " = ? where "
                + column.key().getFirst() + " = ? and " + column.column() + " = ?");
        update.setBytes(1, anew);
        update.setString(2, row.key().getFirst());
        update.setBytes(3, row.sealed());
        return update.executeUpdate() == 1;
    }

    private static String where(SealedColumn column) {
        return " where " + column.column() + " is not null"
                + (column.only() == null ? "" : " and " + column.key().getFirst() + " = ?");
    }

    private static int bind(PreparedStatement statement, SealedColumn column, int at) throws SQLException {
        if (column.only() == null) {
            return at;
        }
        statement.setString(at, column.only());
        return at + 1;
    }
}

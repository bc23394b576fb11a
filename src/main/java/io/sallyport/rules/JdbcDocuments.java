package io.sallyport.rules;

import io.sallyport.store.Readers;
import io.sallyport.store.Tx;
import io.sallyport.store.Writer;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Tables {@code document} and {@code policy_version}. */
final class JdbcDocuments implements Documents {

    private static final String ALL = "SELECT kind, name, text FROM document ORDER BY kind, name";
    private static final String PUT = """
            INSERT INTO document (kind, name, text, written_by, written_at) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (kind, name) DO UPDATE
            SET text = excluded.text, written_by = excluded.written_by, written_at = excluded.written_at""";
    private static final String REMOVE = "DELETE FROM document WHERE kind = ? AND name = ?";
    private static final String KEEP =
            "INSERT INTO policy_version (digest, name, text, kept_at) VALUES (?, ?, ?, ?) ON CONFLICT (digest, name) DO NOTHING";
    private static final String VERSION = "SELECT name, text FROM policy_version WHERE digest = ?";

    private final Writer writer;
    private final Readers readers;
    private final Clock clock;

    JdbcDocuments(Writer writer, Readers readers, Clock clock) {
        this.writer = writer;
        this.readers = readers;
        this.clock = clock;
    }

    @Override
    public List<Row> all() {
        return readers.read(connection -> {
            List<Row> rows = new ArrayList<>();
            try (PreparedStatement query = connection.prepareStatement(ALL);
                    ResultSet found = query.executeQuery()) {
                while (found.next()) {
                    rows.add(new Row(found.getString(1), found.getString(2), found.getString(3)));
                }
            }
            return rows;
        });
    }

    @Override
    public void put(Row row, String by) {
        writer.write(tx -> {
            PreparedStatement put = tx.prepare(PUT);
            put.setString(1, row.kind());
            put.setString(2, row.name());
            put.setString(3, row.text());
            put.setString(4, by);
            put.setLong(5, clock.millis());
            return put.executeUpdate();
        });
    }

    @Override
    public boolean remove(String kind, String name) {
        return writer.write(tx -> {
            PreparedStatement remove = tx.prepare(REMOVE);
            remove.setString(1, kind);
            remove.setString(2, name);
            return remove.executeUpdate() > 0;
        });
    }

    @Override
    public void keepVersion(Tx tx, String digest, Row policy) throws SQLException {
        PreparedStatement keep = tx.prepare(KEEP);
        keep.setString(1, digest);
        keep.setString(2, policy.name());
        keep.setString(3, policy.text());
        keep.setLong(4, clock.millis());
        keep.executeUpdate();
    }

    @Override
    public Optional<Row> version(String digest) {
        return readers.read(connection -> {
            try (PreparedStatement query = connection.prepareStatement(VERSION)) {
                query.setString(1, digest);
                try (ResultSet found = query.executeQuery()) {
                    return found.next()
                            ? Optional.of(new Row(Kind.POLICY.key(), found.getString(1), found.getString(2)))
                            : Optional.<Row>empty();
                }
            }
        });
    }
}

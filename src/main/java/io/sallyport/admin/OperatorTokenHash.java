package io.sallyport.admin;

import io.sallyport.ledger.Fact;
import io.sallyport.ledger.Ledger;
import io.sallyport.store.Readers;
import io.sallyport.store.Writer;
import java.sql.PreparedStatement;
import java.util.Optional;

/** The hash of the operator token, where it rests. Replacing it and telling the ledger are one transaction. */
final class OperatorTokenHash {

    private final Writer writer;
    private final Readers readers;
    private final Ledger ledger;

    OperatorTokenHash(Writer writer, Readers readers, Ledger ledger) {
        this.writer = writer;
        this.readers = readers;
        this.ledger = ledger;
    }

    /** Empty before the first start. */
    Optional<byte[]> read() {
        return readers.read(connection -> {
            try (var statement = connection.prepareStatement("select sha256 from operator_token");
                    var rows = statement.executeQuery()) {
                return rows.next() ? Optional.of(rows.getBytes(1)) : Optional.empty();
            }
        });
    }

    void replace(byte[] hash, String by) {
        writer.write(tx -> {
            PreparedStatement statement = tx.prepare(
                    "insert into operator_token (id, sha256) values (1, ?) on conflict (id) do update set sha256 = excluded.sha256");
            statement.setBytes(1, hash);
            statement.executeUpdate();
            return ledger.append(tx, new Fact.Operated(by, "operator token made"));
        });
    }
}

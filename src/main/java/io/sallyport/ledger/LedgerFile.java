package io.sallyport.ledger;

import io.sallyport.store.SqliteReaders;
import io.sallyport.store.SqliteStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The record read from its file, without a broker or beside a running one; it is never written to. */
public final class LedgerFile implements LedgerView, AutoCloseable {

    private final SqliteReaders readers;
    private final Entries entries;

    private LedgerFile(SqliteReaders readers) {
        this.readers = readers;
        this.entries = new Entries(readers);
    }

    /**
     * Opens the record.
     *
     * @param data the data folder, or the database file itself
     * @throws io.sallyport.store.StoreFault when there is none
     */
    public static LedgerFile open(Path data) {
        return new LedgerFile(SqliteReaders.of(Files.isDirectory(data) ? data.resolve(SqliteStore.FILE) : data));
    }

    @Override
    public Ledger.Page find(Ledger.Query query) {
        return entries.find(query);
    }

    @Override
    public Optional<Ledger.Entry> entry(long seq) {
        return entries.entry(seq);
    }

    @Override
    public Head head() {
        return entries.head();
    }

    @Override
    public Ledger.Check verify(@Nullable Head earlier) {
        return entries.verify(earlier);
    }

    @Override
    public void close() {
        readers.close();
    }
}

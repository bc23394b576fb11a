package io.sallyport.store;

import java.nio.file.Path;
import java.util.List;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;

/** The embedded store: one SQLite file in a folder that this process holds alone, brought to the current schema when opened. */
public final class SqliteStore implements AutoCloseable {

    /** The database's name within the data folder. */
    public static final String FILE = "sallyport.db";

    private final Path file;
    private final DataFolder folder;
    private final GroupCommitWriter writer;
    private final SqliteReaders readers;

    private SqliteStore(Path file, DataFolder folder, SqliteConnections connections) {
        this.file = file;
        this.folder = folder;
        this.writer = new GroupCommitWriter(() -> connections.writing().getConnection());
        this.readers = new SqliteReaders(connections);
    }

    /**
     * Opens {@code sallyport.db} in the folder, making both (for the owner alone) where they are missing.
     *
     * @throws StoreFault when another process holds the folder, others may write to it, or the database is not one of this program's
     */
    public static SqliteStore open(Path data) {
        return openFile(data.resolve(FILE));
    }

    /** As {@link #open}, for a database file by its own name. */
    public static SqliteStore openFile(Path database) {
        Path file = database.toAbsolutePath().normalize();
        DataFolder folder = DataFolder.hold(file);
        try {
            SqliteConnections connections = new SqliteConnections(file);
            migrate(connections);
            return new SqliteStore(file, folder, connections);
        } catch (FlywayException e) {
            folder.close();
            throw new StoreFault("The database " + file + " can't be brought to this version: " + e.getMessage(), e);
        } catch (RuntimeException e) {
            folder.close();
            throw e;
        }
    }

    /** Each room brings its own files, in a range of numbers of its own; hence out of order. */
    private static void migrate(SqliteConnections connections) {
        Flyway.configure(SqliteStore.class.getClassLoader())
                .dataSource(connections.writing())
                .locations("classpath:db/migration")
                .outOfOrder(true)
                .validateMigrationNaming(true)
                .cleanDisabled(true)
                .load()
                .migrate();
    }

    public Writer writer() {
        return writer;
    }

    public Readers readers() {
        return readers;
    }

    /** Where the database is, absolute. */
    public Path file() {
        return file;
    }

    /**
     * The seal under the master key, which must be the one that this database was first sealed with.
     *
     * @throws StoreFault when it is another, is missing, lies beside the database, or can be read by others
     */
    public Seal seal(KeyPlace place) {
        return seal(place, List.of());
    }

    /** As {@link #seal(KeyPlace)}. @param keepers of keys that rest in the database, wrapped */
    public Seal seal(KeyPlace place, List<KeyKeeper> keepers) {
        return MasterKey.unlock(this, place, List.of(), new Keepers(keepers));
    }

    /**
     * As {@link #seal(KeyPlace, List)}, where one key may take the place of another.
     *
     * @param previous where keys are that sealed before; they open what they have sealed
     * @param columns all that is sealed in the database
     * @throws StoreFault also when something was sealed with a key that is not among those
     */
    public Resealing keys(
            KeyPlace place, List<KeyPlace> previous, List<KeyKeeper> keepers, List<SealedColumn> columns) {
        Keepers all = new Keepers(keepers);
        KeyRing ring = MasterKey.unlock(this, place, previous, all);
        return Resealing.open(this, ring, place, all, new SealedRows(readers, columns));
    }

    /** Finishes what waits, then lets the folder go. */
    @Override
    public void close() {
        writer.close();
        readers.close();
        folder.close();
    }
}

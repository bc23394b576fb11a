package io.sallyport.store;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.Pragma;
import org.sqlite.SQLiteDataSource;
import org.sqlite.SQLiteOpenMode;

/** How connections to the database file are made: the one place where durability is set. */
final class SqliteConnections {

    private static final int BUSY_MILLIS = 5_000;
    private static final int CACHE_KIB = 64 * 1024;
    private static final int READER_CACHE_KIB = 8 * 1024;

    /** 16 MiB: a checkpoint costs two fsyncs and rewrites each changed page once, so it pays to let hot pages gather. */
    private static final int CHECKPOINT_PAGES = 4_096;

    private static final int WAL_KEPT_BYTES = 64 * 1024 * 1024;

    private final Path file;

    SqliteConnections(Path file) {
        this.file = file;
    }

    /** Write-ahead log with an fsync in each commit: when commit returns, the transaction is on disk. */
    SQLiteDataSource writing() {
        SQLiteConfig config = config();
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.setWalAutocheckpoint(CHECKPOINT_PAGES);
        config.setJournalSizeLimit(WAL_KEPT_BYTES);
        config.setCacheSize(-CACHE_KIB);
        return source(config, "jdbc:sqlite:" + file);
    }

    Connection openReader() throws SQLException {
        SQLiteConfig config = config();
        config.setReadOnly(true);
        config.resetOpenMode(SQLiteOpenMode.CREATE);
        config.setCacheSize(-READER_CACHE_KIB);
        Connection connection = source(config, readerUrl()).getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    /**
     * On read-only media SQLite can't lay its shared index beside the file. There, and only there, the file is declared immutable: in a
     * folder that can be written, a broker may start at any moment.
     */
    private String readerUrl() {
        Path folder = file.toAbsolutePath().getParent();
        boolean fixed = folder != null
                && !Files.isWritable(folder)
                && !Files.exists(file.resolveSibling(file.getFileName() + "-wal"));
        return fixed ? "jdbc:sqlite:" + file.toUri() + "?immutable=1" : "jdbc:sqlite:" + file;
    }

    private static SQLiteConfig config() {
        SQLiteConfig config = new SQLiteConfig();
        // Each connection is one thread's at a time, and the driver locks it besides: SQLite need not do it a third
        // time in every call.
        config.setOpenMode(SQLiteOpenMode.NOMUTEX);
        config.enforceForeignKeys(true);
        config.setBusyTimeout(BUSY_MILLIS);
        config.setTempStore(SQLiteConfig.TempStore.MEMORY);
        config.setGetGeneratedKeys(false);
        config.setPragma(Pragma.RECURSIVE_TRIGGERS, "true");
        return config;
    }

    private static SQLiteDataSource source(SQLiteConfig config, String url) {
        SQLiteDataSource source = new SQLiteDataSource(config);
        source.setUrl(url);
        return source;
    }
}

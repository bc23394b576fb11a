package io.sallyport.testing;

import io.sallyport.store.KeyPlace;
import io.sallyport.store.Readers;
import io.sallyport.store.Seal;
import io.sallyport.store.SqliteStore;
import io.sallyport.store.Writer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The real store in a folder of its own for each test. As {@code @RegisterExtension final TestStore store = new TestStore()}, or by hand
 * with {@link #start} and {@link #close}.
 */
public final class TestStore implements BeforeEachCallback, AfterEachCallback, AutoCloseable {

    private Path folder;
    private SqliteStore store;
    private Seal seal;

    public static TestStore started() {
        return new TestStore().start();
    }

    public TestStore start() {
        try {
            folder = Files.createTempDirectory("sallyport-test-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        store = SqliteStore.open(data());
        return this;
    }

    /** The store of a folder that another process has left, or will take over. */
    public static TestStore at(Path folder) {
        TestStore there = new TestStore();
        there.folder = folder;
        there.store = SqliteStore.open(there.data());
        return there;
    }

    public Path data() {
        return folder.resolve("data");
    }

    /** Where the master key is, outside the data folder. */
    public Path key() {
        return folder.resolve("home/master.key");
    }

    public SqliteStore sqlite() {
        return store;
    }

    public Writer writer() {
        return store.writer();
    }

    public Readers readers() {
        return store.readers();
    }

    public Seal seal() {
        if (seal == null) {
            seal = store.seal(new KeyPlace.InFile(key()));
        }
        return seal;
    }

    /** Closes the store and opens it again, as a restart does. */
    public TestStore reopen() {
        store.close();
        store = SqliteStore.open(data());
        seal = null;
        return this;
    }

    @Override
    public void close() {
        store.close();
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        start();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        close();
    }
}

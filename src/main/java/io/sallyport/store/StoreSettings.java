package io.sallyport.store;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the store is.
 *
 * @param data {@code sallyport.data}: folder of the embedded default
 * @param url {@code spring.datasource.url}; null for the embedded default
 * @param key {@code sallyport.key}, as {@link KeyPlace#of} reads it
 * @param previousKeys {@code sallyport.previous-keys}, each as that
 */
public record StoreSettings(Path data, @Nullable String url, String key, List<String> previousKeys) {

    private static final String SQLITE = "jdbc:sqlite:";

    public StoreSettings {
        previousKeys = List.copyOf(previousKeys);
    }

    /** Without a key that sealed before. */
    public StoreSettings(Path data, @Nullable String url, String key) {
        this(data, url, key, List.of());
    }

    /** @throws StoreFault when it is none */
    KeyPlace keyPlace() {
        return KeyPlace.of(key);
    }

    /** @throws StoreFault when one is none */
    List<KeyPlace> previousKeyPlaces() {
        return previousKeys.stream()
                .map(place -> KeyPlace.of("sallyport.previous-keys", place))
                .toList();
    }

    /**
     * The database file that the settings name.
     *
     * @throws StoreFault when the URL is not one that this build can serve
     */
    public Path file() {
        if (url == null || url.isBlank()) {
            return data.resolve(SqliteStore.FILE);
        }
        if (!url.startsWith(SQLITE)) {
            throw new StoreFault("spring.datasource.url must begin with " + SQLITE
                    + " in this build (PostgreSQL is not supported by it); leave it out for "
                    + data.resolve(SqliteStore.FILE));
        }
        String path = url.substring(SQLITE.length());
        // Parameters could switch off the very things that this room promises: synchronous, journal_mode, in-memory.
        if (path.isBlank() || path.startsWith(":") || path.startsWith("file:") || path.contains("?")) {
            throw new StoreFault("spring.datasource.url must be " + SQLITE + "PATH, a plain file without parameters");
        }
        return Path.of(path);
    }
}

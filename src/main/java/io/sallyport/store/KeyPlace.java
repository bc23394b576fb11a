package io.sallyport.store;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where the key is kept that seals what rests in the database: never beside the database, or a copy of the one is a copy of both. */
public sealed interface KeyPlace {

    /** A file with the key in base64; made at first start where there is none. */
    record InFile(Path file) implements KeyPlace {

        @Override
        public String toString() {
            return "the file " + file;
        }
    }

    /** An environment variable with the key in base64. @param value null when it is not set */
    record InEnvironment(String name, @Nullable String value) implements KeyPlace {

        /** Without the value, which is the key. */
        @Override
        public String toString() {
            return "the environment variable " + name;
        }
    }

    /**
     * Reads {@code sallyport.key}.
     *
     * @param setting {@code file:PATH} or {@code env:NAME}
     */
    static KeyPlace of(String setting) {
        if (setting.startsWith("file:") && setting.length() > 5) {
            return new InFile(Path.of(setting.substring(5)));
        }
        if (setting.startsWith("env:") && setting.length() > 4) {
            String name = setting.substring(4);
            return new InEnvironment(name, System.getenv(name));
        }
        throw new StoreFault("sallyport.key is file:PATH or env:NAME");
    }
}

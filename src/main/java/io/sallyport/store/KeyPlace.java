package io.sallyport.store;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where the key is kept that seals what rests in the database: never beside the database, or a copy of the one is a copy of both. */
public sealed interface KeyPlace {

    List<String> KEEPERS = List.of("aws-kms", "vault-transit");

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
     * A service that wraps the key, which then rests in the database. @param kind of the {@link KeyKeeper}; @param key the service's own
     */
    record Kept(String kind, String key) implements KeyPlace {

        /** As {@code sallyport.key} says it. */
        @Override
        public String toString() {
            return kind + ":" + key;
        }
    }

    /**
     * Reads {@code sallyport.key}.
     *
     * @param setting {@code file:PATH}, {@code env:NAME}, {@code aws-kms:ARN} or {@code vault-transit:MOUNT/KEY}
     */
    static KeyPlace of(String setting) {
        return of("sallyport.key", setting);
    }

    /** As {@link #of(String)}. @param name of the setting that says it */
    static KeyPlace of(String name, String setting) {
        if (setting.startsWith("file:") && setting.length() > 5) {
            return new InFile(Path.of(setting.substring(5)));
        }
        if (setting.startsWith("env:") && setting.length() > 4) {
            String variable = setting.substring(4);
            return new InEnvironment(variable, System.getenv(variable));
        }
        for (String kind : KEEPERS) {
            if (setting.startsWith(kind + ":") && setting.length() > kind.length() + 1) {
                return new Kept(kind, setting.substring(kind.length() + 1));
            }
        }
        throw new StoreFault(name + " is file:PATH, env:NAME, aws-kms:ARN or vault-transit:MOUNT/KEY");
    }
}

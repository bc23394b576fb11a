package io.sallyport.store;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** A key that lies at its place, in a file or a variable, 32 bytes in base64. */
final class PlacedKey {

    static final int BYTES = 32;

    private PlacedKey() {}

    /**
     * @param setting that names the place
     * @param mayMake whether a file that is not there is made
     * @throws StoreFault in words for whoever starts the broker, without anything of the key
     */
    static byte[] read(KeyPlace place, String setting, Path database, boolean mayMake) {
        return switch (place) {
            case KeyPlace.Kept kept -> throw new IllegalStateException(kept + " is asked, and not read");
            case KeyPlace.InEnvironment(String name, @Nullable String value) -> {
                if (value == null) {
                    throw new StoreFault(
                            "The environment variable " + name + ", which " + setting + " names, is not set");
                }
                yield decode(value, place);
            }
            case KeyPlace.InFile(Path file) -> {
                try {
                    yield readFile(file.toAbsolutePath().normalize(), database, mayMake);
                } catch (IOException e) {
                    throw new StoreFault("The key in " + place + " can't be used: " + e, e);
                }
            }
        };
    }

    private static byte[] readFile(Path file, Path database, boolean mayMake) throws IOException {
        refuseBeside(file, database);
        if (!Files.exists(file)) {
            if (!mayMake) {
                throw new StoreFault(
                        "The key that the database " + database + " was sealed with is gone: there is no file " + file);
            }
            make(file);
        }
        OwnerOnly.refuseReadableByOthers(file, "The key file");
        OwnerOnly.refuseWritableByOthers(file, "The key file");
        return decode(Files.readString(file, StandardCharsets.US_ASCII), new KeyPlace.InFile(file));
    }

    private static void make(Path file) throws IOException {
        byte[] key = new byte[BYTES];
        new SecureRandom().nextBytes(key);
        Path folder = file.getParent();
        if (folder != null) {
            OwnerOnly.createFolders(folder);
        }
        OwnerOnly.createFile(
                file, (Base64.getEncoder().encodeToString(key) + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    /** Whoever copies or backs up the folder must not get the key with it. Symbolic links are followed: the place counts, not the name. */
    private static void refuseBeside(Path file, Path database) throws IOException {
        Path data = database.toRealPath().getParent();
        Path folder = nearestReal(file.toAbsolutePath().normalize());
        if (data != null && folder.startsWith(data)) {
            throw new StoreFault(
                    "The key file " + file + " lies in the folder of the database, " + data + "; keep it elsewhere");
        }
    }

    private static Path nearestReal(Path path) throws IOException {
        for (Path at = path; at != null; at = at.getParent()) {
            if (Files.exists(at)) {
                return at.toRealPath().resolve(at.relativize(path)).normalize();
            }
        }
        return path;
    }

    /** @throws StoreFault without the text: it may be most of a key */
    private static byte[] decode(String text, KeyPlace place) {
        byte[] key;
        try {
            key = Base64.getDecoder().decode(text.strip());
        } catch (IllegalArgumentException e) {
            throw new StoreFault("The key in " + place + " is not base64");
        }
        if (key.length != BYTES) {
            throw new StoreFault(
                    "The key in " + place + " has " + key.length + " bytes; it must be " + BYTES + " in base64");
        }
        return key;
    }
}

package io.sallyport.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The folder that clients read whom to trust from. Whoever may write in it may stand between them and the hop. */
record TrustFolder(Path place) {

    private static final Set<PosixFilePermission> OWN = PosixFilePermissions.fromString("rwx------");

    /**
     * The user's own, in the cache folder: one for each authority, so that calls do not pile up folders, and a shell that was set up
     * for another broker keeps its files. A new temporary one where there can be none, as for a user without a home.
     *
     * @param cache what {@code XDG_CACHE_HOME} says; null or relative for {@code .cache} in the home
     */
    static TrustFolder standing(@Nullable String cache, Path home, String authorityPem) throws IOException {
        Path base = cache != null && Path.of(cache).isAbsolute() ? Path.of(cache) : home.resolve(".cache");
        try {
            Path own = own(Files.createDirectories(base.toAbsolutePath()).resolve("sallyport"));
            return new TrustFolder(own(own.resolve(named(authorityPem))));
        } catch (IOException e) {
            return new TrustFolder(Files.createTempDirectory("sallyport-"));
        }
    }

    static TrustFolder asked(Path folder) throws IOException {
        return new TrustFolder(Files.createDirectories(folder).toAbsolutePath());
    }

    /** Whole or not at all: a client may be reading what was there. */
    Path write(String name, byte[] content) throws IOException {
        Path file = place.resolve(name);
        Path fresh = place.resolve(name + "." + ProcessHandle.current().pid());
        Files.write(fresh, content);
        return Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Taken back from others where it stood open to them; who may not do that does not own it. */
    private static Path own(Path folder) throws IOException {
        try {
            return Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(OWN));
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
                throw e;
            }
            return Files.setPosixFilePermissions(folder, OWN);
        }
    }

    private static String named(String authorityPem) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(authorityPem.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}

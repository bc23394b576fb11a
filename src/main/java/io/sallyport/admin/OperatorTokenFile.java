package io.sallyport.admin;

import io.sallyport.store.StoreFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.function.Predicate;

/** The file that hands the operator token to its owner: mode 0600 from its first byte, and replaced in one step. */
final class OperatorTokenFile {

    private static final String NAME = "operator-token";
    private static final FileAttribute<?>[] OWNER_ONLY = {
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
    };

    private final Path file;
    private final Path waiting;

    OperatorTokenFile(Path folder) {
        this.file = folder.resolve(NAME);
        this.waiting = folder.resolve(NAME + ".new");
    }

    Path place() {
        return file.toAbsolutePath().normalize();
    }

    /** Writes a token beside the file. */
    void prepare(String token) {
        try {
            Files.deleteIfExists(waiting);
            boolean posix =
                    waiting.getFileSystem().supportedFileAttributeViews().contains("posix");
            Files.createFile(waiting, posix ? OWNER_ONLY : new FileAttribute<?>[0]);
            Files.writeString(waiting, token + "\n");
        } catch (IOException e) {
            throw new StoreFault("The operator token can't be written to " + waiting + ": " + e, e);
        }
    }

    /** Puts a waiting token in the file's place if it is the one in force, and removes it if it is not. */
    void settle(Predicate<String> inForce) {
        try {
            if (!Files.exists(waiting)) {
                return;
            }
            if (inForce.test(Files.readString(waiting).strip())) {
                Files.move(waiting, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } else {
                Files.delete(waiting);
            }
        } catch (IOException e) {
            throw new StoreFault("The operator token can't be moved to " + file + ": " + e, e);
        }
    }
}

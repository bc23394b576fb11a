package io.sallyport.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Files and folders that only their owner may touch. The mode is given at creation: a chmod afterwards leaves a moment in which another
 * user can open the file. Where the file system knows no POSIX modes, there is nothing to give and nothing to check.
 */
final class OwnerOnly {

    private static final FileAttribute<Set<PosixFilePermission>> FOLDER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    private static final FileAttribute<Set<PosixFilePermission>> FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final Set<PosixFilePermission> OTHERS_WRITE =
            Set.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);
    private static final Set<PosixFilePermission> OTHERS_READ =
            Set.of(PosixFilePermission.GROUP_READ, PosixFilePermission.OTHERS_READ);

    private OwnerOnly() {}

    static void createFolders(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            return;
        }
        if (posix(folder)) {
            Files.createDirectories(folder, FOLDER);
        } else {
            Files.createDirectories(folder);
        }
    }

    /** Writes and syncs a new file. @throws FileAlreadyExistsException when there is one */
    static void createFile(Path file, byte[] content) throws IOException {
        Set<StandardOpenOption> options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (FileChannel channel =
                posix(file) ? FileChannel.open(file, options, FILE) : FileChannel.open(file, options)) {
            ByteBuffer rest = ByteBuffer.wrap(content);
            while (rest.hasRemaining()) {
                channel.write(rest);
            }
            channel.force(true);
        }
    }

    static void refuseWritableByOthers(Path path, String what) throws IOException {
        refuse(path, OTHERS_WRITE, what + " " + path + " can be written by others; take that away: chmod go-w " + path);
    }

    static void refuseReadableByOthers(Path path, String what) throws IOException {
        refuse(path, OTHERS_READ, what + " " + path + " can be read by others; take that away: chmod go-rwx " + path);
    }

    private static void refuse(Path path, Set<PosixFilePermission> unwanted, String message) throws IOException {
        if (posix(path) && Files.getPosixFilePermissions(path).stream().anyMatch(unwanted::contains)) {
            throw new StoreFault(message);
        }
    }

    private static boolean posix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}

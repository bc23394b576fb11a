package io.sallyport.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** The folder that holds the database: private, and held by one process at a time. */
final class DataFolder implements AutoCloseable {

    private static final String LOCK = "sallyport.lock";

    private final FileChannel lock;

    private DataFolder(FileChannel lock) {
        this.lock = lock;
    }

    /** Makes the folder and the file where they are missing, and locks the folder until closed. */
    static DataFolder hold(Path file) {
        Path folder = file.getParent();
        if (folder == null) {
            throw new StoreFault("The database needs a folder: " + file);
        }
        try {
            OwnerOnly.createFolders(folder);
            OwnerOnly.refuseWritableByOthers(folder, "The data folder");
            DataFolder held = new DataFolder(locked(folder));
            held.prepare(file, folder);
            return held;
        } catch (IOException e) {
            throw new StoreFault("The data folder " + folder + " can't be used: " + e, e);
        }
    }

    private void prepare(Path file, Path folder) throws IOException {
        try {
            if (!Files.exists(file)) {
                OwnerOnly.createFile(file, new byte[0]);
            }
            OwnerOnly.refuseWritableByOthers(file, "The database");
            sync(folder);
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /**
     * The lock is on a file of its own. Opening and closing the database file here would drop SQLite's own locks on it: POSIX gives them up
     * when a process closes any descriptor of the file.
     */
    private static FileChannel locked(Path folder) throws IOException {
        Path file = folder.resolve(LOCK);
        if (!Files.exists(file)) {
            OwnerOnly.createFile(file, new byte[0]);
        }
        FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() != null) {
                return channel;
            }
        } catch (OverlappingFileLockException e) {
            throw inUse(folder, channel, e);
        }
        throw inUse(folder, channel, null);
    }

    private static StoreFault inUse(Path folder, FileChannel channel, @Nullable Throwable cause) throws IOException {
        channel.close();
        String message = "The data folder " + folder + " is in use by another broker; each broker needs one of its own";
        return cause == null ? new StoreFault(message) : new StoreFault(message, cause);
    }

    /** A new file's name is durable only once its folder is. */
    private static void sync(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException e) {
            throw new StoreFault("The data folder can't be let go: " + e, e);
        }
    }
}

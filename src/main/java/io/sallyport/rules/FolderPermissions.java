package io.sallyport.rules;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Whether others could change or read what a folder holds. A group counts as others unless it is the owner's own, called as the owner is.
 * On a file system without such permissions there is nothing to see.
 */
public final class FolderPermissions {

    private static final int DEEPEST = 8;

    private FolderPermissions() {}

    /** What others may write to: the place itself and all below it; one line each, empty for nothing and for a place that is not there. */
    public static List<String> writableByOthers(Path place) {
        return open(place, "written to", PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);
    }

    /** What others may read, or write to: for secrets and keys. */
    public static List<String> accessibleToOthers(Path place) {
        List<String> writable = writableByOthers(place);
        return writable.isEmpty()
                ? open(place, "read", PosixFilePermission.GROUP_READ, PosixFilePermission.OTHERS_READ)
                : writable;
    }

    private static List<String> open(Path place, String verb, PosixFilePermission group, PosixFilePermission others) {
        if (!FileSystems.getDefault().supportedFileAttributeViews().contains("posix") || !Files.exists(place)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(place, DEEPEST)) {
            return all.filter(path -> isOpen(path, group, others))
                    .map(path -> path + ": can be " + verb + " by others; allowed: by its owner alone (chmod go-"
                            + verb.charAt(0) + " " + path + ")")
                    .toList();
        } catch (IOException unreadable) {
            return List.of(place + ": its permissions can't be read");
        }
    }

    private static boolean isOpen(Path path, PosixFilePermission group, PosixFilePermission others) {
        try {
            PosixFileAttributes attributes = Files.readAttributes(path, PosixFileAttributes.class);
            Set<PosixFilePermission> granted = attributes.permissions();
            boolean ownGroup =
                    attributes.owner().getName().equals(attributes.group().getName());
            return granted.contains(others) || (granted.contains(group) && !ownGroup);
        } catch (NoSuchFileException gone) {
            return false;
        } catch (IOException unreadable) {
            return true;
        }
    }
}

package io.sallyport;

import io.sallyport.rules.FolderPermissions;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The folders that settings name: made for the owner alone where they are absent, refused where others could change what the broker believes. */
final class Folders {

    private static final FileAttribute<?>[] OWNER_ONLY =
            FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
                    ? new FileAttribute<?>[] {
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
                    }
                    : new FileAttribute<?>[0];

    private static final List<String> KINDS = List.of("identities", "credentials", "policies");

    private Folders() {}

    /** @throws StartRefused naming the place and what is allowed */
    static void prepare(Settings settings) {
        make("sallyport.data", settings.data());
        make("sallyport.secrets", settings.secrets());
        if (!Files.exists(settings.rules())) {
            KINDS.forEach(kind -> make("sallyport.rules", settings.rules().resolve(kind)));
        }
        refuse("sallyport.rules", FolderPermissions.writableByOthers(settings.rules()));
        refuse("sallyport.data", FolderPermissions.writableByOthers(settings.data()));
        // Whether others can read a secret depends on the folders above it: the room of secrets looks at that.
        refuse("sallyport.secrets", FolderPermissions.writableByOthers(settings.secrets()));
        file(settings.keyPlace()).forEach(file -> refuse("sallyport.key", FolderPermissions.accessibleToOthers(file)));
        settings.previousKeys().stream()
                .flatMap(Folders::file)
                .forEach(file -> refuse("sallyport.previous-keys", FolderPermissions.accessibleToOthers(file)));
        file(settings.proxy().authority())
                .forEach(file -> refuse("sallyport.proxy.authority", FolderPermissions.accessibleToOthers(file)));
    }

    private static Stream<Path> file(@Nullable String place) {
        return place != null && place.startsWith("file:")
                ? Stream.of(Path.of(place.substring("file:".length())))
                : Stream.empty();
    }

    private static void make(String setting, Path folder) {
        try {
            Files.createDirectories(folder, OWNER_ONLY);
        } catch (IOException e) {
            throw new StartRefused(setting + ": the folder " + folder + " can't be made: " + e, e);
        }
    }

    private static void refuse(String setting, List<String> open) {
        if (!open.isEmpty()) {
            throw new StartRefused(setting + ": " + open.getFirst());
        }
    }
}

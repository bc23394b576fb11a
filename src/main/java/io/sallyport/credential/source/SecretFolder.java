package io.sallyport.credential.source;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The folder of {@code file} sources. Links inside it are followed (a mounted Kubernetes secret is made of them), links out of it are not. */
public final class SecretFolder {

    private static final int DEEPEST = 8;

    /** How long what was read is believed. */
    private static final Duration BELIEVED = Duration.ofSeconds(1);

    private final Path folder;

    public SecretFolder(Path folder) {
        this.folder = folder;
    }

    /** What tells one content of a file from the next without reading it: a rename puts another file in its place, a write another time. */
    private record Stamp(Path real, @Nullable Object fileKey, Object modified, long size) {}

    /** Whether a document may name that path: relative, and staying below the folder by its spelling already. */
    static boolean isBelow(String name) {
        List<String> segments = List.of(name.split("/", -1));
        return name.indexOf('\\') < 0
                && name.chars().noneMatch(Character::isISOControl)
                && segments.stream()
                        .noneMatch(segment -> segment.isEmpty() || segment.equals(".") || segment.equals(".."));
    }

    /** A file's content, for what the broker itself proves to a source. */
    public String text(String name) throws SourceFault {
        if (!isBelow(name)) {
            throw SourceFault.bad("its file is not named below sallyport.secrets");
        }
        if (!(read(name, null) instanceof Fetched.Given given)) {
            throw new IllegalStateException("nothing was known, so nothing is unchanged");
        }
        try (Material material = given.material()) {
            return new String(material.part(Material.SECRET).orElseThrow().bytes(), StandardCharsets.UTF_8);
        }
    }

    /** @param known the stamp of what is held, or null */
    Fetched read(String name, @Nullable Object known) throws SourceFault {
        try {
            Path base = folder.toRealPath();
            Path real = base.resolve(name).toRealPath();
            if (!real.startsWith(base)) {
                throw SourceFault.bad("its file is a link out of sallyport.secrets");
            }
            BasicFileAttributes attributes = Files.readAttributes(real, BasicFileAttributes.class);
            if (!attributes.isRegularFile()) {
                throw SourceFault.bad("its file is not a regular file");
            }
            if (openToOthers(base, real)) {
                throw SourceFault.bad("its file can be read or written by other users; chmod o-rwx it");
            }
            Stamp stamp = new Stamp(real, attributes.fileKey(), attributes.lastModifiedTime(), attributes.size());
            return stamp.equals(known)
                    ? new Fetched.Unchanged(BELIEVED)
                    : Fetched.given(Material.of(content(real)), stamp, BELIEVED);
        } catch (NoSuchFileException e) {
            throw SourceFault.missing("its file does not exist below sallyport.secrets");
        } catch (IOException e) {
            throw SourceFault.down("its file can't be read (" + e.getClass().getSimpleName() + ")");
        }
    }

    /**
     * A file of the folder that other users of the machine could read or write; null when there is none.
     *
     * @throws IOException when the folder can't be looked through
     */
    public @Nullable Path openToOthers() throws IOException {
        if (!Files.isDirectory(folder)) {
            return null;
        }
        Path base = folder.toRealPath();
        if (others(base).contains(PosixFilePermission.OTHERS_WRITE)) {
            return folder;
        }
        try (Stream<Path> files = Files.walk(base, DEEPEST)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                if (openToOthers(base, file)) {
                    return file;
                }
            }
        }
        return null;
    }

    /** A file is closed to others when it, or a folder on the way from the secrets folder to it, lets none of them in. */
    private static boolean openToOthers(Path base, Path file) throws IOException {
        Set<PosixFilePermission> own = others(file);
        if (!own.contains(PosixFilePermission.OTHERS_READ) && !own.contains(PosixFilePermission.OTHERS_WRITE)) {
            return false;
        }
        for (Path above = file.getParent(); above != null && above.startsWith(base); above = above.getParent()) {
            if (!others(above).contains(PosixFilePermission.OTHERS_EXECUTE)) {
                return false;
            }
        }
        return true;
    }

    private static Set<PosixFilePermission> others(Path path) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(path, PosixFileAttributeView.class);
        return view == null ? Set.of() : view.readAttributes().permissions();
    }

    private static byte[] content(Path real) throws IOException {
        Set<OpenOption> options = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        try (InputStream in = Files.newInputStream(real, options.toArray(OpenOption[]::new))) {
            return in.readNBytes(SecretValue.READ_AT_MOST);
        }
    }
}

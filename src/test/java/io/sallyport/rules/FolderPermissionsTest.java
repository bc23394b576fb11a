package io.sallyport.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderPermissionsTest {

    @TempDir
    private Path temp;

    @Test
    void what_others_may_write_is_named_whether_folder_or_file() throws Exception {
        Path folder = Files.createDirectory(temp.resolve("rules"));
        Path file = Files.writeString(folder.resolve("a.yml"), "x");
        mode(folder, "rwxr-xr-x");
        mode(file, "rw-r--r--");
        assertThat(FolderPermissions.writableByOthers(folder)).isEmpty();
        mode(file, "rw-r--rw-");
        assertThat(FolderPermissions.writableByOthers(folder))
                .hasSize(1)
                .allMatch(line -> line.startsWith(file + ": can be written to"));
        mode(file, "rw-r--r--");
        mode(folder, "rwxr-xrwx");
        assertThat(FolderPermissions.writableByOthers(folder)).hasSize(1);
    }

    @Test
    void a_secret_may_not_even_be_read_by_others() throws Exception {
        Path secret = Files.writeString(temp.resolve("secret"), "x");
        mode(secret, "rw-r--r--");
        assertThat(FolderPermissions.accessibleToOthers(secret))
                .hasSize(1)
                .allMatch(line -> line.contains("can be read by others"));
        mode(secret, "rw-------");
        assertThat(FolderPermissions.accessibleToOthers(secret)).isEmpty();
    }

    @Test
    void what_a_link_leads_to_counts() throws Exception {
        Path file = Files.writeString(temp.resolve("real"), "x");
        mode(file, "rw-rw-rw-");
        Path folder = Files.createDirectory(temp.resolve("rules"));
        mode(folder, "rwx------");
        Files.createSymbolicLink(folder.resolve("a.yml"), file);
        assertThat(FolderPermissions.writableByOthers(folder)).hasSize(1);
    }

    @Test
    void what_is_not_there_is_not_open() {
        assertThat(FolderPermissions.writableByOthers(temp.resolve("gone"))).isEmpty();
    }

    private static void mode(Path path, String mode) throws Exception {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }
}

package io.sallyport.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrustFolderTest {

    @TempDir
    Path home;

    @Test
    void calls_share_one_folder_of_the_users_own_and_another_authority_has_another() throws IOException {
        TrustFolder first = TrustFolder.standing(null, home, "one");
        assertThat(TrustFolder.standing("not/absolute", home, "one")).isEqualTo(first);
        assertThat(TrustFolder.standing(null, home, "two")).isNotEqualTo(first);
        assertThat(first.place()).startsWith(home.resolve(".cache/sallyport"));
        assertThat(mode(first.place())).isEqualTo("rwx------");

        Path cache = home.resolve("elsewhere");
        assertThat(TrustFolder.standing(cache.toString(), home, "one").place()).startsWith(cache);
    }

    @Test
    void one_that_stood_open_to_others_is_closed_to_them() throws IOException {
        Path place = TrustFolder.standing(null, home, "one").place();
        for (Path folder : new Path[] {place, place.getParent()}) {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        }
        assertThat(TrustFolder.standing(null, home, "one").place()).isEqualTo(place);
        assertThat(mode(place)).isEqualTo("rwx------");
        assertThat(mode(place.getParent())).isEqualTo("rwx------");
    }

    /** A link could lead to a folder in which somebody else writes. */
    @Test
    void a_link_in_its_place_and_a_home_that_is_none_make_it_a_temporary_one() throws IOException {
        Path other = Files.createDirectory(home.resolve("other"));
        Files.createDirectory(home.resolve(".cache"));
        Files.createSymbolicLink(home.resolve(".cache/sallyport"), other);
        Path file = Files.createFile(home.resolve("file"));
        for (Path wrong : new Path[] {home, file}) {
            Path place = TrustFolder.standing(null, wrong, "one").place();
            assertThat(place.toRealPath().startsWith(home.toRealPath())).isFalse();
            assertThat(mode(place)).isEqualTo("rwx------");
            Files.delete(place);
        }
        assertThat(other).isEmptyDirectory();
    }

    @Test
    void a_file_is_replaced_whole_and_nothing_stays_beside_it() throws IOException {
        TrustFolder folder = TrustFolder.asked(home.resolve("new/folder"));
        folder.write("ca.pem", new byte[] {1});
        Path file = folder.write("ca.pem", new byte[] {2});
        assertThat(file).hasBinaryContent(new byte[] {2});
        try (Stream<Path> files = Files.list(folder.place())) {
            assertThat(files).containsExactly(file);
        }
    }

    private static String mode(Path folder) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(folder));
    }
}

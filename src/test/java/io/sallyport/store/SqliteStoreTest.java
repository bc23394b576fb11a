package io.sallyport.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqliteStoreTest {

    @TempDir
    Path folder;

    @Test
    void the_folder_and_every_file_in_it_are_for_the_owner_alone() throws IOException {
        Path data = folder.resolve("a/data");
        try (SqliteStore store = SqliteStore.open(data)) {
            store.writer().write(tx -> tx.prepare("create table t (n)").executeUpdate());
            assertThat(mode(data)).isEqualTo("rwx------");
            try (var files = Files.list(data)) {
                assertThat(files.toList())
                        .hasSizeGreaterThanOrEqualTo(3)
                        .allSatisfy(file -> assertThat(mode(file)).isEqualTo("rw-------"));
            }
        }
    }

    @Test
    void a_folder_that_another_broker_holds_is_refused_until_it_lets_go() {
        Path data = folder.resolve("data");
        try (SqliteStore first = SqliteStore.open(data)) {
            assertThat(first.writer().healthy()).isTrue();
            assertThatThrownBy(() -> SqliteStore.open(data))
                    .isInstanceOf(StoreFault.class)
                    .hasMessageContaining("in use");
        }
        SqliteStore.open(data).close();
    }

    @Test
    void a_folder_that_others_can_write_to_is_refused() throws IOException {
        Path data = Files.createDirectory(folder.resolve("data"));
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxrwxr-x"));
        assertThatThrownBy(() -> SqliteStore.open(data)).hasMessageContaining("chmod go-w");
    }

    @Test
    void a_file_that_is_no_database_is_refused_and_the_folder_let_go() throws IOException {
        Path file = folder.resolve(SqliteStore.FILE);
        Files.writeString(file, "this is not a database, however long it is: ".repeat(100));
        assertThatThrownBy(() -> SqliteStore.open(folder)).isInstanceOf(StoreFault.class);
        Files.delete(file);
        SqliteStore.open(folder).close();
    }

    @Test
    void the_database_is_the_one_that_the_url_names() {
        Path data = Path.of("d");
        assertThat(new StoreSettings(data, null, "env:K").file()).isEqualTo(Path.of("d/sallyport.db"));
        assertThat(new StoreSettings(data, "jdbc:sqlite:/srv/x.db", "env:K").file())
                .isEqualTo(Path.of("/srv/x.db"));
    }

    @Test
    void postgresql_is_refused_in_words() {
        assertThatThrownBy(() -> new StoreSettings(folder, "jdbc:postgresql://db/sallyport", "env:K").file())
                .hasMessageContaining("PostgreSQL is not supported");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:sqlite:",
                "jdbc:sqlite::memory:",
                "jdbc:sqlite:file:x.db",
                "jdbc:sqlite:x.db?synchronous=OFF"
            })
    void a_url_that_could_weaken_the_store_is_refused(String url) {
        assertThatThrownBy(() -> new StoreSettings(folder, url, "env:K").file())
                .hasMessageContaining("without parameters");
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}

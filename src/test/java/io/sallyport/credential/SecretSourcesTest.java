package io.sallyport.credential;

import static io.sallyport.credential.TestCredentials.BEARER;
import static io.sallyport.credential.TestCredentials.compiled;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.credential.source.Fetched;
import io.sallyport.credential.source.SecretFolder;
import io.sallyport.credential.source.SourceTools;
import io.sallyport.testing.TestStore;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretSourcesTest {

    private static final String SECRET = "s3cr3t-value-1";

    @RegisterExtension
    final TestStore store = new TestStore();

    @TempDir
    Path temporary;

    private final CompiledCredential file =
            (CompiledCredential) compiled(Map.of("kind", "file", "name", "token"), BEARER);

    private Path folder() throws IOException {
        return Files.createDirectories(temporary.resolve("secrets"));
    }

    private Path write(Path path, String content) throws IOException {
        Files.writeString(path, content);
        return Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-r-----"));
    }

    private SourceTools tools() throws IOException {
        return TestSources.tools(
                (credential, face, known) -> new Fetched.Unchanged(Duration.ofSeconds(1)), folder(), name -> null);
    }

    private String read(Object known) throws IOException {
        return TestSources.text(file, known, tools());
    }

    private static Object stamp(Fetched fetched) {
        return ((Fetched.Given) fetched).stamp();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "\r\n"})
    void one_line_end_at_the_end_is_no_part_of_the_secret(String end) throws IOException {
        write(folder().resolve("token"), SECRET + end);

        assertThat(read(null)).isEqualTo(SECRET);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a-secret\r\nX-Evil: 1",
                "a-secret\n\n",
                "a-secret\r",
                "a-secret\0b",
                "",
                "\n",
                "\tsecret-xyz",
                " secret-xyz",
                "secret-xyz ",
                "p4ss-wörd"
            })
    void what_could_not_stand_in_a_field_is_refused_without_a_word_of_it(String content) throws IOException {
        write(folder().resolve("token"), content);

        assertThat(read(null))
                .startsWith("failed: the secret ")
                .doesNotContain("Evil")
                .doesNotContain("xyz");
    }

    @Test
    void a_secret_too_short_to_be_masked_or_too_long_for_a_head_is_refused() throws IOException {
        write(folder().resolve("token"), "prod");
        assertThat(read(null)).isEqualTo("failed: the secret is shorter than 8 bytes");
        write(folder().resolve("token"), "x".repeat(16 * 1024 + 1));
        assertThat(read(null)).isEqualTo("failed: the secret is longer than 16 KiB");
        write(folder().resolve("token"), "sK-4x_9q".repeat(2 * 1024) + "\r\n");
        assertThat(read(null)).hasSize(16 * 1024);
    }

    @Test
    void a_changed_file_is_read_again_and_an_unchanged_one_is_not() throws Exception {
        Path token = write(folder().resolve("token"), SECRET);
        Object stamp = stamp(TestSources.fetched(file, null, tools()));
        assertThat(read(stamp)).isEqualTo("unchanged");

        FileTime time = Files.getLastModifiedTime(token);
        Path next = write(folder().resolve("next"), SECRET.replace('1', '2'));
        Files.setLastModifiedTime(next, time);
        Files.move(next, token, StandardCopyOption.ATOMIC_MOVE);
        assertThat(read(stamp)).as("another file with the same time and size").isEqualTo("s3cr3t-value-2");
    }

    @Test
    void links_within_the_folder_are_followed_as_kubernetes_mounts_secrets() throws IOException {
        Path version = Files.createDirectories(folder().resolve("..2026_11_30"));
        write(version.resolve("token"), SECRET);
        Files.createSymbolicLink(folder().resolve("..data"), Path.of("..2026_11_30"));
        Files.createSymbolicLink(folder().resolve("token"), Path.of("..data/token"));

        assertThat(read(null)).isEqualTo(SECRET);
    }

    @Test
    void a_link_out_of_the_folder_is_refused() throws IOException {
        Path outside = write(temporary.resolve("outside"), SECRET);
        Files.createSymbolicLink(folder().resolve("token"), outside);

        assertThat(read(null)).isEqualTo("failed: its file is a link out of sallyport.secrets");
    }

    @Test
    void a_file_that_other_users_can_read_is_refused_and_found_at_start() throws IOException {
        Path token = write(folder().resolve("token"), SECRET);
        Files.setPosixFilePermissions(folder(), PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(read(null)).contains("by other users");
        assertThat(new SecretFolder(folder()).openToOthers()).isEqualTo(token.toRealPath());

        Files.setPosixFilePermissions(folder(), PosixFilePermissions.fromString("rwx------"));
        assertThat(read(null)).as("the folder lets nobody in").isEqualTo(SECRET);
        assertThat(new SecretFolder(folder()).openToOthers()).isNull();
    }

    @Test
    void what_is_not_there_is_missed() throws IOException {
        assertThat(read(null)).isEqualTo("failed: its file does not exist below sallyport.secrets");
        Files.createDirectory(folder().resolve("token"));
        assertThat(read(null)).isEqualTo("failed: its file is not a regular file");
        assertThat(new SecretFolder(temporary.resolve("nowhere")).openToOthers())
                .isNull();
    }

    @Test
    void a_variable_of_the_environment_is_read_once() throws Exception {
        var credential = compiled(Map.of("kind", "env", "name", "SALLYPORT_SECRET_A"), BEARER);
        var tools = TestSources.tools(tools().local(), temporary, Map.of("SALLYPORT_SECRET_A", SECRET)::get);

        assertThat(TestSources.text(credential, null, tools)).isEqualTo(SECRET);
        Object stamp = stamp(TestSources.fetched(credential, null, tools));
        assertThat(TestSources.text(credential, stamp, tools)).isEqualTo("unchanged");
        assertThat(TestSources.text(credential, null, tools()))
                .isEqualTo("failed: the environment has no SALLYPORT_SECRET_A");
    }

    @Test
    void a_written_in_secret_is_had_only_by_the_document_that_it_was_entered_for() throws IOException {
        var local = new JdbcLocalSecrets(store.readers(), store.seal(), Clock.systemUTC());
        var credential = (CompiledCredential) compiled(Map.of("kind", "local"), BEARER);
        assertThat(TestSources.text(credential, null, TestSources.tools(local)))
                .isEqualTo("failed: no secret has been entered");

        put(local, credential, SECRET + "\n");
        assertThat(TestSources.text(credential, null, TestSources.tools(local))).isEqualTo(SECRET);

        var elsewhere = TestCredentials.keys(Map.of("kind", "local"), BEARER);
        elsewhere.put("destinations", List.of("https://api.example.com", "https://evil.example"));
        var otherSlot = compiled(Map.of("kind", "local"), Map.of("kind", "header", "name", "X-Debug"));
        for (Credential changed : List.of(compiled(elsewhere), otherSlot)) {
            assertThat(TestSources.text(changed, null, TestSources.tools(local)))
                    .contains("must be entered anew");
        }
    }

    @Test
    void a_row_whose_digest_was_changed_in_the_database_opens_nothing() throws IOException {
        var local = new JdbcLocalSecrets(store.readers(), store.seal(), Clock.systemUTC());
        put(local, (CompiledCredential) compiled(Map.of("kind", "local"), BEARER), SECRET);
        var evil = TestCredentials.keys(Map.of("kind", "local"), BEARER);
        evil.put("destinations", List.of("https://evil.example"));
        var changed = (CompiledCredential) compiled(evil);
        store.writer().write(tx -> {
            var update = tx.prepare("UPDATE local_secret SET face_digest = ?");
            update.setString(1, changed.faceDigest());
            return update.executeUpdate();
        });

        org.assertj.core.api.Assertions.assertThatThrownBy(() -> local.read("acme", changed.faceDigest(), null))
                .isInstanceOf(io.sallyport.store.StoreFault.class);
    }

    @Test
    void a_second_writing_in_replaces_the_first_and_is_heard_after_the_commit() throws Exception {
        var local = new JdbcLocalSecrets(store.readers(), store.seal(), Clock.systemUTC());
        var credential = (CompiledCredential) compiled(Map.of("kind", "local"), BEARER);
        put(local, credential, SECRET);
        Object stamp = stamp(local.read("acme", credential.faceDigest(), null));
        assertThat(TestSources.text(credential, stamp, TestSources.tools(local)))
                .isEqualTo("unchanged");
        List<String> heard = new java.util.concurrent.CopyOnWriteArrayList<>();
        local.onPut(heard::add);

        put(local, credential, "another-secret");

        assertThat(TestSources.text(credential, stamp, TestSources.tools(local)))
                .isEqualTo("another-secret");
        assertThat(heard).containsExactly("acme");
    }

    @Test
    void a_secret_is_not_taken_for_another_kind_of_source_or_when_unfit() throws IOException {
        var local = new JdbcLocalSecrets(store.readers(), store.seal(), Clock.systemUTC());

        assertThat(local.seal(file, stream(SECRET))).isInstanceOf(LocalSecrets.Entry.Refused.class);
        assertThat(local.seal(compiled(Map.of("kind", "local"), BEARER), stream("a-secret\r\nX-Evil: 1")))
                .isInstanceOfSatisfying(
                        LocalSecrets.Entry.Refused.class,
                        refused ->
                                assertThat(refused.reason()).contains("'acme'").doesNotContain("Evil"));
    }

    private void put(JdbcLocalSecrets local, CompiledCredential credential, String secret) throws IOException {
        var taken = (LocalSecrets.Entry.Taken) local.seal(credential, stream(secret));
        assertThat(taken.toString()).doesNotContain(secret.strip());
        store.writer().write(tx -> {
            local.put(tx, taken.secret(), "operator");
            return true;
        });
    }

    private static ByteArrayInputStream stream(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }
}

package io.sallyport.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sallyport.testing.TestStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SealTest {

    private static final byte[] PLAIN = "the secret".getBytes(StandardCharsets.UTF_8);

    @RegisterExtension
    final TestStore store = new TestStore();

    @Test
    void what_was_sealed_opens_at_its_place_after_a_restart() {
        byte[] sealed = store.seal().seal(PLAIN, "signing-key/1");
        store.reopen();
        assertThat(store.seal().open(sealed, "signing-key/1")).isEqualTo(PLAIN);
    }

    @Test
    void a_sealed_value_moved_to_another_place_does_not_open() {
        byte[] sealed = store.seal().seal(PLAIN, "credential/a");
        assertThatThrownBy(() -> store.seal().open(sealed, "credential/b")).isInstanceOf(StoreFault.class);
    }

    @Test
    void any_flipped_bit_and_any_cut_is_noticed() {
        byte[] sealed = store.seal().seal(PLAIN, "x");
        for (int bit = 0; bit < sealed.length * 8; bit++) {
            byte[] flipped = sealed.clone();
            flipped[bit / 8] ^= (byte) (1 << (bit % 8));
            assertThatThrownBy(() -> store.seal().open(flipped, "x")).isInstanceOf(StoreFault.class);
        }
        for (int length = 0; length < sealed.length; length++) {
            byte[] cut = java.util.Arrays.copyOf(sealed, length);
            assertThatThrownBy(() -> store.seal().open(cut, "x")).isInstanceOf(StoreFault.class);
        }
    }

    @Test
    void the_same_value_is_never_sealed_to_the_same_bytes() {
        assertThat(store.seal().seal(PLAIN, "x")).isNotEqualTo(store.seal().seal(PLAIN, "x"));
    }

    @Test
    void the_key_is_made_for_its_owner_alone() throws IOException {
        store.seal();
        assertThat(mode(store.key())).isEqualTo("rw-------");
        assertThat(mode(store.key().getParent())).isEqualTo("rwx------");
    }

    @Test
    void a_key_that_others_can_read_is_refused() throws IOException {
        store.seal();
        Files.setPosixFilePermissions(store.key(), PosixFilePermissions.fromString("rw-r-----"));
        assertThatThrownBy(() -> unlock(store.key())).hasMessageContaining("can be read by others");
    }

    @Test
    void another_key_is_refused_and_named() {
        store.seal();
        byte[] other = new byte[32];
        var place = new KeyPlace.InEnvironment("OTHER_KEY", Base64.getEncoder().encodeToString(other));
        assertThatThrownBy(() -> store.sqlite().seal(place))
                .hasMessageContaining("was sealed with another key")
                .hasMessageContaining("the environment variable OTHER_KEY");
    }

    @Test
    void a_key_that_is_gone_is_refused_and_not_made_anew() {
        store.seal();
        Path elsewhere = store.key().resolveSibling("other.key");
        assertThatThrownBy(() -> unlock(elsewhere)).hasMessageContaining("is gone");
        assertThat(elsewhere).doesNotExist();
    }

    @Test
    void a_key_in_the_folder_of_the_database_is_refused_also_behind_a_link() throws IOException {
        assertThatThrownBy(() -> unlock(store.data().resolve("keys/master.key")))
                .hasMessageContaining("folder of the database");
        Path link = Files.createSymbolicLink(store.data().resolveSibling("link"), store.data());
        assertThatThrownBy(() -> unlock(link.resolve("master.key"))).hasMessageContaining("folder of the database");
        assertThat(store.data().resolve("keys")).doesNotExist();
    }

    @Test
    void a_bad_key_is_refused_without_being_quoted() {
        for (String bad : new String[] {"c2hvcnQ=", "not base64 but secret!"}) {
            var place = new KeyPlace.InEnvironment("KEY", bad);
            assertThatThrownBy(() -> store.sqlite().seal(place))
                    .isInstanceOf(StoreFault.class)
                    .satisfies(e -> {
                        assertThat(e.toString()).doesNotContain(bad).contains("the environment variable KEY");
                    });
        }
        var unset = new KeyPlace.InEnvironment("KEY", null);
        assertThatThrownBy(() -> store.sqlite().seal(unset)).hasMessageContaining("is not set");
    }

    @Test
    void the_setting_is_file_or_env() {
        assertThat(KeyPlace.of("file:/run/key")).isEqualTo(new KeyPlace.InFile(Path.of("/run/key")));
        assertThat(KeyPlace.of("env:K")).isInstanceOf(KeyPlace.InEnvironment.class);
        for (String bad : new String[] {"", "file:", "env:", "c2VjcmV0"}) {
            assertThatThrownBy(() -> KeyPlace.of(bad))
                    .hasMessage("sallyport.key is file:PATH, env:NAME, aws-kms:ARN or vault-transit:MOUNT/KEY");
        }
    }

    private Seal unlock(Path key) {
        return store.sqlite().seal(new KeyPlace.InFile(key));
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}

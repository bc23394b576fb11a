package io.sallyport.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sallyport.testing.TestStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A database whose key rests in it, wrapped by a service. */
class KeptKeyTest {

    private static final byte[] PLAIN = "the secret".getBytes(StandardCharsets.UTF_8);
    private static final KeyPlace PLACE = KeyPlace.of("vault-transit:transit/sallyport");

    @RegisterExtension
    final TestStore store = new TestStore();

    private final Keeper keeper = new Keeper();

    /** Turns each bit around: what is tested is who asks, and what rests where. */
    private static final class Keeper implements KeyKeeper {

        private byte[] last = new byte[0];
        private int asked;
        private boolean down;

        @Override
        public String kind() {
            return "vault-transit";
        }

        @Override
        public Made make(String key) {
            answer();
            byte[] plain = new byte[32];
            new java.security.SecureRandom().nextBytes(plain);
            last = plain.clone();
            return new Made(plain, turned(plain));
        }

        @Override
        public byte[] open(String key, byte[] wrapped) {
            answer();
            return turned(wrapped);
        }

        private void answer() {
            asked++;
            if (down) {
                throw new StoreFault("the keeper is down");
            }
        }

        private static byte[] turned(byte[] bytes) {
            byte[] turned = bytes.clone();
            for (int i = 0; i < turned.length; i++) {
                turned[i] = (byte) ~turned[i];
            }
            return turned;
        }
    }

    private Seal seal(KeyPlace place) {
        return store.sqlite().seal(place, List.of(keeper));
    }

    @Test
    void what_was_sealed_opens_after_a_restart_by_the_keeper_that_wrapped_its_key() {
        byte[] sealed = seal(PLACE).seal(PLAIN, "credential/a");
        store.reopen();

        assertThat(seal(PLACE).open(sealed, "credential/a")).isEqualTo(PLAIN);
        assertThat(keeper.asked).isEqualTo(2);
    }

    @Test
    void the_key_itself_is_nowhere_in_the_folder_of_the_database() throws Exception {
        seal(PLACE).seal(PLAIN, "credential/a");
        store.reopen();

        try (var files = Files.walk(store.sqlite().file().getParent())) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String content = Files.readString(file, StandardCharsets.ISO_8859_1);
                assertThat(content).doesNotContain(new String(keeper.last, StandardCharsets.ISO_8859_1));
                assertThat(content).doesNotContain(Base64.getEncoder().encodeToString(keeper.last));
            }
        }
    }

    @Test
    void once_started_the_keeper_is_not_asked_again() {
        Seal seal = seal(PLACE);
        keeper.down = true;

        assertThat(seal.open(seal.seal(PLAIN, "credential/a"), "credential/a")).isEqualTo(PLAIN);
        assertThat(keeper.asked).isOne();
    }

    @Test
    void a_start_without_the_keeper_is_refused_and_makes_no_other_key() {
        byte[] sealed = seal(PLACE).seal(PLAIN, "credential/a");
        keeper.down = true;
        store.reopen();
        assertThatThrownBy(() -> seal(PLACE)).hasMessage("the keeper is down");

        keeper.down = false;
        assertThat(seal(PLACE).open(sealed, "credential/a")).isEqualTo(PLAIN);
    }

    @Test
    void another_key_than_the_one_that_wrapped_it_is_refused_and_named() {
        seal(PLACE);
        store.reopen();

        assertThatThrownBy(() -> seal(KeyPlace.of("vault-transit:transit/other")))
                .hasMessageContaining("vault-transit:transit/sallyport")
                .hasMessageContaining("vault-transit:transit/other");
        assertThatThrownBy(() -> seal(new KeyPlace.InFile(store.key())))
                .hasMessageContaining("vault-transit:transit/sallyport")
                .hasMessageContaining("name that one again");
    }

    @Test
    void a_database_that_a_file_sealed_is_not_taken_over_by_a_keeper_in_silence() {
        store.seal();

        assertThatThrownBy(() -> seal(PLACE))
                .isInstanceOf(StoreFault.class)
                .hasMessageContaining("from a file or a variable");
        assertThat(keeper.asked).isZero();
    }

    @Test
    void a_key_of_another_length_is_refused() {
        seal(PLACE);
        store.reopen();
        KeyKeeper shorter = new KeyKeeper() {
            @Override
            public String kind() {
                return "vault-transit";
            }

            @Override
            public Made make(String key) {
                throw new AssertionError();
            }

            @Override
            public byte[] open(String key, byte[] wrapped) {
                return new byte[16];
            }
        };

        assertThatThrownBy(() -> store.sqlite().seal(PLACE, List.of(shorter))).hasMessageContaining("16 bytes");
    }
}

package io.sallyport.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sallyport.testing.TestStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The database's own key is made anew by the service that keeps it, or goes from one keeper to the next. */
class KeptKeyRotationTest {

    private static final KeyPlace FIRST = KeyPlace.of("vault-transit:transit/first");
    private static final KeyPlace SECOND = KeyPlace.of("vault-transit:transit/second");
    private static final SealedColumn VALUE = SealedColumn.value("sent-content-key");
    private static final String SECRET = "key of hashes";

    @RegisterExtension
    final TestStore store = new TestStore();

    private final Keeper keeper = new Keeper();

    /** Wraps by adding the service's own key to each byte, which another of its keys does not take off again. */
    private static final class Keeper implements KeyKeeper {

        private boolean forgets;
        private final List<String> opened = new ArrayList<>();

        @Override
        public String kind() {
            return "vault-transit";
        }

        @Override
        public Made make(String key) {
            byte[] plain = new byte[32];
            new SecureRandom().nextBytes(plain);
            return new Made(plain, turned(plain, key.hashCode()));
        }

        @Override
        public byte[] open(String key, byte[] wrapped) {
            opened.add(key);
            return turned(wrapped, forgets ? 7 : -key.hashCode());
        }

        private static byte[] turned(byte[] bytes, int by) {
            byte[] turned = bytes.clone();
            for (int i = 0; i < turned.length; i++) {
                turned[i] += (byte) by;
            }
            return turned;
        }
    }

    private Resealing keys(KeyPlace place, KeyPlace... previous) {
        return store.sqlite().keys(place, List.of(previous), List.of(keeper), List.of(VALUE));
    }

    private void enter(Seal seal) {
        byte[] sealed = seal.seal(SECRET.getBytes(StandardCharsets.UTF_8), VALUE.only());
        store.writer().write(tx -> {
            StoreValue.write(tx, VALUE.only(), sealed);
            return 0;
        });
    }

    private String entered(Seal seal) {
        return new String(
                seal.open(StoreValue.read(store.readers(), VALUE.only()).orElseThrow(), VALUE.only()),
                StandardCharsets.UTF_8);
    }

    private List<String> kept() {
        return KeptKey.all(store.readers()).stream().map(KeptKey::name).toList();
    }

    private void renew(Resealing keys) {
        Resealing.Renewal renewal = keys.renewal();
        store.writer().write(tx -> {
            renewal.write(tx);
            return 0;
        });
        assertThat(keys.status().key()).isEqualTo(renewal.key());
    }

    @Test
    void another_key_of_the_same_service_seals_from_now_on_and_the_one_before_goes_when_nothing_needs_it() {
        Resealing keys = keys(FIRST);
        enter(keys.seal());
        String before = keys.status().key();
        renew(keys);
        assertThat(keys.status().waiting()).isOne();
        assertThat(entered(keys.seal())).isEqualTo(SECRET);
        store.reopen();

        Resealing halfWay = keys(FIRST);
        assertThat(entered(halfWay.seal())).isEqualTo(SECRET);
        assertThat(kept()).containsExactly("data-key", "data-key/" + before);
        halfWay.run(() -> true, _ -> {});
        assertThat(kept()).as("somebody may still be writing").hasSize(2);
        store.reopen();

        assertThat(entered(keys(FIRST).seal())).isEqualTo(SECRET);
        assertThat(kept()).containsExactly("data-key");
    }

    @Test
    void what_was_sealed_while_the_key_changed_and_written_after_is_read_after_a_restart() {
        Resealing keys = keys(FIRST);
        byte[] onItsWay = keys.seal().seal(SECRET.getBytes(StandardCharsets.UTF_8), VALUE.only());
        renew(keys);
        keys.run(() -> true, _ -> {});
        store.writer().write(tx -> {
            StoreValue.write(tx, VALUE.only(), onItsWay);
            return 0;
        });
        store.reopen();

        assertThat(entered(keys(FIRST).seal())).isEqualTo(SECRET);
    }

    @Test
    void a_service_that_wraps_and_does_not_open_gets_nothing_to_keep() {
        Resealing keys = keys(FIRST);
        enter(keys.seal());
        keeper.forgets = true;

        assertThatThrownBy(keys::renewal).hasMessageContaining("nothing was sealed with it");
        keeper.forgets = false;
        store.reopen();
        assertThat(entered(keys(FIRST).seal())).isEqualTo(SECRET);
    }

    @Test
    void the_key_moves_from_a_file_to_a_service_to_another_and_back() throws Exception {
        KeyPlace file = new KeyPlace.InFile(store.key());
        enter(keys(file).seal());
        for (List<KeyPlace> step :
                List.of(List.of(FIRST, file), List.of(SECOND, FIRST), List.of(file, SECOND), List.of(FIRST, file))) {
            store.reopen();
            Resealing keys = keys(step.get(0), step.get(1));
            assertThat(entered(keys.seal())).isEqualTo(SECRET);
            assertThat(keys.status().waiting()).isOne();
            keys.run(() -> true, _ -> {});
            assertThat(keys.status().waiting()).isZero();
            store.reopen();
            assertThat(entered(keys(step.get(0)).seal())).isEqualTo(SECRET);
        }
        Files.delete(store.key());
        store.reopen();
        keeper.opened.clear();
        assertThat(entered(keys(FIRST).seal())).isEqualTo(SECRET);
        assertThat(keeper.opened).containsExactly("transit/first");
    }

    @Test
    void a_key_that_something_needs_is_named_with_the_service_that_wrapped_it() {
        enter(keys(FIRST).seal());
        store.reopen();
        keys(SECOND, FIRST);
        store.reopen();

        assertThatThrownBy(() -> keys(SECOND))
                .hasMessageContaining("1 with key ")
                .hasMessageContaining("from vault-transit:transit/first");
    }

    @Test
    void a_key_from_a_file_is_not_made_anew_by_anybody() {
        Resealing keys = keys(new KeyPlace.InFile(store.key()));

        assertThat(keys.renewable()).isFalse();
        assertThatThrownBy(keys::renewal).hasMessageContaining("no service makes another");
    }
}

package io.sallyport.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sallyport.testing.TestStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One key takes the place of another, over rows in tables of their own. */
class ResealingTest {

    private static final int ROWS = 3 * Resealing.BATCH + 5;
    private static final SealedColumn COLUMN =
            SealedColumn.of("sealed_here", "sealed", List.of("name", "part"), key -> place(key.get(0), key.get(1)));
    private static final SealedColumn VALUE = SealedColumn.value("sent-content-key");
    private static final BooleanSupplier ALWAYS = () -> true;

    @RegisterExtension
    final TestStore store = new TestStore();

    private Path oldKey;
    private Path newKey;

    @BeforeEach
    void fill() {
        oldKey = store.key();
        newKey = store.key().resolveSibling("new.key");
        store.writer()
                .write(tx -> tx.connection()
                        .prepareStatement(
                                "create table sealed_here (name text primary key, part text not null, sealed blob)")
                        .executeUpdate());
        Seal seal = keys(oldKey).seal();
        for (int i = 0; i < ROWS; i++) {
            put(seal, name(i), "secret " + i);
        }
        store.writer().write(tx -> {
            StoreValue.write(tx, VALUE.only(), seal.seal(bytes("key of hashes"), VALUE.only()));
            PreparedStatement none = tx.prepare("insert into sealed_here (name, part) values ('none', 'p')");
            return none.executeUpdate();
        });
        store.reopen();
    }

    private static String name(int i) {
        return "row-%04d".formatted(i);
    }

    private static String place(String name, String part) {
        return "here/" + name + "/" + part;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private void put(Seal seal, String name, String secret) {
        write(name, seal.seal(bytes(secret), place(name, "p")));
    }

    private void write(String name, byte[] sealed) {
        store.writer().write(tx -> {
            PreparedStatement insert = tx.prepare("insert into sealed_here (name, part, sealed) values (?, 'p', ?)"
                    + " on conflict (name) do update set sealed = excluded.sealed");
            insert.setString(1, name);
            insert.setBytes(2, sealed);
            return insert.executeUpdate();
        });
    }

    private String read(Seal seal, String name) {
        return new String(seal.open(sealed(name), place(name, "p")), StandardCharsets.UTF_8);
    }

    private byte[] sealed(String name) {
        return store.readers().read(connection -> {
            try (PreparedStatement select =
                    connection.prepareStatement("select sealed from sealed_here where name = ?")) {
                select.setString(1, name);
                try (ResultSet rows = select.executeQuery()) {
                    assertThat(rows.next()).isTrue();
                    return rows.getBytes(1);
                }
            }
        });
    }

    private Resealing keys(Path key, Path... previous) {
        return keys(COLUMN, key, previous);
    }

    private Resealing keys(SealedColumn column, Path key, Path... previous) {
        List<KeyPlace> earlier = new ArrayList<>();
        for (Path one : previous) {
            earlier.add(new KeyPlace.InFile(one));
        }
        return store.sqlite().keys(new KeyPlace.InFile(key), earlier, List.of(), List.of(column, VALUE));
    }

    private static int run(Resealing keys, BooleanSupplier goOn) {
        AtomicInteger sealed = new AtomicInteger();
        assertThat(keys.run(goOn, sealed::addAndGet)).isEmpty();
        return sealed.get();
    }

    private void allReadable(Resealing keys) {
        for (int i = 0; i < ROWS; i++) {
            assertThat(read(keys.seal(), name(i))).isEqualTo("secret " + i);
        }
    }

    @Test
    void with_the_old_key_named_beside_it_a_new_one_seals_at_once_and_both_are_read() throws Exception {
        Resealing keys = keys(newKey, oldKey);

        assertThat(Files.readString(newKey)).isNotEqualTo(Files.readString(oldKey));
        allReadable(keys);
        assertThat(keys.status().waiting()).isEqualTo(ROWS + 1);
        assertThat(keys.status().earlier().getFirst().place()).isEqualTo("the file " + oldKey);
        put(keys.seal(), name(0), "secret 0");
        assertThat(keys.status().waiting()).isEqualTo(ROWS);
    }

    @Test
    void once_all_is_sealed_anew_the_old_key_can_be_thrown_away() throws Exception {
        assertThat(run(keys(newKey, oldKey), ALWAYS)).isEqualTo(ROWS + 1);
        Files.delete(oldKey);
        store.reopen();

        Resealing keys = keys(newKey);
        allReadable(keys);
        assertThat(keys.status().waiting()).isZero();
        assertThat(keys.status().earlier()).isEmpty();
    }

    @Test
    void a_second_run_does_nothing() {
        Resealing keys = keys(newKey, oldKey);
        run(keys, ALWAYS);

        assertThat(run(keys, ALWAYS)).isZero();
        store.reopen();
        assertThat(run(keys(newKey, oldKey), ALWAYS)).isZero();
    }

    @Test
    void one_that_ended_in_the_middle_lost_nothing_and_is_gone_on_with() {
        AtomicInteger batches = new AtomicInteger();
        assertThat(run(keys(newKey, oldKey), () -> batches.getAndIncrement() < 2))
                .isEqualTo(2 * Resealing.BATCH);
        store.reopen();

        Resealing keys = keys(newKey, oldKey);
        allReadable(keys);
        assertThat(run(keys, ALWAYS)).isEqualTo(ROWS + 1 - 2 * Resealing.BATCH);
    }

    @Test
    void a_start_is_refused_as_long_as_something_needs_a_key_that_is_not_named() {
        AtomicInteger batches = new AtomicInteger();
        String old = keys(newKey, oldKey).status().earlier().getFirst().key();
        run(keys(newKey, oldKey), () -> batches.getAndIncrement() < 2);
        store.reopen();

        assertThatThrownBy(() -> keys(newKey))
                .isInstanceOf(StoreFault.class)
                .hasMessageContaining(ROWS + 1 - 2 * Resealing.BATCH + " with key " + old)
                .hasMessageContaining("sallyport.previous-keys");
    }

    @Test
    void a_previous_key_that_is_another_lets_no_key_take_the_place_and_makes_none() throws Exception {
        Path wrong = store.key().resolveSibling("wrong.key");
        Files.writeString(
                Files.createFile(
                        wrong,
                        java.nio.file.attribute.PosixFilePermissions.asFileAttribute(
                                java.nio.file.attribute.PosixFilePermissions.fromString("rw-------"))),
                java.util.Base64.getEncoder().encodeToString(new byte[32]));

        assertThatThrownBy(() -> keys(newKey, wrong)).hasMessageContaining("is gone");
        assertThat(newKey).doesNotExist();
        assertThatThrownBy(() -> keys(wrong)).hasMessageContaining("was sealed with another key");
        assertThatThrownBy(() -> keys(newKey, newKey)).hasMessageStartingWith("sallyport.previous-keys: ");
        allReadable(keys(oldKey));
    }

    @Test
    void a_secret_that_is_entered_in_between_stands() {
        List<KeyRing> rings = new ArrayList<>();
        SealedColumn staged = SealedColumn.of("sealed_here", "sealed", List.of("name", "part"), key -> {
            // Asked for between reading a row and writing it: somebody enters another secret just then.
            if (key.getFirst().equals(name(3)) && !rings.isEmpty()) {
                put(rings.removeFirst(), name(3), "entered meanwhile");
            }
            return place(key.get(0), key.get(1));
        });
        Resealing keys = keys(staged, newKey, oldKey);
        rings.add((KeyRing) keys.seal());

        assertThat(run(keys, ALWAYS)).isEqualTo(ROWS);
        assertThat(rings).isEmpty();
        assertThat(read(keys.seal(), name(3))).isEqualTo("entered meanwhile");
        assertThat(keys.status().waiting()).isZero();
    }

    @Test
    void a_value_that_was_changed_is_named_and_holds_up_no_other() {
        byte[] changed = sealed(name(2));
        changed[changed.length - 1] ^= 1;
        write(name(2), changed);
        Resealing keys = keys(newKey, oldKey);
        AtomicInteger sealed = new AtomicInteger();

        assertThat(keys.run(ALWAYS, sealed::addAndGet)).containsExactly("sealed_here.sealed of row-0002");
        assertThat(sealed).hasValue(ROWS);
        assertThat(keys.status().waiting()).isOne();
        store.reopen();
        assertThatThrownBy(() -> keys(newKey)).hasMessageContaining("1 with key");
    }

    @Test
    void one_can_go_back_to_the_key_before() {
        AtomicInteger batches = new AtomicInteger();
        run(keys(newKey, oldKey), () -> batches.getAndIncrement() < 1);
        store.reopen();

        Resealing back = keys(oldKey, newKey);
        assertThat(run(back, ALWAYS)).isEqualTo(Resealing.BATCH);
        store.reopen();
        allReadable(keys(oldKey));
    }
}

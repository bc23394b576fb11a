package io.sallyport.ledger;

import static io.sallyport.ledger.TestFacts.used;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.TestLedger;
import io.sallyport.testing.TestStore;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Somebody who can write to the file changes the record; verification names the first entry that does not hold (AU-02). */
class TamperingTest {

    private static final int ENTRIES = 20;

    @RegisterExtension
    final TestStore store = new TestStore();

    private Ledger ledger;
    private LedgerView.Head honest;

    @BeforeEach
    void a_record_without_its_guards() {
        ledger = TestLedger.on(store);
        for (int i = 1; i < ENTRIES; i++) {
            String content = "content " + i;
            store.writer().write(tx -> ledger.append(tx, used(content)));
        }
        honest = ledger.head();
        sql("drop trigger entry_is_never_changed");
        sql("drop trigger entry_is_never_removed");
        assertThat(ledger.verify(honest).good()).isTrue();
    }

    @Test
    void a_flipped_bit_anywhere_in_the_bytes_or_the_hashes_is_found() {
        Random random = new Random(3);
        for (String column : new String[] {"canonical", "leaf_hash", "chain_hash", "prefix_sha256", "request_sha256"}) {
            for (int round = 0; round < 8; round++) {
                long seq = 1 + random.nextInt(ENTRIES - 1);
                byte[] honestBytes = bytes(column, seq);
                byte[] flipped = honestBytes.clone();
                flipped[random.nextInt(flipped.length)] ^= (byte) (1 << random.nextInt(8));
                set(column, seq, flipped);
                assertThat(ledger.verify().firstBad())
                        .as("%s of %d", column, seq)
                        .isEqualTo(seq);
                set(column, seq, honestBytes);
            }
        }
        assertThat(ledger.verify(honest).good()).isTrue();
    }

    @Test
    void a_changed_column_that_would_hide_an_entry_from_look_ups_is_found() {
        for (String change :
                new String[] {"task = 'other'", "grant_id = null", "kind = 'window'", "time = time + 1", "use = 3"}) {
            sql("update entry set " + change + " where seq = 5");
            Ledger.Check check = ledger.verify();
            assertThat(check.firstBad()).as(change).isEqualTo(5);
            assertThat(check.why()).contains("column");
            sql(
                    "update entry set task = 'task-1', grant_id = 'grant-1', kind = 'used', use = null, time = (select time from entry where seq = 6) where seq = 5");
            assertThat(ledger.verify().good()).isTrue();
        }
    }

    @Test
    void a_dropped_entry_is_named() {
        sql("delete from entry where seq = 7");
        assertThat(ledger.verify().firstBad()).isEqualTo(7);
        assertThat(ledger.verify().why()).contains("missing");
    }

    @Test
    void a_dropped_first_entry_is_named() {
        sql("delete from entry where seq = 0");
        assertThat(ledger.verify().firstBad()).isZero();
    }

    @Test
    void entries_put_in_another_order_are_found_at_the_first_that_moved() {
        sql("update entry set seq = -1 where seq = 4");
        sql("update entry set seq = 4 where seq = 9");
        sql("update entry set seq = 9 where seq = -1");
        assertThat(ledger.verify().firstBad()).isEqualTo(4);
    }

    @Test
    void a_dropped_entry_whose_followers_were_moved_up_is_found() {
        sql("delete from entry where seq = 7");
        for (int i = 8; i < ENTRIES; i++) {
            sql("update entry set seq = " + (i - 1) + " where seq = " + i);
        }
        assertThat(ledger.verify().firstBad()).isEqualTo(7);
    }

    @Test
    void a_cut_off_end_is_found_by_the_head() {
        sql("delete from entry where seq >= 15");
        Ledger.Check check = ledger.verify();
        assertThat(check.firstBad()).isEqualTo(15);
        assertThat(check.why()).contains("missing").contains("19");
    }

    @Test
    void a_cut_off_end_whose_head_was_cut_too_is_found_by_a_head_kept_elsewhere() {
        sql("delete from entry where seq >= 15");
        sql("update ledger_head set entries = 15, chain_hash = (select chain_hash from entry where seq = 14)");
        assertThat(ledger.verify().good()).isTrue();
        assertThat(ledger.verify(honest).firstBad()).isEqualTo(15);
    }

    @Test
    void a_record_rewritten_whole_is_found_by_a_head_kept_elsewhere() {
        sql("delete from entry");
        sql("update ledger_head set entries = 0, chain_hash = zeroblob(32)");
        store.reopen();
        ledger = TestLedger.on(store);
        for (int i = 0; i < 30; i++) {
            store.writer().write(tx -> ledger.append(tx, used("forged")));
        }
        assertThat(ledger.verify().good()).isTrue();
        assertThat(ledger.verify(honest).firstBad()).isEqualTo(honest.entries() - 1);
    }

    @Test
    void an_entry_appended_past_the_head_is_found() {
        sql("update ledger_head set entries = 18, chain_hash = (select chain_hash from entry where seq = 17)");
        assertThat(ledger.verify().firstBad()).isEqualTo(18);
    }

    @Test
    void a_head_that_names_another_chain_is_found() {
        sql("update ledger_head set chain_hash = zeroblob(32)");
        assertThat(ledger.verify().firstBad()).isEqualTo(ENTRIES - 1);
    }

    @Test
    void a_record_that_lost_its_end_and_went_on_stays_broken() {
        sql("delete from entry where seq >= 15");
        store.reopen();
        ledger = TestLedger.on(store);
        assertThat(ledger.head().entries()).isEqualTo(ENTRIES + 15);
        assertThat(ledger.verify().firstBad()).isEqualTo(15);
    }

    private void sql(String sql) {
        store.writer().write(tx -> {
            try (Statement statement = tx.connection().createStatement()) {
                return statement.executeUpdate(sql);
            }
        });
    }

    private byte[] bytes(String column, long seq) {
        return store.readers().read(connection -> {
            try (ResultSet row =
                    connection.createStatement().executeQuery("select " + column + " from entry where seq = " + seq)) {
                return row.getBytes(1);
            }
        });
    }

    private void set(String column, long seq, byte[] bytes) {
        store.writer().write(tx -> {
            PreparedStatement update = tx.prepare("update entry set " + column + " = ? where seq = ?");
            update.setBytes(1, bytes);
            update.setLong(2, seq);
            return update.executeUpdate();
        });
    }
}

package io.sallyport.ledger;

import static io.sallyport.ledger.TestFacts.answered;
import static io.sallyport.ledger.TestFacts.sha;
import static io.sallyport.ledger.TestFacts.used;
import static io.sallyport.ledger.TestFacts.window;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sallyport.identity.Principal;
import io.sallyport.ledger.Ledger.Entry;
import io.sallyport.ledger.Ledger.Query;
import io.sallyport.testing.TestLedger;
import io.sallyport.testing.TestStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class LedgerTest {

    @RegisterExtension
    final TestStore store = new TestStore();

    private Ledger ledger;

    @BeforeEach
    void a_started_ledger() {
        ledger = TestLedger.on(store);
    }

    @Test
    void entries_are_numbered_from_zero_without_gaps_and_go_on_after_a_restart() {
        append(used("a"));
        store.reopen();
        ledger = TestLedger.on(store);
        append(used("b"));
        assertThat(all()).extracting(Entry::seq).containsExactly(0L, 1L, 2L, 3L, 4L);
        assertThat(all()).extracting(Entry::kind).containsExactly("started", "used", "outcome", "started", "used");
        assertThat(ledger.verify()).isEqualTo(new Ledger.Check(5, ledger.head().chainHash(), null, null));
    }

    @Test
    void work_that_is_rolled_back_leaves_no_entry_no_gap_and_a_whole_chain() {
        Random random = new Random(7);
        List<CompletableFuture<Long>> all = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            boolean good = random.nextInt(4) != 0;
            String content = "content " + i;
            all.add(store.writer().submit(tx -> {
                long seq = ledger.append(tx, used(content)).seq();
                if (!good) {
                    throw new IllegalStateException("after the append");
                }
                return seq;
            }));
        }
        List<Long> acknowledged = all.stream()
                .map(f -> f.exceptionally(e -> -1L).join())
                .filter(seq -> seq >= 0)
                .toList();
        assertThat(acknowledged)
                .isEqualTo(
                        LongStream.rangeClosed(1, acknowledged.size()).boxed().toList());
        assertThat(ledger.verify().firstBad()).isNull();
        assertThat(ledger.head().entries()).isEqualTo(1 + acknowledged.size());
    }

    @Test
    void an_append_that_fails_and_is_swallowed_breaks_nothing() {
        store.writer().write(tx -> {
            assertThatThrownBy(() -> ledger.append(tx, used("x", true, "no hash")))
                    .isInstanceOf(IllegalArgumentException.class);
            return ledger.append(tx, used("y")).seq();
        });
        assertThat(ledger.verify().firstBad()).isNull();
        assertThat(ledger.head().entries()).isEqualTo(2);
    }

    @Test
    void content_is_found_by_its_hash_whether_it_left_in_one_window_or_in_many() {
        append(used("small"));
        long use = append(used("one", false, null));
        append(window(use, "one", "two", false));
        long last = append(window(use, "onetwo", "three", true));
        assertThat(find("small")).extracting(Entry::seq).containsExactly(1L);
        assertThat(find("onetwothree")).extracting(Entry::seq).containsExactly(last);
        assertThat(find("onetwo")).extracting(Entry::seq).containsExactly(3L);
        assertThat(find("one")).extracting(Entry::seq).containsExactly(use);
        assertThat(find("two")).isEmpty();
        assertThat(find("request of onetwothree")).extracting(Entry::seq).containsExactly(last);
    }

    @Test
    void content_is_found_in_full_runs_and_after_them() {
        List<CompletableFuture<Long>> all = IntStream.range(0, 2 * Runs.ENTRIES + 100)
                .mapToObj(i -> store.writer()
                        .submit(tx -> ledger.append(tx, used("n" + i)).seq()))
                .toList();
        all.forEach(CompletableFuture::join);
        for (int i :
                new int[] {0, 1, Runs.ENTRIES - 2, Runs.ENTRIES - 1, Runs.ENTRIES, 2 * Runs.ENTRIES, all.size() - 1}) {
            assertThat(find("n" + i)).extracting(Entry::seq).containsExactly(i + 1L);
            assertThat(find("request of n" + i)).extracting(Entry::seq).containsExactly(i + 1L);
        }
        assertThat(find("n" + all.size())).isEmpty();
        assertThat(ledger.verify().good()).isTrue();
        store.writer().write(tx -> {
            PreparedStatement delete = tx.prepare("delete from entry_key where key = ?");
            delete.setBytes(1, Arrays.copyOf(Sha256.parse(sha("n4")), 8));
            return delete.executeUpdate();
        });
        assertThat(ledger.verify().firstBad()).isEqualTo(5);
        assertThat(ledger.verify().why()).contains("look-up");
    }

    @Test
    void a_files_bytes_have_the_hash_that_its_content_was_recorded_with(@TempDir Path folder) throws Exception {
        String content = "0123456789".repeat(20_000);
        append(used(content));
        Path file = Files.writeString(folder.resolve("payload"), content);
        assertThat(ledger.find(Query.ofSha256(Sha256.ofFile(file), 10)).entries())
                .extracting(Entry::seq)
                .containsExactly(1L);
    }

    @Test
    void a_credential_that_was_handed_out_is_found_by_its_hash() {
        append(used("a"));
        append(new Fact.HandedOut(TestLedger.ACTOR, 1, "access_token", sha("fresh-access-token")));
        append(new Fact.HandedOut(TestLedger.ACTOR, 1, null, null));
        assertThat(find("fresh-access-token")).hasSize(1);
        assertThat(ledger.verify().good()).isTrue();
        assertThat(all()).extracting(Entry::kind).containsExactly("started", "used", "handed-out", "handed-out");
    }

    @Test
    void every_condition_of_a_query_must_hold() {
        Fact.Actor other = new Fact.Actor("task-2", "grant-2", "p", new Principal("cluster", "x"), null);
        append(used("a"));
        append(used(other, "/", "a", true, null));
        append(answered(1));
        assertThat(find("a")).hasSize(2);
        assertThat(ledger.find(new Query(sha("a"), "task-2", null, null, null, null, -1, 10))
                        .entries())
                .extracting(Entry::seq)
                .containsExactly(2L);
        assertThat(ledger.find(new Query(null, null, "grant-2", null, null, null, -1, 10))
                        .entries())
                .extracting(Entry::seq)
                .containsExactly(2L);
        assertThat(ledger.find(new Query(null, "task-1", null, "outcome", null, null, -1, 10))
                        .entries())
                .extracting(Entry::seq)
                .containsExactly(3L);
        assertThat(ledger.find(new Query(sha("a"), "task-2", null, "outcome", null, null, -1, 10))
                        .entries())
                .isEmpty();
    }

    @Test
    void time_is_from_inclusive_to_exclusive_in_microseconds() {
        Instant now = TestLedger.NOW;
        assertThat(between(now, null)).hasSize(1);
        assertThat(between(now.plusNanos(1_000), null)).isEmpty();
        assertThat(between(null, now)).isEmpty();
        assertThat(between(null, now.plusNanos(1_000))).hasSize(1);
        assertThat(all().getFirst().time()).isEqualTo(now);
    }

    @Test
    void a_clock_that_was_set_back_breaks_nothing() {
        ledger = TestLedger.on(store, Clock.fixed(Instant.parse("1969-12-31T23:59:59.9Z"), ZoneOffset.UTC));
        assertThat(all().getLast().canonical()).contains("\"time\":\"1969-12-31T23:59:59.900000Z\"");
        assertThat(ledger.verify().firstBad()).isNull();
    }

    @Test
    void pages_follow_one_another_without_loss_or_repetition() {
        IntStream.range(0, 25).forEach(i -> append(used("c" + i)));
        List<Long> seen = new ArrayList<>();
        long after = -1;
        Ledger.Page page;
        do {
            page = ledger.find(new Query(null, null, null, null, null, null, after, 10));
            page.entries().forEach(entry -> seen.add(entry.seq()));
            after = seen.getLast();
        } while (page.more());
        assertThat(seen).isEqualTo(LongStream.rangeClosed(0, 25).boxed().toList());
    }

    @Test
    void a_query_that_makes_no_sense_is_refused() {
        assertThatThrownBy(() -> Query.all(0)).hasMessageContaining("1 to 1000");
        assertThatThrownBy(() -> Query.all(1001)).hasMessageContaining("1 to 1000");
        assertThatThrownBy(() -> Query.ofSha256("ABCD", 1)).hasMessageContaining("64 lower-case");
        assertThatThrownBy(() -> Query.ofSha256(sha("a").toUpperCase(java.util.Locale.ROOT), 1))
                .hasMessageContaining("64 lower-case");
    }

    @Test
    void one_entry_is_had_by_its_number() {
        assertThat(ledger.entry(0)).get().extracting(Entry::kind).isEqualTo("started");
        assertThat(ledger.entry(1)).isEmpty();
        assertThat(ledger.entry(-1)).isEmpty();
    }

    @Test
    void the_record_is_read_from_its_file_beside_a_running_broker_and_after_it() {
        append(used("payload"));
        Ledger.Check inside = ledger.verify();
        try (LedgerFile file = LedgerFile.open(store.data())) {
            assertThat(file.verify()).isEqualTo(inside);
            append(used("later"));
            assertThat(file.find(Query.ofSha256(sha("later"), 1)).entries()).hasSize(1);
        }
        store.sqlite().close();
        try (LedgerFile file = LedgerFile.open(store.data())) {
            assertThat(file.verify(LedgerView.Head.parse(inside.entries() + ":" + inside.chainHash()))
                            .entries())
                    .isEqualTo(3);
        }
        assertThatThrownBy(() -> LedgerFile.open(store.data().resolve("nowhere")))
                .hasMessageContaining("no database");
        store.reopen();
    }

    @Test
    void the_database_itself_refuses_to_change_or_remove_an_entry() {
        for (String sql : List.of(
                "update entry set task = 'x'",
                "delete from entry",
                "insert or replace into entry select * from entry")) {
            assertThatThrownBy(() -> store.writer().write(tx -> tx.prepare(sql).executeUpdate()))
                    .hasStackTraceContaining("an entry is never");
        }
    }

    private long append(Fact fact) {
        return store.writer().write(tx -> ledger.append(tx, fact)).seq();
    }

    private List<Entry> all() {
        return ledger.find(Query.all(1000)).entries();
    }

    private List<Entry> find(String content) {
        return ledger.find(Query.ofSha256(sha(content), 100)).entries();
    }

    private List<Entry> between(Instant from, Instant to) {
        return ledger.find(new Query(null, null, null, null, from, to, -1, 10)).entries();
    }
}

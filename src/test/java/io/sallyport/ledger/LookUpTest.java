package io.sallyport.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.identity.Principal;
import io.sallyport.ledger.Ledger.Entry;
import io.sallyport.ledger.Ledger.Query;
import io.sallyport.testing.TestLedger;
import io.sallyport.testing.TestStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Whatever is asked, the runs lead to what going through all entries would find. */
class LookUpTest {

    private static final int ENTRIES = 2 * Runs.ENTRIES + 700;

    @RegisterExtension
    final TestStore store = new TestStore();

    private final Random random = new Random(5);
    private Instant now = TestLedger.NOW;
    private Ledger ledger;

    @Test
    void a_look_up_finds_what_going_through_all_entries_would_find() {
        start();
        for (int written = 0; written < ENTRIES; written += 100) {
            // Work that is rolled back, and a restart in the middle of a run: the run is whole nevertheless.
            if (written == 1_500) {
                store.reopen();
                start();
            }
            write(100, written % 1_300 == 0);
        }
        List<Entry> all = all();
        assertThat(all).hasSizeGreaterThan(2 * Runs.ENTRIES);
        assertThat(ledger.verify().good()).isTrue();
        for (int i = 0; i < 300; i++) {
            Query query = query(all);
            assertThat(ledger.find(query).entries())
                    .as(query.toString())
                    .isEqualTo(all.stream()
                            .filter(entry -> matches(query, entry))
                            .limit(query.limit())
                            .toList());
        }
    }

    private void start() {
        ledger = TestLedger.on(store, clock());
    }

    private Clock clock() {
        InstantSource moving = () -> now;
        return moving.withZone(ZoneOffset.UTC);
    }

    private void write(int count, boolean oneFails) {
        List<CompletableFuture<Long>> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Fact fact = fact();
            boolean fails = oneFails && i == count / 2;
            all.add(store.writer().submit(tx -> {
                now = now.plus(Duration.ofMillis(random.nextInt(100) == 0 ? -5_000 : 10));
                long seq = ledger.append(tx, fact).seq();
                if (fails) {
                    throw new IllegalStateException("after the append");
                }
                return seq;
            }));
        }
        all.forEach(future -> future.exceptionally(e -> -1L).join());
    }

    private Fact fact() {
        Fact.Actor actor = new Fact.Actor(
                "task-" + random.nextInt(40), "grant-" + random.nextInt(80), "p", new Principal("cluster", "x"), null);
        return switch (random.nextInt(12)) {
            case 0 -> new Fact.Operated("operator", "something");
            case 1, 2, 3, 4 ->
                new Fact.Outcome(actor, random.nextInt(50), "answered", 200, null, List.of(), 0, 0, false, null);
            default ->
                TestFacts.used(
                        actor, "/" + random.nextInt(9), "content " + random.nextInt(3_000), random.nextBoolean(), null);
        };
    }

    private Query query(List<Entry> all) {
        Entry some = all.get(random.nextInt(all.size()));
        return new Query(
                maybe(3, TestFacts.sha("content " + random.nextInt(3_000))),
                maybe(3, "task-" + random.nextInt(41)),
                maybe(4, "grant-" + random.nextInt(81)),
                maybe(
                        3,
                        List.of("used", "outcome", "operated", "started", "locked")
                                .get(random.nextInt(5))),
                maybe(4, some.time()),
                maybe(4, some.time().plusSeconds(random.nextInt(20))),
                random.nextInt(3) == 0 ? random.nextInt(all.size()) : -1,
                1 + random.nextInt(random.nextBoolean() ? 20 : 1_000));
    }

    private <T> T maybe(int oneIn, T value) {
        return random.nextInt(oneIn) == 0 ? value : null;
    }

    private static boolean matches(Query query, Entry entry) {
        String text = entry.canonical();
        return entry.seq() > query.after()
                && (query.sha256() == null || text.contains("sha256\":\"" + query.sha256()))
                && (query.task() == null || text.contains("\"task\":\"" + query.task() + "\""))
                && (query.grant() == null || text.contains("\"grant\":\"" + query.grant() + "\""))
                && (query.kind() == null || entry.kind().equals(query.kind()))
                && (query.from() == null || !entry.time().isBefore(query.from()))
                && (query.to() == null || entry.time().isBefore(query.to()));
    }

    private List<Entry> all() {
        List<Entry> all = new ArrayList<>();
        Stream.iterate(-1L, after -> after + 1_000)
                .takeWhile(after -> after < 3L * Runs.ENTRIES)
                .forEach(after -> all.addAll(ledger.find(new Query(null, null, null, null, null, null, after, 1_000))
                        .entries()));
        return all;
    }
}

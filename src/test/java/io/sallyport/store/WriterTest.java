package io.sallyport.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sallyport.testing.TestStore;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class WriterTest {

    @RegisterExtension
    final TestStore store = new TestStore();

    @BeforeEach
    void a_table() {
        store.writer()
                .write(tx ->
                        tx.prepare("create table t (n integer primary key)").executeUpdate());
    }

    @Test
    void what_is_written_is_read_after_a_restart() {
        store.writer().write(insert(7));
        store.reopen();
        assertThat(rows()).containsExactly(7);
    }

    @Test
    void work_that_throws_fails_alone_and_its_neighbours_are_committed() {
        List<CompletableFuture<Integer>> group =
                inOneGroup(List.of(insert(1), throwing(2), insert(3), insert(1), insert(4)));
        assertThat(group.get(0).join()).isEqualTo(1);
        assertThatThrownBy(group.get(1)::join).hasCauseInstanceOf(IllegalStateException.class);
        assertThat(group.get(2).join()).isEqualTo(1);
        assertThatThrownBy(group.get(3)::join).hasCauseInstanceOf(SQLException.class);
        assertThat(rows()).containsExactly(1, 3, 4);
        assertThat(store.writer().healthy()).isTrue();
    }

    @Test
    void a_statement_that_failed_because_its_table_was_gone_works_again_once_the_table_is_back() {
        store.writer().write(insert(1));
        store.writer().write(tx -> tx.connection().createStatement().execute("alter table t rename to away"));
        assertThatThrownBy(() -> store.writer().write(insert(2))).hasMessageContaining("no such table");
        store.writer().write(tx -> tx.connection().createStatement().execute("alter table away rename to t"));
        store.writer().write(insert(3));
        assertThat(rows()).containsExactly(1, 3);
    }

    @Test
    void no_piece_is_run_more_than_twice_however_many_throw() {
        AtomicInteger runs = new AtomicInteger();
        List<Writer.Work<Integer>> works = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            Writer.Work<Integer> work = i % 2 == 0 ? insert(i) : throwing(i);
            works.add(tx -> {
                runs.incrementAndGet();
                return work.run(tx);
            });
        }
        inOneGroup(works).forEach(f -> f.handle((v, e) -> v).join());
        assertThat(rows()).hasSize(50);
        assertThat(runs.get()).isLessThanOrEqualTo(200);
    }

    @Test
    void any_mix_of_good_and_bad_work_leaves_exactly_the_good() {
        Random random = new Random(42);
        List<Integer> expected = new ArrayList<>();
        List<CompletableFuture<Integer>> all = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            boolean good = random.nextInt(10) != 0;
            if (good) {
                expected.add(i);
            }
            all.add(store.writer().submit(good ? insert(i) : throwing(i)));
        }
        all.forEach(f -> f.handle((v, e) -> v).join());
        assertThat(rows()).isEqualTo(expected);
    }

    @Test
    void news_of_a_commit_comes_after_it_and_before_the_future_and_never_for_work_that_failed() {
        List<String> seen = new ArrayList<>();
        List<Writer.Work<Integer>> works = List.of(
                tx -> {
                    tx.afterCommit(() -> seen.add("committed, rows " + rows()));
                    tx.afterRollback(() -> seen.add("undone 1"));
                    return insert(1).run(tx);
                },
                tx -> {
                    tx.afterCommit(() -> seen.add("never"));
                    tx.afterRollback(() -> seen.add("undone 2"));
                    return throwing(2).run(tx);
                });
        List<CompletableFuture<Integer>> group = inOneGroup(works, f -> f.thenRun(() -> seen.add("future")));
        group.forEach(f -> f.handle((v, e) -> v).join());
        store.writer().write(insert(3));
        assertThat(seen).containsExactly("undone 1", "undone 2", "undone 2", "committed, rows [1]", "future");
    }

    @Test
    void a_future_is_completed_only_after_the_commit_has_returned() {
        CompletableFuture<List<Integer>> seen = store.writer().submit(insert(1)).thenApply(v -> rows());
        assertThat(seen.join()).containsExactly(1);
    }

    @Test
    void closing_finishes_what_waits_and_lets_nothing_more_in() {
        CountDownLatch held = new CountDownLatch(1);
        store.writer().submit(waitFor(held));
        List<CompletableFuture<Integer>> waiting =
                Stream.of(1, 2, 3).map(n -> store.writer().submit(insert(n))).toList();
        Thread closing = Thread.startVirtualThread(() -> store.sqlite().close());
        held.countDown();
        assertThat(waiting).allSatisfy(f -> assertThat(f.join()).isEqualTo(1));
        joined(closing);
        assertThatThrownBy(() -> store.writer().submit(insert(4)).join()).hasCauseInstanceOf(StoreFault.class);
        store.reopen();
        assertThat(rows()).containsExactly(1, 2, 3);
    }

    @Test
    void work_that_nobody_waits_for_is_committed_by_itself() {
        assertThat(store.writer().submitInPassing(insert(1)).join()).isEqualTo(1);
        assertThat(rows()).containsExactly(1);
    }

    @Test
    void work_that_nobody_waits_for_comes_before_what_is_submitted_after_it() {
        CompletableFuture<Integer> left = store.writer().submitInPassing(insert(1));
        store.writer().write(insert(2));
        assertThat(left).isCompleted();
        assertThat(rows()).containsExactly(1, 2);
    }

    @Test
    void closing_finishes_what_nobody_waits_for() {
        for (int n = 0; n < 100; n++) {
            store.writer().submitInPassing(insert(n));
        }
        store.reopen();
        assertThat(rows()).hasSize(100);
        store.sqlite().close();
        assertThatThrownBy(() -> store.writer().submitInPassing(insert(100)).join())
                .hasCauseInstanceOf(StoreFault.class);
        store.reopen();
    }

    @Test
    void the_writers_own_thread_is_told_that_it_can_not_wait_for_itself() {
        CompletableFuture<Integer> nested = new CompletableFuture<>();
        inOneGroup(
                List.of(insert(1)),
                f -> f.thenApply(v -> store.writer().write(insert(2)))
                        .whenComplete((v, e) -> nested.completeExceptionally(e.getCause())));
        assertThatThrownBy(nested::join).hasCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    void readers_can_not_write() {
        assertThatThrownBy(
                        () -> store.readers().read(c -> c.createStatement().executeUpdate("insert into t values (1)")))
                .isInstanceOf(StoreFault.class);
        assertThat(rows()).isEmpty();
    }

    @Test
    void every_connection_of_the_writer_syncs_at_each_commit() {
        List<String> pragmas = store.writer()
                .write(tx -> List.of(
                        text(tx.connection(), "pragma synchronous"),
                        text(tx.connection(), "pragma foreign_keys"),
                        text(tx.connection(), "pragma journal_mode")));
        assertThat(pragmas).containsExactly("2", "1", "wal");
    }

    @Test
    void what_a_group_gathers_is_written_once_for_all_before_the_commit() {
        Gathered gathered = new Gathered();
        List<CompletableFuture<Integer>> group = inOneGroup(List.of(gathered.adding(1), gathered.adding(2), insert(3)));
        assertThat(group).allSatisfy(f -> assertThat(f.join()).isEqualTo(1));
        assertThat(rows()).containsExactly(1, 2, 3);
        assertThat(gathered.written).isEqualTo(1);
    }

    @Test
    void a_mistake_in_what_was_gathered_fails_the_one_that_made_it_and_no_other() {
        Gathered gathered = new Gathered();
        List<CompletableFuture<Integer>> group = inOneGroup(
                List.of(gathered.adding(1), gathered.adding(2), gathered.adding(1), throwing(3), gathered.adding(4)));
        assertThat(group.get(0).join()).isEqualTo(1);
        assertThat(group.get(1).join()).isEqualTo(1);
        assertThatThrownBy(group.get(2)::join).hasCauseInstanceOf(SQLException.class);
        assertThatThrownBy(group.get(3)::join).hasCauseInstanceOf(IllegalStateException.class);
        assertThat(group.get(4).join()).isEqualTo(1);
        assertThat(rows()).containsExactly(1, 2, 4);
        assertThatThrownBy(() -> store.writer().write(gathered.adding(4))).isInstanceOf(StoreFault.class);
        store.writer().write(gathered.adding(5));
        assertThat(rows()).containsExactly(1, 2, 4, 5);
    }

    /** Rows that are put in together at the end. */
    private static final class Gathered implements Gathering {
        private final List<Integer> waiting = new ArrayList<>();
        int written;

        Writer.Work<Integer> adding(int n) {
            return tx -> {
                tx.gather(this);
                waiting.add(n);
                return 1;
            };
        }

        @Override
        public void write(Tx tx) throws SQLException {
            if (!waiting.isEmpty()) {
                written++;
            }
            for (int n : waiting) {
                insert(n).run(tx);
            }
            waiting.clear();
        }

        @Override
        public void forget() {
            waiting.clear();
        }
    }

    private List<Integer> rows() {
        return store.readers().read(connection -> {
            List<Integer> numbers = new ArrayList<>();
            try (ResultSet rows = connection.createStatement().executeQuery("select n from t order by n")) {
                while (rows.next()) {
                    numbers.add(rows.getInt(1));
                }
            }
            return numbers;
        });
    }

    private static String text(Connection connection, String sql) throws SQLException {
        try (ResultSet row = connection.createStatement().executeQuery(sql)) {
            return row.getString(1);
        }
    }

    private List<CompletableFuture<Integer>> inOneGroup(List<Writer.Work<Integer>> works) {
        return inOneGroup(works, f -> {});
    }

    /** Holds the writer, alone in its group, until all are in the line, so that they are one group. */
    private List<CompletableFuture<Integer>> inOneGroup(
            List<Writer.Work<Integer>> works, java.util.function.Consumer<CompletableFuture<Integer>> on) {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch held = new CountDownLatch(1);
        store.writer().submit(tx -> {
            begun.countDown();
            return waitFor(held).run(tx);
        });
        awaited(begun);
        List<CompletableFuture<Integer>> group = works.stream()
                .map(work -> {
                    CompletableFuture<Integer> future = store.writer().submit(work);
                    on.accept(future);
                    return future;
                })
                .toList();
        held.countDown();
        return group;
    }

    private static Writer.Work<Integer> waitFor(CountDownLatch latch) {
        return tx -> {
            awaited(latch);
            return 0;
        };
    }

    private static void awaited(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Writer.Work<Integer> insert(int n) {
        return tx -> {
            var insert = tx.prepare("insert into t values (?)");
            insert.setInt(1, n);
            return insert.executeUpdate();
        };
    }

    /** Writes first, so that something is there to be undone. */
    private static Writer.Work<Integer> throwing(int n) {
        return tx -> {
            insert(n).run(tx);
            throw new IllegalStateException("thrown by " + n);
        };
    }

    private static void joined(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}

package io.sallyport.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What happens when the disk is full, the file is in the way, or the lock is held: everybody waits in vain, nobody believes, and it heals. */
class StoreFaultsTest {

    @TempDir
    Path folder;

    @Test
    void when_the_database_is_full_all_who_wait_are_refused_and_it_recovers_without_restart() {
        AtomicInteger limit = new AtomicInteger(40);
        try (GroupCommitWriter writer = limited(limit)) {
            writer.write(tx -> tx.prepare("create table t (b blob)").executeUpdate());
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 1000; i++) {
                            writer.write(fill());
                        }
                    })
                    .isInstanceOf(StoreFault.class)
                    .hasMessageContaining("SQLITE_FULL");
            assertThat(writer.healthy()).isFalse();
            limit.set(1_000_000);
            await().until(writer::healthy);
            assertThat(writer.write(fill())).isEqualTo(1);
        }
    }

    @Test
    void a_fault_refuses_the_whole_group_and_tells_each_that_it_is_undone() throws Exception {
        AtomicInteger limit = new AtomicInteger(40);
        AtomicInteger undone = new AtomicInteger();
        try (GroupCommitWriter writer = limited(limit)) {
            writer.write(tx -> tx.prepare("create table t (b blob)").executeUpdate());
            CountDownLatch held = new CountDownLatch(1);
            CountDownLatch begun = new CountDownLatch(1);
            writer.submit(tx -> {
                begun.countDown();
                try {
                    held.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                return 0;
            });
            begun.await();
            List<CompletableFuture<Integer>> group = IntStream.range(0, 100)
                    .mapToObj(i -> writer.submit(tx -> {
                        tx.afterRollback(undone::incrementAndGet);
                        return fill().run(tx);
                    }))
                    .toList();
            held.countDown();
            assertThat(group).allSatisfy(f -> assertThatThrownBy(f::join).hasCauseInstanceOf(StoreFault.class));
            limit.set(1_000_000);
            await().until(writer::healthy);
            long rows = writer.write(tx -> {
                try (var row = tx.prepare("select count(*) from t").executeQuery()) {
                    return row.getLong(1);
                }
            });
            assertThat(rows).isZero();
            assertThat(undone.get()).isPositive();
        }
    }

    @Test
    void a_database_that_can_not_be_opened_again_stays_refused_until_it_can() {
        AtomicInteger limit = new AtomicInteger(40);
        try (GroupCommitWriter writer = limited(limit)) {
            limit.set(-1);
            assertThatThrownBy(() -> writer.write(tx -> 1)).isInstanceOf(StoreFault.class);
            assertThat(writer.healthy()).isFalse();
            limit.set(1_000_000);
            await().until(writer::healthy);
        }
    }

    @Tag("slow")
    @Test
    void on_a_disk_that_is_really_full_nothing_is_acknowledged_and_space_heals_it() throws Exception {
        Path disk = Files.createDirectory(folder.resolve("disk"));
        boolean mounted = run("mount", "-t", "tmpfs", "-o", "size=2m,mode=0700", "sallyport-test", disk.toString());
        Assumptions.assumeTrue(mounted, "skipped: a small tmpfs can't be mounted here");
        try {
            Path ballast = disk.resolve("ballast");
            Files.write(ballast, new byte[1024 * 1024]);
            try (SqliteStore store = SqliteStore.open(disk.resolve("data"))) {
                store.writer().write(tx -> tx.prepare("create table t (b blob)").executeUpdate());
                int acknowledged = fillUp(store.writer());
                assertThat(store.writer().healthy()).isFalse();
                assertThat(count(store.readers())).isEqualTo(acknowledged);
                Files.delete(ballast);
                await().until(store.writer()::healthy);
                assertThat(store.writer().write(fill())).isEqualTo(1);
                assertThat(count(store.readers())).isEqualTo(acknowledged + 1);
            }
        } finally {
            run("umount", disk.toString());
        }
    }

    private static int fillUp(Writer writer) {
        for (int acknowledged = 0; ; acknowledged++) {
            try {
                writer.write(fill());
            } catch (StoreFault e) {
                return acknowledged;
            }
        }
    }

    private static int count(Readers readers) {
        return readers.read(connection -> {
            try (var row = connection.createStatement().executeQuery("select count(*) from t")) {
                return row.getInt(1);
            }
        });
    }

    private static Writer.Work<Integer> fill() {
        return tx -> tx.prepare("insert into t values (randomblob(5000))").executeUpdate();
    }

    /** Pages that the database may have; below zero it can't even be opened. */
    private GroupCommitWriter limited(AtomicInteger pages) {
        Path file = folder.resolve("limited.db");
        return new GroupCommitWriter(() -> {
            if (pages.get() < 0) {
                throw new SQLException("can't be opened");
            }
            Connection connection = new SqliteConnections(file).writing().getConnection();
            try (var statement = connection.createStatement()) {
                statement.execute("create table if not exists store_value (name text primary key, value blob)");
                statement.execute("pragma max_page_count=" + pages.get());
            }
            return connection;
        });
    }

    private static boolean run(String... command) throws IOException, InterruptedException {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }
}

package io.sallyport.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.identity.Principal;
import io.sallyport.ledger.Ledger.Query;
import io.sallyport.store.SqliteStore;
import io.sallyport.testing.TestLedger;
import io.sallyport.testing.TestStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A database that an older version has filled, opened by this one: its look-ups lead to what was there before them. */
class OlderDatabaseTest {

    private static final int RUNS = 2;
    private static final int ENTRIES = RUNS * Runs.ENTRIES + 700;

    /** Filled by this version, and so what the older one is to become. */
    @RegisterExtension
    final TestStore filled = new TestStore();

    @TempDir
    Path folder;

    private final Random random = new Random(21);
    private Instant now = TestLedger.NOW;
    private long open;

    @BeforeEach
    void an_older_database_with_the_same_entries() throws Exception {
        fill();
        // Into the file itself: the other database reads it there.
        filled.sqlite().close();
        Files.createDirectories(
                data(), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Flyway.configure()
                .dataSource("jdbc:sqlite:" + file(), null, null)
                .locations("classpath:db/migration")
                .target("20")
                .load()
                .migrate();
        try (Connection older = DriverManager.getConnection("jdbc:sqlite:" + file());
                Statement statement = older.createStatement()) {
            for (String sql : List.of(
                    "attach '" + filled.sqlite().file() + "' as filled",
                    "insert into entry select * from filled.entry",
                    "insert into entry_hash select seq / 4096, substr(prefix_sha256, 1, 8), seq from entry"
                            + " where prefix_sha256 is not null and seq < " + RUNS * Runs.ENTRIES,
                    "update ledger_head set (entries, chain_hash) ="
                            + " (select entries, chain_hash from filled.ledger_head)")) {
                statement.execute(sql);
            }
        }
        Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-------"));
    }

    @Test
    void its_runs_become_what_appending_would_have_made_of_them() throws Exception {
        assertThat(rows("select count(*) from sqlite_schema where name = 'entry_run'"))
                .containsExactly("0");
        SqliteStore.open(data()).close();
        for (String sql : List.of(
                "select run, from_time, to_time from entry_run order by run",
                "select run, typeof(key), hex(key), parts from entry_key order by run, key",
                "select seq, hex(canonical), hex(chain_hash) from entry order by seq")) {
            assertThat(rows(sql))
                    .as(sql)
                    .isNotEmpty()
                    .isEqualTo(rows(filled.sqlite().file(), sql));
        }
        assertThat(rows("select count(*) from entry_run")).containsExactly(Integer.toString(RUNS));
    }

    @Test
    void it_holds_and_goes_on_and_what_was_left_open_in_it_is_closed() {
        try (SqliteStore store = SqliteStore.open(data())) {
            Ledger ledger = Ledger.start(store, clock(), () -> TestLedger.BOOK, new LedgerSettings("2", "node-a"));
            assertThat(ledger.verify().good()).isTrue();
            assertThat(ledger.find(Query.ofSha256(TestFacts.sha("the one left open"), 10))
                            .entries())
                    .extracting(Ledger.Entry::seq)
                    .containsExactly(open);
            assertThat(ledger.find(new Query(null, null, null, "outcome", null, null, ENTRIES + 2, 10))
                            .entries())
                    .singleElement()
                    .satisfies(entry -> assertThat(entry.canonical()).contains("\"unknown\"", "\"use\":" + open));
            for (int i = 0; i < Runs.ENTRIES; i++) {
                Fact fact = fact(i);
                store.writer().submit(tx -> ledger.append(tx, fact));
            }
            store.writer().write(tx -> ledger.append(tx, new Fact.Operated("operator", "something")));
            assertThat(ledger.verify().good()).isTrue();
        }
    }

    private void fill() {
        Ledger ledger = TestLedger.on(filled, clock());
        open = filled.writer()
                .write(tx -> ledger.append(tx, TestFacts.used("the one left open")))
                .seq();
        for (int i = 0; i < ENTRIES; i++) {
            Fact fact = fact(i);
            filled.writer().submit(tx -> {
                now = now.plus(Duration.ofMillis(random.nextInt(100) == 0 ? -5_000 : 10));
                return ledger.append(tx, fact);
            });
        }
        filled.writer().write(tx -> ledger.append(tx, new Fact.Operated("operator", "the last")));
    }

    /** Every use but the first is over; with and without each of what an entry is found by. */
    private Fact fact(int n) {
        Fact.Actor actor = new Fact.Actor(
                "task-" + random.nextInt(40), "grant-" + random.nextInt(80), "p", new Principal("cluster", "x"), null);
        return switch (n % 5) {
            case 0 -> new Fact.Operated("operator", "something");
            case 1 -> new Fact.Outcome(actor, 1_000_000, "answered", 200, null, List.of(), 0, 0, false, null);
            case 2 -> TestFacts.window(1_000_000, "before", "content " + random.nextInt(3_000), random.nextBoolean());
            default -> new Fact.Refused(actor, null, "GET", "api.up.test", null, "denied", "no", 403, List.of());
        };
    }

    private Clock clock() {
        InstantSource moving = () -> now;
        return moving.withZone(ZoneOffset.UTC);
    }

    private Path data() {
        return folder.resolve("data");
    }

    private Path file() {
        return data().resolve(SqliteStore.FILE);
    }

    private List<String> rows(String sql) throws SQLException {
        return rows(file(), sql);
    }

    private static List<String> rows(Path file, String sql) throws SQLException {
        List<String> all = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                ResultSet rows = connection.createStatement().executeQuery(sql)) {
            while (rows.next()) {
                StringBuilder row = new StringBuilder(rows.getString(1));
                for (int i = 2; i <= rows.getMetaData().getColumnCount(); i++) {
                    row.append(' ').append(rows.getString(i));
                }
                all.add(row.toString());
            }
        }
        return all;
    }
}

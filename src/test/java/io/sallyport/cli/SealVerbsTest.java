package io.sallyport.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sallyport.RunningBroker;
import io.sallyport.store.Readers;
import io.sallyport.store.SealedColumn;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole broker whose sealing key is changed, by the verbs that an operator has. */
@Tag("slow")
class SealVerbsTest {

    /** Columns that hold bytes and no secret. Another one is either named here or sealed, and then rotated with the others. */
    private static final Set<String> NOT_SEALED = Set.of(
            "entry.prefix_sha256",
            "entry.request_sha256",
            "entry.canonical",
            "entry.leaf_hash",
            "entry.chain_hash",
            "ledger_head.chain_hash",
            "interception_authority.certificate",
            "interception_intermediate.certificate",
            "operator_token.sha256",
            "store_value.value");

    @TempDir
    Path home;

    private RunningBroker start(String... more) throws Exception {
        RunningBroker.write(home, "rules/credentials/written.yml", """
                sallyport: v1
                credential: written
                destinations: ["https://api.github.com"]
                source: {kind: local}
                inject: {kind: bearer}
                blast-radius: medium
                """);
        return RunningBroker.start(home, more);
    }

    private Path secret() throws Exception {
        return RunningBroker.write(home, "typed", "s3cr3t-Ab/Cd+Ef=Gh-0123456789");
    }

    /** The old key is put aside, so that a new one is made in its place. */
    private String oldKeySetAside() throws Exception {
        Path old = home.resolve("key/old.key");
        Files.move(home.resolve("key/master.key"), old);
        return "--sallyport.previous-keys=file:" + old;
    }

    @Test
    void the_key_is_changed_while_the_broker_runs_and_the_old_one_thrown_away() throws Exception {
        String old;
        try (RunningBroker broker = start()) {
            OperatorVerbs operator = new OperatorVerbs(broker, home);
            assertThat(operator.say("credential", "put", "written", "--file", secret().toString())
                            .exit())
                    .isZero();
            assertThat(operator.say("seal", "status").out()).contains("nothing needs another key");
            OperatorVerbs.Said refused = operator.say("seal", "rotate", "--new-key");
            assertThat(refused.exit()).isOne();
            assertThat(refused.err()).contains("sallyport.previous-keys");
            old = key(operator);
        }
        try (RunningBroker broker = start(oldKeySetAside())) {
            OperatorVerbs operator = new OperatorVerbs(broker, home);
            // The signing key, the interception CA, the key of hashes, and what was written in.
            assertThat(operator.say("seal", "status").out())
                    .contains("4 values need key " + old + " from the file " + home.resolve("key/old.key"));
            OperatorVerbs.Said rotated = operator.say("seal", "rotate");
            assertThat(rotated.exit()).as(rotated.err()).isZero();
            assertThat(rotated.out()).contains("nothing needs another key");
            String now = key(operator);
            assertThat(operator.deeds().reversed().subList(0, 2))
                    .containsExactly(
                            "seal rotate to key " + now + " ended: 4 values sealed anew, 0 left",
                            "seal rotate to key " + now + " from the file " + home.resolve("key/master.key")
                                    + ": 4 values of other keys");
            int before = operator.deeds().size();
            assertThat(operator.say("seal", "rotate").exit()).isZero();
            assertThat(operator.deeds()).hasSize(before);
            assertThat(operator.say("credential", "test", "written").exit()).isZero();
            List<String> left = broker.bean(Readers.class).read(connection -> valuesWith(connection, old));
            assertThat(left).isEmpty();
        }
        Files.delete(home.resolve("key/old.key"));
        try (RunningBroker broker = start()) {
            assertThat(new OperatorVerbs(broker, home)
                            .say("credential", "test", "written")
                            .out())
                    .contains("written works");
        }
    }

    @Test
    void without_the_old_key_the_start_is_refused_and_says_what_needs_it() throws Exception {
        start().close();
        String previous = oldKeySetAside();
        start(previous).close();

        assertThatThrownBy(() -> start().close())
                .rootCause()
                .hasMessageContaining("3 with key ")
                .hasMessageContaining("sallyport.previous-keys");
        start(previous).close();
    }

    @Test
    void each_column_that_may_hold_something_sealed_is_rotated() throws Exception {
        try (RunningBroker broker = start()) {
            Set<String> columns = new TreeSet<>(broker.bean(Readers.class).read(SealVerbsTest::blobs));
            broker.beans(SealedColumn.class).forEach(one -> columns.remove(one.table() + "." + one.column()));
            columns.removeAll(NOT_SEALED);
            assertThat(columns).isEmpty();
            // In the table of single values these are in the clear, or wrapped by a service; all others are sealed.
            assertThat(values(broker)).isSubsetOf("probe", "key-check", "data-key", "sent-content-key");
        }
    }

    private static List<String> values(RunningBroker broker) {
        return broker.bean(Readers.class).read(connection -> {
            List<String> names = new ArrayList<>();
            try (Statement select = connection.createStatement();
                    ResultSet rows = select.executeQuery("select name from store_value")) {
                while (rows.next()) {
                    names.add(rows.getString(1));
                }
            }
            return names;
        });
    }

    private static String key(OperatorVerbs operator) {
        return operator.say("seal", "status").out().split(" ")[1];
    }

    private static List<String> blobs(Connection connection) throws SQLException {
        List<String> columns = new ArrayList<>();
        try (Statement select = connection.createStatement();
                ResultSet rows = select.executeQuery("select m.name, c.name from sqlite_master m,"
                        + " pragma_table_info(m.name) c where m.type = 'table' and upper(c.type) = 'BLOB'")) {
            while (rows.next()) {
                columns.add(rows.getString(1) + "." + rows.getString(2));
            }
        }
        return columns;
    }

    /** Wherever a value is that was sealed with that key, whatever the table. */
    private static List<String> valuesWith(Connection connection, String key) throws SQLException {
        List<String> found = new ArrayList<>();
        String start =
                "01" + HexFormat.of().withUpperCase().formatHex(HexFormat.of().parseHex(key));
        for (String column : blobs(connection)) {
            String[] parts = column.split("\\.");
            try (Statement select = connection.createStatement();
                    ResultSet rows = select.executeQuery("select count(*) from " + parts[0] + " where hex(substr("
                            + parts[1] + ", 1, 9)) = '" + start + "'")) {
                if (rows.next() && rows.getInt(1) > 0) {
                    found.add(column);
                }
            }
        }
        return found;
    }
}

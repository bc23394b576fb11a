package io.sallyport.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.RunningBroker;
import io.sallyport.credential.Places;
import io.sallyport.rules.RuleBooks;
import io.sallyport.store.Writer;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The verbs of credentials, as an operator types them beside a running broker. */
@Tag("slow")
class CredentialVerbsTest {

    private static final String SECRET = "ghp_0123456789abcdefghij";
    private static final String ONE = "\"https://api.github.com\"";
    private static final String TWO = ONE + ", \"https://files.example\"";

    @TempDir
    static Path home;

    private static RunningBroker broker;
    private static OperatorVerbs operator;

    @BeforeAll
    static void start() throws IOException {
        for (String name : new String[] {"works", "asked", "moved", "gone"}) {
            document(name, ONE);
            RunningBroker.write(home, "secrets/" + name, SECRET);
        }
        RunningBroker.write(home, "rules/credentials/empty.yml", """
                sallyport: v1
                credential: empty
                destinations: ["https://api.github.com"]
                source: {kind: local}
                inject: {kind: bearer}
                blast-radius: medium
                """);
        broker = RunningBroker.start(home);
        operator = new OperatorVerbs(broker, home);
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    private static void document(String name, String destinations) throws IOException {
        RunningBroker.write(home, "rules/credentials/" + name + ".yml", """
                sallyport: v1
                credential: %s
                destinations: [%s]
                source: {kind: file, name: %s}
                inject: {kind: bearer}
                blast-radius: medium
                """.formatted(name, destinations, name));
    }

    /** Used once where it was, and then sent to another place besides. */
    private static void changed(String name) throws IOException {
        Places places = broker.bean(Places.class);
        var credential = broker.bean(RuleBooks.class).current().credentials().get(name);
        broker.bean(Writer.class).write(tx -> {
            places.confirm(tx, credential, "first use");
            return 0;
        });
        document(name, TWO);
        assertThat(operator.say("rules", "reload").exit()).isZero();
    }

    @Test
    void a_test_says_what_the_source_gave_by_name_and_shows_no_value() {
        OperatorVerbs.Said said = operator.say("credential", "test", "works");
        assertThat(said.exit()).isZero();
        assertThat(said.out())
                .startsWith("works works: its source gave secret, good for ")
                .doesNotContain(SECRET);
        assertThat(operator.deeds()).contains("credential test works: works");
    }

    @Test
    void a_test_that_fails_says_why_and_what_kind_of_trouble_it_is() throws IOException {
        OperatorVerbs.Said missing = operator.say("credential", "test", "empty");
        assertThat(missing.exit()).isOne();
        assertThat(missing.out()).isEqualTo("empty can't be had (missing): no secret has been entered\n");
        java.nio.file.Files.delete(home.resolve("secrets/gone"));
        assertThat(operator.say("credential", "test", "gone").out()).contains("its file does not exist");
        OperatorVerbs.Said unknown = operator.say("credential", "test", "nobody");
        assertThat(unknown.exit()).isOne();
        assertThat(unknown.err()).contains("404").contains("There is no credential nobody");
    }

    @Test
    void what_nobody_changed_needs_no_confirmation() {
        OperatorVerbs.Said said = operator.say("credential", "confirm", "works");
        assertThat(said.exit()).isZero();
        assertThat(said.out()).isEqualTo("nothing of works has to be confirmed\n");
    }

    @Test
    void a_new_place_is_shown_and_without_a_yes_not_confirmed() throws IOException {
        changed("asked");
        OperatorVerbs.Said said = operator.say("credential", "confirm", "asked");
        assertThat(said.exit()).isOne();
        assertThat(said.out()).contains("The secret of asked would go to:").contains("  https://files.example, as ");
        assertThat(said.out()).doesNotContain("api.github.com");
        assertThat(said.err()).contains("--yes confirms what is shown");
        assertThat(operator.say("credential", "confirm", "asked").exit()).isOne();
        assertThat(operator.deeds()).noneMatch(deed -> deed.startsWith("credential confirm asked"));
    }

    @Test
    void with_a_yes_it_is_confirmed_and_the_ledger_says_which() throws IOException {
        changed("moved");
        OperatorVerbs.Said said = operator.say("credential", "confirm", "--yes", "moved");
        assertThat(said.exit()).isZero();
        assertThat(said.out()).endsWith("confirmed\n");
        assertThat(operator.deeds())
                .anyMatch(deed -> deed.startsWith("credential confirm moved: https://files.example, as "));
        assertThat(operator.say("credential", "confirm", "moved").out()).contains("nothing of moved");
    }
}

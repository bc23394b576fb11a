package io.sallyport.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What a person meets who types something wrong: one sentence, the exit code, and no content of a file that was named by mistake. */
class CliTest {

    @TempDir
    private Path folder;

    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return line().execute(arguments);
    }

    private CommandLine line() {
        CommandLine line = Cli.commandLine(
                settings -> {
                    throw new AssertionError("no broker is wanted");
                },
                Clock.systemUTC());
        return line.setErr(new PrintWriter(err, true)).setOut(new PrintWriter(new StringWriter()));
    }

    @Test
    void an_unknown_verb_is_named_beside_those_that_there_are() {
        assertThat(run("frobnicate")).isEqualTo(2);
        assertThat(err.toString())
                .contains("'frobnicate' is not understood; verbs: show, rules, credential")
                .contains("Try: sallyport --help")
                .hasLineCount(2);
    }

    @Test
    void a_missing_option_is_one_sentence_and_where_to_read_on() {
        assertThat(run("exchange", "--token-file", "x")).isEqualTo(2);
        assertThat(err.toString())
                .contains("--scope=POLICY:SCOPE")
                .contains("Try: sallyport exchange --help")
                .hasLineCount(2);
    }

    @Test
    void a_verb_that_has_verbs_of_its_own_lists_them() {
        assertThat(run("rules")).isEqualTo(2);
        assertThat(err.toString()).contains("name a verb: check, explain, reload");
    }

    @Test
    void an_address_without_a_scheme_is_refused_with_what_is_allowed() {
        for (String address :
                new String[] {"localhost:8080", "http://", "http://a/b", "http://u@a", "ftp://a", "http:// a"}) {
            assertThat(run("exchange", "--token-file", "x", "-s", "a:b", "--agent", address))
                    .isEqualTo(2);
            assertThat(err.toString()).contains("'" + address + "' is not a door's address; allowed: http://HOST:PORT");
        }
    }

    @Test
    void what_follows_the_name_of_a_command_is_the_commands() {
        var parsed = line().parseArgs("run", "--token-file", "x", "-s", "a:b", "curl", "-s", "https://a.example/");
        var run = parsed.subcommand();
        assertThat(run.<Object>matchedOptionValue("--scope", null)).isEqualTo(java.util.List.of("a:b"));
        assertThat(run.<Object>matchedPositionalValue(0, null))
                .isEqualTo(java.util.List.of("curl", "-s", "https://a.example/"));
    }

    @Test
    void a_file_that_holds_no_operator_token_is_neither_sent_nor_shown() throws Exception {
        for (String content :
                new String[] {"line one\nsk-live-secret", "", "sk-live-secret", "sk-live-secret\u0000aaaaaaaaaa"}) {
            Path file = Files.writeString(folder.resolve("wrong"), content);
            OperatorDoor door = new OperatorDoor(URI.create("http://127.0.0.1:1"), file);
            assertThatThrownBy(() -> door.get("/api/v1/status"))
                    .isInstanceOf(CommandFailed.class)
                    .hasMessageContaining("holds no operator token")
                    .hasMessageNotContaining("sk-live");
        }
    }

    @Test
    void a_missing_file_is_called_missing() {
        assertThat(run("ledger", "find", folder + "/none")).isEqualTo(1);
        assertThat(run("exchange", "--token-file", folder + "/none", "-s", "a:b"))
                .isEqualTo(1);
        assertThat(err.toString().lines()).hasSize(2).allMatch(line -> line.endsWith("/none: no such file"));
    }

    @Test
    void a_problem_says_where_what_is_allowed_and_each_wrong_document() {
        assertThat(Complaint.ofProblem(Json.read("""
                {"detail":"It will not do.","where":"select.task","allowed":["a","b"],
                 "problems":["policies/a.yml:3: no","policies/b.yml:4: no"]}""")))
                .isEqualTo(
                        "It will not do. At: select.task. Allowed: a, b.\n  policies/a.yml:3: no\n  policies/b.yml:4: no");
        assertThat(Complaint.ofProblem(Json.read("{\"title\":\"Forbidden\"}"))).isEqualTo("Forbidden");
    }
}

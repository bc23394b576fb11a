package io.sallyport.cli.show;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The show is read on a terminal: its lines fit there, and those that are there to be pasted are whole. */
class PlaybillTest {

    private static final int WIDTH = 120;

    @Test
    void a_long_line_is_broken_between_words_and_nothing_is_lost() {
        String text = "word ".repeat(100) + "x".repeat(200) + "  two  spaces";
        String wrapped = Playbill.wrapped(text);
        assertThat(wrapped.lines().filter(line -> !line.contains("xxx"))).allMatch(line -> line.length() <= 110);
        assertThat(wrapped.replaceAll("\\s+", " ")).isEqualTo(text.replaceAll("\\s+", " "));
        assertThat(wrapped).contains("x".repeat(200));
    }

    @Test
    void what_to_try_next_fits_and_leaves_out_what_is_usual() {
        String text = farewell(ShowDoors.USUAL, Path.of("data/show").toAbsolutePath());
        assertThat(text.lines()).allMatch(line -> line.length() <= WIDTH);
        assertThat(text)
                .contains("env --token-file data/show/workload.jwt -s show:read")
                .contains("cat data/show/data/operator-token")
                .doesNotContain("--agent", "--operator ");
    }

    @Test
    void what_to_try_next_names_other_doors_and_quotes_other_folders() {
        String text = farewell(new ShowDoors(1, 2, 3, 4), Path.of("/a b"));
        assertThat(text)
                .contains("--agent http://localhost:1 --hop http://127.0.0.1:2 --token-file '/a b/workload.jwt'")
                .contains("--operator http://127.0.0.1:3 --operator-token-file '/a b/data/operator-token'")
                .contains("cat '/a b'/data/operator-token");
    }

    private static String farewell(ShowDoors doors, Path home) {
        StringWriter out = new StringWriter();
        new ShowFarewell(new PrintWriter(out), doors, "https://api.show.test:45678", home).print();
        return out.toString();
    }
}

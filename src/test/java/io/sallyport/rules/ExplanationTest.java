package io.sallyport.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.http.Parsed;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExplanationTest {

    @TempDir
    private Path temp;

    private RuleBook book;

    @BeforeEach
    void compile() {
        TestFolder folder = new TestFolder(temp.resolve("rules"));
        folder.policy("scopes:\n", """
                never: ["DELETE /**"]
                scopes:
                  one:
                    reason: Reads one
                    destination: https://api.up.test
                    allow: ["GET /a/b"]
                    credential: up
                  elsewhere:
                    reason: Reads elsewhere
                    destination: https://other.up.test
                    allow: ["GET /a/b"]
                    credential: none
                """);
        book = folder.book();
    }

    @Test
    void it_tells_which_scope_is_selected_and_why_the_others_are_not() {
        Explanation explanation = explain("GET", "https://api.up.test/a/b");
        assertThat(explanation.policy()).isEqualTo("fixer");
        assertThat(explanation.selected()).contains("one");
        assertThat(explanation.scopes())
                .containsEntry("one", "the request belongs to it")
                .containsEntry("elsewhere", "is for https://other.up.test")
                .containsEntry("read", "its GET /a/** matches; another scope is more precise, or never comes first");
    }

    @Test
    void a_refusal_is_told_with_its_error() {
        assertThat(explain("DELETE", "https://api.up.test/a/b").answer()).startsWith("refused: never_allowed: ");
        assertThat(explain("GET", "https://api.up.test").selected()).isEmpty();
    }

    @Test
    void what_is_no_request_or_no_policy_is_malformed() {
        assertThat(Explanation.of(book, null, "GET", "api.up.test/a")).isInstanceOf(Parsed.Malformed.class);
        assertThat(Explanation.of(book, null, "GET", "https://api.up.test/a/../b"))
                .isInstanceOf(Parsed.Malformed.class);
        assertThat(Explanation.of(book, "fixr", "GET", "https://api.up.test/a")).isInstanceOf(Parsed.Malformed.class);
    }

    private Explanation explain(String method, String url) {
        return Explanation.of(book, "fixer", method, url).orElseThrow().getFirst();
    }
}

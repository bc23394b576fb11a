package io.sallyport.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KeysTest {

    @Test
    void a_document_with_nothing_wrong_is_made() {
        Keys keys = Keys.of(Map.of("ttl", "15min", "name", "a"));
        var ttl = keys.required("ttl", Forms.DURATION);
        var name = keys.text("name");
        assertThat(keys.compiled(() -> name.orElseThrow() + ttl.orElseThrow()))
                .isEqualTo(new Compiled.Ok<>("a" + Duration.ofMinutes(15)));
    }

    @Test
    void a_missing_required_key_is_said_with_its_path() {
        Keys keys = Keys.of(Map.of("scopes", Map.of("read", Map.of())));
        keys.children("scopes").get("read").text("reason");
        assertThat(problems(keys)).containsExactly(new Problem("scopes.read.reason", "is missing and required"));
    }

    @Test
    void a_missing_mapping_is_said_once_and_not_again_for_what_it_lacks() {
        Keys keys = Keys.of(Map.of());
        keys.child("source").text("kind");
        assertThat(problems(keys)).containsExactly(new Problem("source", "is missing and required"));
    }

    @Test
    void an_unknown_key_is_said_with_what_is_allowed_and_with_what_was_probably_meant() {
        Keys keys = Keys.of(Map.of("task", Map.of("byte-out", "1MiB")));
        Keys task = keys.child("task");
        task.optional("bytes-out", Forms.SIZE);
        task.optional("ttl", Forms.DURATION);
        assertThat(problems(keys))
                .containsExactly(
                        new Problem("task.byte-out", "is unknown; allowed: bytes-out, ttl (did you mean bytes-out?)"));
    }

    @Test
    void every_reserved_key_is_an_error_that_says_so() {
        for (String key :
                List.of("conditions", "operations", "approve", "after", "effect", "guardrail", "source-per-person")) {
            assertThat(problems(Keys.of(Map.of(key, "x"))))
                    .containsExactly(new Problem(key, "is reserved and not built"));
        }
    }

    @Test
    void keys_that_begin_with_x_are_ignored_at_every_level() {
        Keys keys = Keys.of(Map.of("x-note", 1, "task", Map.of("x-y", List.of(), "ttl", "1s")));
        keys.child("task").optional("ttl", Forms.DURATION);
        assertThat(problems(keys)).isEmpty();
    }

    @Test
    void labels_are_allowed_in_every_document_and_are_text() {
        Keys keys = Keys.of(Map.of("labels", Map.of("team", "web")));
        assertThat(keys.labels()).containsEntry("team", "web");
        assertThat(problems(keys)).isEmpty();
        assertThat(problems(Keys.of(Map.of("labels", Map.of("team", 7))))).hasSize(1);
    }

    @Test
    void an_unknown_key_inside_a_list_is_found() {
        Keys keys = Keys.of(Map.of("who", List.of(Map.of("subjekt", "s"))));
        keys.items("who").forEach(item -> ((Value.Mapping) item).keys().text("subject"));
        assertThat(problems(keys))
                .extracting(Problem::where)
                .containsExactlyInAnyOrder("who[0].subject", "who[0].subjekt");
    }

    @Test
    void a_value_of_another_shape_is_said_with_the_shape_that_is_allowed() {
        Keys keys = Keys.of(Map.of("a", List.of("x"), "b", "x", "c", Map.of("d", "e"), "f", List.of()));
        keys.text("a");
        keys.child("b");
        keys.list("c", Forms.TEXT);
        keys.list("f", Forms.TEXT);
        assertThat(problems(keys))
                .containsExactly(
                        new Problem("a", "is a list; allowed: a single value"),
                        new Problem("b", "is a single value; allowed: a mapping"),
                        new Problem("c", "is a mapping; allowed: a list"),
                        new Problem("f", "is empty; allowed: at least one item"));
    }

    @Test
    void a_key_without_a_value_is_an_error_even_where_it_is_optional() {
        Keys keys = Keys.of(new java.util.HashMap<>(java.util.Collections.singletonMap("a", null)));
        keys.optionalText("a");
        assertThat(problems(keys)).extracting(Problem::where).containsExactly("a");
    }

    @Test
    void a_list_names_the_item_that_is_wrong() {
        Keys keys = Keys.of(Map.of("allow", Arrays.asList("GET /", 7)));
        keys.list("allow", Forms.TEXT);
        assertThat(problems(keys)).extracting(Problem::where).containsExactly("allow[1]");
    }

    @Test
    void a_value_that_is_not_built_says_so_and_what_is_allowed() {
        Keys keys = Keys.of(Map.of("binding", "dpop", "mode", "strickt"));
        keys.required("binding", Forms.oneOf(Map.of("address", 1), java.util.Set.of("dpop")));
        keys.required("mode", Forms.oneOf("strict", "opaque"));
        assertThat(problems(keys))
                .containsExactly(
                        new Problem("binding", "\"dpop\" is not built; allowed: address"),
                        new Problem("mode", "\"strickt\" is unknown; allowed: strict, opaque (did you mean strict?)"));
    }

    private static List<Problem> problems(Keys keys) {
        return switch (keys.compiled(() -> "")) {
            case Compiled.Ok<String> ok -> List.of();
            case Compiled.Rejected<String>(List<Problem> problems) -> problems;
        };
    }

    @Test
    void a_file_is_looked_for_from_the_documents_folder_however_deep_its_key_stands() {
        Keys keys = Keys.of(Map.of("source", Map.of("trust", "corp.pem")), Path.of("rules", "credentials"));

        assertThat(keys.child("source").optionalFile("trust")).contains(Path.of("rules", "credentials", "corp.pem"));
        assertThat(keys.child("source").optionalFile("other")).isEmpty();
    }
}

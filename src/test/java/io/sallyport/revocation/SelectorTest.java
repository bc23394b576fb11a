package io.sallyport.revocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sallyport.grant.Grant;
import io.sallyport.grant.TestGrants;
import io.sallyport.http.Parsed;
import io.sallyport.identity.Principal;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an order selects, and what it may not leave open. */
class SelectorTest {

    private static final Grant GRANT = TestGrants.with(draft -> draft.person = new Principal("staff", "ada"));

    private static boolean matches(Map<String, ?> select) {
        return Selector.parse(select).orElseThrow().matches(GRANT, RevocationRoom.REACH);
    }

    private static String reason(Map<String, ?> select) {
        return Selector.parse(select) instanceof Parsed.Malformed<Selector>(String reason) ? reason : "accepted";
    }

    @Test
    void each_key_matches_its_own_and_nothing_else() {
        Map<String, String> right = Map.of(
                "task", GRANT.task(),
                "grant", GRANT.id(),
                "workload", "cluster/site-fixer",
                "person", "staff/ada",
                "policy", "site-fixer",
                "credential", "github-acme",
                "destination", "https://API.github.com:443");
        Map<String, String> wrong = Map.of(
                "task", "task_other",
                "grant", "grant_other",
                "workload", "cluster/site-fixer2",
                "person", "staff/bob",
                "policy", "site",
                "credential", "github",
                "destination", "https://github.com");
        right.forEach(
                (key, value) -> assertThat(matches(Map.of(key, value))).as(key).isTrue());
        wrong.forEach(
                (key, value) -> assertThat(matches(Map.of(key, value))).as(key).isFalse());
        assertThat(matches(right)).isTrue();
        wrong.forEach((key, value) -> {
            Map<String, String> oneWrong = new HashMap<>(right);
            oneWrong.put(key, value);
            assertThat(matches(oneWrong)).as("all right but %s", key).isFalse();
        });
        assertThat(matches(Map.of("all", true))).isTrue();
    }

    @Test
    void a_grant_without_a_person_matches_no_person() {
        Selector selector = Selector.parse(Map.of("person", "staff/ada")).orElseThrow();
        assertThat(selector.matches(TestGrants.active(), RevocationRoom.REACH)).isFalse();
    }

    @Test
    void an_empty_selector_is_an_error_that_says_what_is_allowed() {
        assertThat(reason(Map.of())).contains("empty", "task", "workload", "all");
        assertThatThrownBy(() -> new Selector(new TreeMap<>())).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tasks", "Task", "", "scope", "ALL"})
    void an_unknown_key_is_an_error_even_beside_a_good_one(String key) {
        assertThat(reason(Map.of(key, "x", "task", GRANT.task()))).contains("unknown key '" + key + "'", "allowed");
    }

    @Test
    void a_value_of_the_wrong_kind_is_an_error() {
        for (Object value : Arrays.asList("", " ", 5, true, null, List.of("a"), Map.of(), "x".repeat(2049))) {
            Map<String, Object> select = new HashMap<>();
            select.put("task", value);
            assertThat(reason(select)).as("%s", value).contains("select.task");
        }
        for (Object value : Arrays.asList(false, "true", 1)) {
            assertThat(reason(Map.of("all", value))).contains("select.all");
        }
        for (String value : List.of("site-fixer", "/x", "cluster/")) {
            assertThat(reason(Map.of("workload", value))).contains("select.workload");
        }
        assertThat(reason(Map.of("destination", "api.github.com/path"))).contains("select.destination");
    }

    @Test
    void all_stands_alone() {
        assertThat(reason(Map.of("all", true, "policy", "site-fixer"))).contains("alone");
    }

    @Test
    void what_names_a_task_or_a_grant_is_narrow_and_everything_else_is_wide() {
        assertThat(Selector.ofTask("task_1").wide()).isFalse();
        assertThat(Selector.ofGrant("grant_1").wide()).isFalse();
        assertThat(Selector.parse(Map.of("task", "task_1", "policy", "p"))
                        .orElseThrow()
                        .wide())
                .isFalse();
        for (String key : List.of("policy", "credential")) {
            assertThat(Selector.parse(Map.of(key, "x")).orElseThrow().wide()).isTrue();
        }
        assertThat(Selector.parse(Map.of("all", true)).orElseThrow().wide()).isTrue();
    }

    @Test
    void its_json_is_canonical_and_reads_back() {
        Selector selector = Selector.parse(Map.of("workload", "cluster/\"a\"", "policy", "p"))
                .orElseThrow();
        assertThat(SelectorJson.write(selector)).isEqualTo("{\"policy\":\"p\",\"workload\":\"cluster/\\\"a\\\"\"}");
        assertThat(SelectorJson.read(SelectorJson.write(selector))).isEqualTo(selector);
        Selector all = Selector.parse(Map.of("all", true)).orElseThrow();
        assertThat(SelectorJson.write(all)).isEqualTo("{\"all\":true}");
        assertThat(SelectorJson.read("{\"all\":true}")).isEqualTo(all);
    }
}

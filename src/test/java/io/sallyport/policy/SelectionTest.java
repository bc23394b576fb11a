package io.sallyport.policy;

import static io.sallyport.policy.TestPolicies.answer;
import static io.sallyport.policy.TestPolicies.ask;
import static io.sallyport.policy.TestPolicies.open;
import static io.sallyport.policy.TestPolicies.policy;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which scope a request belongs to, and what is refused. */
class SelectionTest {

    private static final String API = "https://api.up.test";

    private static String line(String name, String allow) {
        return "  " + name + ": {reason: r, destination: https://api.up.test, credential: none, allow: [\"" + allow
                + "\"]}\n";
    }

    @Test
    void what_no_scope_names_is_refused() {
        Policy policy = policy(open("allow: [\"GET /a\"]"));
        assertThat(answer(policy, "GET", API + "/a")).isEqualTo("s");
        assertThat(answer(policy, "GET", "https://other.up.test/a")).isEqualTo("destination_not_allowed");
        assertThat(answer(policy, "GET", API + "/b")).isEqualTo("path_not_allowed");
        assertThat(answer(policy, "POST", API + "/a")).isEqualTo("method_not_allowed");
    }

    @Test
    void the_same_connection_gets_one_answer_for_each_request_and_connect_asks_for_the_host_alone() {
        Policy policy = policy(open("allow: [\"GET /v1/ok\"]"));
        assertThat(policy.namesHost("api.up.test", 443, Set.of("s"))).isTrue();
        assertThat(answer(policy, "GET", API + "/v1/ok")).isEqualTo("s");
        assertThat(answer(policy, "GET", API + "/v1/no")).isEqualTo("path_not_allowed");
        assertThat(answer(policy, "POST", API + "/v1/ok")).isEqualTo("method_not_allowed");
        assertThat(policy.namesHost("denied.up.test", 443, Set.of("s"))).isFalse();
        assertThat(policy.namesHost("api.up.test", 8443, Set.of("s"))).isFalse();
    }

    @Test
    void connect_is_admitted_only_for_a_host_of_a_granted_scope() {
        Policy policy = policy("scopes:\n" + line("s", "GET /a"));
        assertThat(policy.namesHost("api.up.test", 443, Set.of())).isFalse();
        assertThat(policy.namesHost("api.up.test", 443, Set.of("gone"))).isFalse();
    }

    @Test
    void literal_comes_before_partial_before_star_before_the_rest_segment_by_segment() {
        Policy policy = policy("scopes:\n" + line("rest", "GET /a/**") + line("star", "GET /a/*")
                + line("partial", "GET /a/b*") + line("literal", "GET /a/bc") + line("deep", "GET /a/*/d"));
        assertThat(answer(policy, "GET", API + "/a/bc")).isEqualTo("literal");
        assertThat(answer(policy, "GET", API + "/a/bd")).isEqualTo("partial");
        assertThat(answer(policy, "GET", API + "/a/x")).isEqualTo("star");
        assertThat(answer(policy, "GET", API + "/a/x/y")).isEqualTo("rest");
        assertThat(answer(policy, "GET", API + "/a/bc/d")).isEqualTo("deep");
    }

    @Test
    void an_earlier_segment_decides_before_a_later_one() {
        Policy policy = policy("scopes:\n" + line("left", "GET /a/*/*") + line("right", "GET /*/b/c"));
        assertThat(answer(policy, "GET", API + "/a/b/c")).isEqualTo("left");
    }

    @Test
    void a_named_method_comes_before_star_and_only_where_paths_are_equally_precise() {
        Policy policy =
                policy("scopes:\n" + line("named", "GET /a/*") + line("any", "* /a/*") + line("precise", "* /a/b"));
        assertThat(answer(policy, "GET", API + "/a/x")).isEqualTo("named");
        assertThat(answer(policy, "POST", API + "/a/x")).isEqualTo("any");
        assertThat(answer(policy, "GET", API + "/a/b")).isEqualTo("precise");
    }

    @Test
    void an_exact_host_comes_before_a_wildcard_and_yields_where_it_does_not_match() {
        Policy policy = policy("""
                scopes:
                  wild: {reason: r, destination: "https://*.blob.up.test", credential: none, allow: ["GET /a", "GET /b"]}
                  exact: {reason: r, destination: "https://x.blob.up.test", credential: none, allow: ["GET /**"]}
                  other: {reason: r, destination: "https://y.blob.up.test", credential: none, allow: ["GET /b"]}
                """);
        assertThat(answer(policy, "GET", "https://x.blob.up.test/a")).isEqualTo("exact");
        assertThat(answer(policy, "GET", "https://y.blob.up.test/a")).isEqualTo("wild");
        assertThat(answer(policy, "GET", "https://y.blob.up.test/b")).isEqualTo("other");
    }

    @Test
    void there_is_no_fall_through_to_a_granted_scope() {
        Policy policy = policy("scopes:\n" + line("wide", "GET /a/**") + line("narrow", "GET /a/b"));
        Verdict verdict = ask(policy, "GET", API + "/a/b", Set.of("wide"));
        assertThat(verdict)
                .isEqualTo(new Verdict.Refused(
                        "scope_not_granted",
                        "narrow",
                        "the request belongs to scope narrow, which was not granted",
                        false));
    }

    @Test
    void a_condition_refuses_and_never_selects_another_scope() {
        Policy policy = policy("""
                scopes:
                  wide: {reason: r, destination: https://api.up.test, credential: none, allow: ["GET /a/**"]}
                  narrow: {reason: r, destination: https://api.up.test, credential: none, allow: ["GET /a/b"], query: none}
                """);
        assertThat(answer(policy, "GET", API + "/a/b?x=1")).isEqualTo("query_not_allowed");
        assertThat(answer(policy, "GET", API + "/a/c?x=1")).isEqualTo("wide");
    }

    @Test
    void get_admits_head_and_star_admits_six_methods_and_any_other_needs_its_name() {
        Policy policy =
                policy("scopes:\n" + line("get", "GET /g") + line("any", "* /s") + line("named", "OPTIONS,PURGE /n"));
        assertThat(answer(policy, "HEAD", API + "/g")).isEqualTo("get");
        for (String method : Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")) {
            assertThat(answer(policy, method, API + "/s")).isEqualTo("any");
        }
        for (String method : Set.of("OPTIONS", "TRACE", "trace", "get", "FOO", "PURGE")) {
            assertThat(answer(policy, method, API + "/s")).isEqualTo("method_not_allowed");
        }
        // A CONNECT is a tunnel that is passed through, and only a host that is has a scope for it.
        assertThat(answer(policy, "CONNECT", API + "/s")).isEqualTo("destination_not_allowed");
        assertThat(answer(policy, "OPTIONS", API + "/n")).isEqualTo("named");
        assertThat(answer(policy, "PURGE", API + "/n")).isEqualTo("named");
        assertThat(answer(policy, "GET", API + "/n")).isEqualTo("method_not_allowed");
    }

    @Test
    void paths_are_case_sensitive_and_a_trailing_slash_makes_another() {
        Policy policy = policy("scopes:\n" + line("s", "GET /a") + line("below", "GET /b/**"));
        assertThat(answer(policy, "GET", API + "/A")).isEqualTo("path_not_allowed");
        assertThat(answer(policy, "GET", API + "/a/")).isEqualTo("path_not_allowed");
        assertThat(answer(policy, "GET", API + "/b")).isEqualTo("path_not_allowed");
        assertThat(answer(policy, "GET", API + "/b/")).isEqualTo("below");
        assertThat(answer(policy, "GET", API + "/b/c/d")).isEqualTo("below");
    }

    @Test
    void a_star_stands_for_at_least_one_character_of_one_segment() {
        Policy policy = policy("scopes:\n" + line("star", "GET /a/*/x") + line("partial", "GET /b-*-c"));
        assertThat(answer(policy, "GET", API + "/a/b/x")).isEqualTo("star");
        assertThat(answer(policy, "GET", API + "/a/b/c/x")).isEqualTo("path_not_allowed");
        assertThat(answer(policy, "GET", API + "/b--c")).isEqualTo("path_not_allowed");
        assertThat(answer(policy, "GET", API + "/b-1-c")).isEqualTo("partial");
    }

    @Test
    void encoded_letters_are_judged_as_the_letters_and_dot_segments_are_no_request_at_all() {
        Policy policy = policy("scopes:\n" + line("public", "GET /public/**"));
        assertThat(answer(policy, "GET", API + "/p%75blic/x")).isEqualTo("public");
        for (String path :
                Set.of("/public/../secret", "/public/%2e%2e/secret", "/public//../secret", "/public/..;/secret")) {
            assertThat(io.sallyport.http.Target.parse(path)).isInstanceOf(io.sallyport.http.Parsed.Malformed.class);
        }
    }

    @Test
    void a_strict_path_refuses_escaped_slashes_double_escapes_and_empty_segments_as_malformed() {
        Policy policy = policy("scopes:\n" + line("s", "GET /a/**"));
        for (String path : Set.of("/a/b%2Fc", "/a/b%5Cc", "/a/b%252Fc", "/a//c")) {
            assertThat(ask(policy, "GET", API + path))
                    .as(path)
                    .isInstanceOfSatisfying(Verdict.Refused.class, refused -> {
                        assertThat(refused.error()).isEqualTo("path_ambiguous");
                        assertThat(refused.malformed()).isTrue();
                    });
        }
        assertThat(answer(policy, "GET", API + "/z%2Fy")).isEqualTo("path_ambiguous");
    }

    @Test
    void an_opaque_path_takes_an_escaped_slash_as_data_inside_a_segment() {
        Policy policy = policy(open("allow: [\"GET /api/v4/projects/*\"]\npaths: opaque"));
        assertThat(answer(policy, "GET", API + "/api/v4/projects/group%2Fproj")).isEqualTo("s");
        assertThat(answer(policy, "GET", API + "/api/v4/projects/group/proj")).isEqualTo("path_not_allowed");
    }

    @Test
    void never_is_looked_at_first_on_every_reading_of_the_path() {
        Policy policy =
                policy(open("allow: [\"* /**\"]\npaths: opaque") + "never: [\"DELETE /**\", \"* /**/settings/**\"]");
        assertThat(answer(policy, "GET", API + "/repos/a")).isEqualTo("s");
        assertThat(answer(policy, "DELETE", API + "/repos/a")).isEqualTo("never_allowed");
        for (String path : Set.of(
                "/repos/settings/x",
                "/settings/x",
                "/repos%2Fsettings%2Fx",
                "/repos//settings//x",
                "/repos/settings;v=1/x",
                "/repos/SeTTings/x",
                "/repos%2FSettings;v=1//x",
                "/repos/s%65ttings/x")) {
            assertThat(answer(policy, "POST", API + path)).as(path).isEqualTo("never_allowed");
        }
    }

    @Test
    void never_is_absolute_even_where_the_scope_is_not_granted_or_another_origin_is_asked() {
        Policy policy = policy(open("allow: [\"* /**\"]") + "never: [\"DELETE /**\"]");
        assertThat(answer(ask(policy, "DELETE", API + "/a", Set.of()))).isEqualTo("never_allowed");
        assertThat(answer(policy, "DELETE", "https://other.up.test/a")).isEqualTo("never_allowed");
    }

    @Test
    void a_constrained_query_name_must_be_there_once_with_one_of_its_values() {
        Policy policy = policy(open("allow: [\"GET /a\"]\nquery: {state: [open, closed]}"));
        assertThat(answer(policy, "GET", API + "/a?state=open&page=2")).isEqualTo("s");
        assertThat(answer(policy, "GET", API + "/a?state=all")).isEqualTo("query_not_allowed");
        assertThat(answer(policy, "GET", API + "/a")).isEqualTo("query_not_allowed");
        assertThat(ask(policy, "GET", API + "/a?state=open&state=all"))
                .isInstanceOfSatisfying(Verdict.Refused.class, refused -> {
                    assertThat(refused.error()).isEqualTo("query_ambiguous");
                    assertThat(refused.malformed()).isTrue();
                });
    }

    @Test
    void the_query_is_not_part_of_the_match() {
        Policy policy = policy("scopes:\n" + line("s", "GET /a"));
        assertThat(answer(policy, "GET", API + "/a?anything=/b")).isEqualTo("s");
    }

    @Test
    void one_host_has_one_canonical_spelling_and_look_alikes_are_others() {
        Policy policy = policy("""
                scopes:
                  api: {reason: r, destination: "https://API.up.test.", credential: none, allow: ["GET /"]}
                  blob: {reason: r, destination: "https://*.blob.up.test", credential: none, allow: ["GET /"]}
                  idn: {reason: r, destination: "https://bücher.up.test", credential: none, allow: ["GET /"]}
                """);
        assertThat(answer(policy, "GET", "https://API.up.TEST/")).isEqualTo("api");
        assertThat(answer(policy, "GET", "https://api.up.test./")).isEqualTo("api");
        assertThat(answer(policy, "GET", "https://api.up.test:443/")).isEqualTo("api");
        assertThat(answer(policy, "GET", "https://x.blob.up.test/")).isEqualTo("blob");
        assertThat(answer(policy, "GET", "https://xn--bcher-kva.up.test/")).isEqualTo("idn");
        assertThat(answer(policy, "GET", "https://bücher.up.test/")).isEqualTo("idn");
        for (String other : Set.of(
                "https://evilapi.up.test/",
                "https://api.up.test.evil.test/",
                "https://blob.up.test/",
                "https://x.y.blob.up.test/",
                "https://api.up.test:8443/",
                "http://api.up.test/",
                "http://api.up.test:443/",
                "https://аpi.up.test/")) {
            assertThat(answer(policy, "GET", other)).as(other).isEqualTo("destination_not_allowed");
        }
        assertThat(policy.namesHost("x.blob.up.test", 443, Set.of("blob"))).isTrue();
        assertThat(policy.namesHost("blob.up.test", 443, Set.of("blob"))).isFalse();
    }
}

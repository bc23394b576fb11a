package io.sallyport.policy;

import static io.sallyport.policy.TestPolicies.open;
import static io.sallyport.policy.TestPolicies.policy;
import static io.sallyport.policy.TestPolicies.problems;
import static io.sallyport.policy.TestPolicies.problemsOf;
import static io.sallyport.policy.TestPolicies.scope;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.document.Problem;
import io.sallyport.document.Rate;
import io.sallyport.identity.Delegation;
import io.sallyport.identity.Isolation;
import io.sallyport.identity.Principal;
import io.sallyport.identity.Verified;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PolicyDocumentTest {

    private static final String ALLOW = "allow: [\"GET /a\"]\n";

    @Test
    void the_policy_of_the_design_compiles_as_written() {
        Policy policy = TestPolicies.compile("""
                        owner: web-platform@acme.example
                        reason: Fixes issues on acme/site and opens pull requests
                        review-by: 2027-03-01
                        labels: {team: web}
                        who:
                          - {identity: cluster, subject: "system:serviceaccount:agents:site-fixer"}
                        task: {ttl: 15min, uses: 500, bytes-out: 20MiB, depth: 2, at-once: 20, day: {uses: 5000, bytes-out: 1GiB}, binding: address}
                        scopes:
                          read:
                            reason: Reads the repository that it fixes
                            destination: https://api.github.com
                            allow: ["GET /repos/acme/site/**"]
                            credential: github-acme
                          pull:
                            reason: Opens the pull request
                            destination: https://api.github.com
                            allow: ["POST /repos/acme/site/pulls"]
                            limits: {rate: 10/min, body: 64KiB}
                            credential: github-acme
                        never: ["DELETE /**", "* /**/settings/**"]
                        """).map(it -> it)
                        instanceof io.sallyport.document.Compiled.Ok<Policy>(Policy made)
                ? made
                : null;
        assertThat(policy).isNotNull();
        assertThat(policy.name()).isEqualTo("p");
        assertThat(policy.digest()).isEqualTo(TestPolicies.DIGEST);
        assertThat(policy.labels()).containsEntry("team", "web");
        assertThat(policy.reviewBy()).hasToString("2027-03-01");
        assertThat(policy.identities()).containsExactly("cluster");
        assertThat(policy.task())
                .isEqualTo(new TaskLimits(
                        Duration.ofMinutes(15),
                        500,
                        20L << 20,
                        2,
                        OptionalLong.of(20),
                        OptionalLong.of(5000),
                        OptionalLong.of(1L << 30),
                        Binding.ADDRESS));
        assertThat(policy.scopes().keySet()).containsExactly("read", "pull");
        Scope pull = policy.scopes().get("pull");
        assertThat(pull.rate()).contains(new Rate(10, Duration.ofMinutes(1)));
        assertThat(pull.bodyLimit()).hasValue(64 << 10);
        assertThat(pull.credential()).isEqualTo(new CredentialUse.Named(List.of("github-acme")));
        assertThat(pull.paths()).isEqualTo(PathMode.STRICT);
    }

    @Test
    void owner_reason_review_by_who_and_scopes_are_required() {
        assertThat(problemsOf("x-nothing: 1"))
                .extracting(Problem::where)
                .containsExactly("owner", "reason", "review-by", "who", "scopes");
    }

    @Test
    void a_scope_requires_a_reason_a_destination_allow_and_a_credential_explicitly() {
        assertThat(problems("scopes: {s: {x-nothing: 1}}"))
                .extracting(Problem::where)
                .containsExactly("scopes.s.reason", "scopes.s.destination", "scopes.s.allow", "scopes.s.credential");
    }

    @Test
    void a_policy_without_scopes_is_an_error() {
        assertThat(problems("scopes: {}")).extracting(Problem::where).containsExactly("scopes");
    }

    @Test
    void what_a_task_does_not_say_is_small() {
        assertThat(policy(open(ALLOW)).task())
                .isEqualTo(new TaskLimits(
                        Duration.ofMinutes(15),
                        500,
                        20L << 20,
                        0,
                        OptionalLong.empty(),
                        OptionalLong.empty(),
                        OptionalLong.empty(),
                        Binding.ADDRESS));
    }

    @Test
    void a_task_without_time_uses_or_flows_is_an_error() {
        assertThat(problems("task: {ttl: 0s, uses: 0, at-once: 0, depth: -1, day: {uses: 0}}\n" + open(ALLOW)))
                .extracting(Problem::where)
                .containsExactlyInAnyOrder("task.ttl", "task.uses", "task.at-once", "task.depth", "task.day.uses");
    }

    @Test
    void a_binding_that_is_not_built_is_refused() {
        assertThat(problems("task: {binding: address}\n" + open(ALLOW))).isEmpty();
        assertThat(problems("task: {binding: listener}\n" + open(ALLOW))).isEmpty();
        for (String binding : List.of("dpop", "mtls", "none")) {
            assertThat(problems("task: {binding: " + binding + "}\n" + open(ALLOW)))
                    .containsExactly(new Problem(
                            "task.binding", "\"" + binding + "\" is not built; allowed: address, listener"));
        }
    }

    @Test
    void a_reserved_key_in_a_scope_or_policy_is_an_error_that_says_so() {
        assertThat(problems(open(ALLOW + "conditions: {}\n")))
                .containsExactly(new Problem("scopes.s.conditions", "is reserved and not built"));
        assertThat(problems("approve: {}\n" + open(ALLOW)))
                .containsExactly(new Problem("approve", "is reserved and not built"));
    }

    @Test
    void a_scope_may_allow_websockets_and_no_other_upgrade() {
        assertThat(problems(open(ALLOW + "upgrade: [websocket]\n"))).isEmpty();
        assertThat(problems(open(ALLOW + "upgrade: [h2c]\n")))
                .containsExactly(new Problem("scopes.s.upgrade[0]", "\"h2c\" is unknown; allowed: websocket"));
    }

    @Test
    void a_credential_is_a_name_a_list_none_or_the_agents_own() {
        assertThat(used("credential: gh")).isEqualTo(new CredentialUse.Named(List.of("gh")));
        assertThat(used("credential: [a, b]")).isEqualTo(new CredentialUse.Named(List.of("a", "b")));
        assertThat(used("credential: none")).isEqualTo(new CredentialUse.None());
        assertThat(used("credential: {own: [Authorization], reason: It is the agent's}"))
                .isEqualTo(new CredentialUse.Own(Set.of("authorization"), "It is the agent's"));
    }

    @Test
    void every_other_shape_of_a_credential_is_an_error() {
        for (String wrong : List.of(
                "[]",
                "[a, a]",
                "[a, none]",
                "{own: []}",
                "{own: [cookie]}",
                "{reason: r}",
                "7",
                "a/b",
                "{own: [\"a b\"], reason: r}")) {
            assertThat(problems(scope("credential: " + wrong + "\n" + ALLOW)))
                    .as(wrong)
                    .isNotEmpty();
        }
    }

    @Test
    void the_slot_that_carries_the_task_token_can_be_neither_kept_nor_the_agents_own() {
        assertThat(problems(scope(ALLOW + "credential: {own: [Proxy-Authorization], reason: r}")))
                .hasSize(1);
        assertThat(problems(open(ALLOW + "keep: [PROXY-authorization]"))).hasSize(1);
        assertThat(policy(open(ALLOW + "keep: [Cookie]")).scopes().get("s").keep())
                .containsExactly("cookie");
    }

    @Test
    void the_whole_origin_with_a_credential_needs_a_reason() {
        String whole = "allow: [\"GET /**\"]\n";
        assertThat(problems(scope(whole + "credential: gh")))
                .extracting(Problem::where)
                .containsExactly("scopes.s.allow[0]");
        assertThat(problems(scope(whole + "credential: gh\nwide: It is a test's own")))
                .isEmpty();
        assertThat(problems(open(whole))).isEmpty();
        assertThat(problems(scope("allow: [\"GET /a/**\"]\ncredential: gh"))).isEmpty();
    }

    @Test
    void a_wildcard_with_a_credential_needs_a_reason() {
        String wild = "scopes: {s: {reason: r, destination: \"https://*.up.test\", allow: [\"GET /a\"], credential: ";
        assertThat(problems(wild + "gh}}")).extracting(Problem::where).containsExactly("scopes.s.destination");
        assertThat(problems(wild + "gh, wide: r}}")).isEmpty();
        assertThat(problems(wild + "none}}")).isEmpty();
    }

    @Test
    void a_wildcard_never_stands_directly_below_a_public_suffix() {
        for (String host : List.of("*.com", "*.co.uk", "*.github.io", "*.internal")) {
            assertThat(problems("scopes: {s: {reason: r, destination: \"https://" + host
                            + "\", allow: [\"GET /a\"], credential: none}}"))
                    .as(host)
                    .extracting(Problem::where)
                    .containsExactly("scopes.s.destination");
        }
    }

    @Test
    void a_destination_has_no_path_and_no_userinfo_and_an_address_needs_its_range() {
        for (String wrong : List.of(
                "https://api.up.test/v1",
                "https://u@api.up.test",
                "api.up.test",
                "ftp://api.up.test",
                "https://10.0.0.1",
                "https://*.*.up.test")) {
            assertThat(problems("scopes: {s: {reason: r, destination: \"" + wrong
                            + "\", allow: [\"GET /a\"], credential: none}}"))
                    .as(wrong)
                    .extracting(Problem::where)
                    .containsExactly("scopes.s.destination");
        }
        Policy policy = policy(
                "scopes: {s: {reason: r, destination: {url: \"https://10.1.2.3:8443\", addresses: [10.1.0.0/16]}, allow: [\"GET /a\"], credential: none}}");
        assertThat(policy.scopes().get("s").destination().addresses()).containsExactly("10.1.0.0/16");
    }

    @Test
    void a_query_is_constrained_by_none_or_by_names_with_values() {
        assertThat(problems(open(ALLOW + "query: none"))).isEmpty();
        assertThat(problems(open(ALLOW + "query: {state: [open, closed]}"))).isEmpty();
        for (String wrong : List.of("some", "[]", "{}", "{state: []}", "{state: open}")) {
            assertThat(problems(open(ALLOW + "query: " + wrong))).as(wrong).isNotEmpty();
        }
    }

    @Test
    void trace_and_connect_can_never_be_allowed() {
        for (String method : List.of("TRACE", "CONNECT", "GET,TRACE")) {
            assertThat(problems(open("allow: [\"" + method + " /a\"]")))
                    .as(method)
                    .hasSize(1);
        }
    }

    @Test
    void a_tie_between_scopes_that_differ_is_an_error_that_shows_a_request_both_match() {
        List<Problem> problems = problems(two("GET /a*/x", "GET /*b/x", "one", "other"));
        assertThat(problems).hasSize(1);
        assertThat(problems.getFirst().where()).isEqualTo("scopes.t.allow[0]");
        assertThat(problems.getFirst().what()).contains("GET /axb/x").contains("scopes.s.allow[0]");
    }

    @Test
    void a_tie_between_scopes_that_do_not_differ_goes_to_the_first_in_the_document() {
        Policy policy = policy(two("GET /a*/x", "GET /*b/x", "one", "one"));
        assertThat(TestPolicies.answer(policy, "GET", "https://api.up.test/ab-b/x"))
                .isEqualTo("s");
    }

    @Test
    void what_is_more_precise_or_overlaps_nowhere_is_no_tie() {
        assertThat(problems(two("GET /a/*", "GET /a/b", "one", "other"))).isEmpty();
        assertThat(problems(two("GET /a*", "GET /b*", "one", "other"))).isEmpty();
        assertThat(problems(two("GET /a", "POST /a", "one", "other"))).isEmpty();
        assertThat(problems(two("GET /a", "* /a", "one", "other"))).isEmpty();
    }

    @Test
    void a_tie_in_any_limit_or_condition_is_an_error() {
        String one =
                "scopes:\n  s: {reason: r, destination: https://api.up.test, credential: none, allow: [\"GET /a\"]}\n"
                        + "  t: {reason: r, destination: https://api.up.test, credential: none, allow: [\"HEAD,GET /a\"]";
        assertThat(problems(one + "}")).isEmpty();
        for (String more : List.of(
                "limits: {rate: 1/s}", "limits: {body: 1KiB}", "query: none", "paths: opaque", "keep: [cookie]")) {
            assertThat(problems(one + ", " + more + "}")).as(more).hasSize(1);
        }
    }

    @Test
    void entries_of_who_are_alternatives_and_keys_inside_one_must_all_match() {
        Policy policy = who("[{identity: ci, subject: a}, {identity: k8s, subject: b}]");
        assertThat(policy.admits(acting("ci", "a", null))).isTrue();
        assertThat(policy.admits(acting("k8s", "b", null))).isTrue();
        assertThat(policy.admits(acting("ci", "b", null))).isFalse();
        assertThat(policy.admits(acting("ci", "A", null))).isFalse();
    }

    @Test
    void a_pattern_must_match_the_whole_value() {
        Policy policy = who("[{identity: ci, subject: {pattern: \"repo:acme/[a-z]+\"}}]");
        assertThat(policy.admits(acting("ci", "repo:acme/site", null))).isTrue();
        assertThat(policy.admits(acting("ci", "repo:acme/site:evil", null))).isFalse();
        assertThat(policy.admits(acting("ci", "evil:repo:acme/site", null))).isFalse();
        assertThat(policy.admits(acting("ci", "repo:acme/site\nx", null))).isFalse();
    }

    @Test
    void a_pattern_that_would_take_other_engines_forever_takes_no_time() {
        Policy policy = who("[{identity: ci, subject: {pattern: \"(a+)+b\"}}]");
        assertThat(policy.admits(acting("ci", "a".repeat(10_000), null))).isFalse();
    }

    @Test
    void for_matches_the_person_and_nobody_where_there_is_none() {
        Policy policy =
                who("[{identity: ci, subject: a, for: {identity: sso, subject: {pattern: \".*@acme[.]example\"}}}]");
        assertThat(policy.admits(acting("ci", "a", "kim@acme.example"))).isTrue();
        assertThat(policy.admits(acting("ci", "a", "kim@evil.example"))).isFalse();
        assertThat(policy.admits(acting("ci", "a", null))).isFalse();
        assertThat(policy.identities()).containsExactly("ci", "sso");
    }

    @Test
    void an_entry_names_identity_and_subject_in_full() {
        for (String wrong : List.of(
                "[]",
                "[{identity: ci}]",
                "[{subject: a}]",
                "[a]",
                "[{identity: ci, subject: [a]}]",
                "[{identity: ci, subject: {pattern: \"(\"}}]")) {
            assertThat(problemsOf("owner: o\nreason: r\nreview-by: 2030-01-01\nwho: " + wrong + "\n" + open(ALLOW)))
                    .as(wrong)
                    .isNotEmpty();
        }
    }

    @Test
    void a_scope_has_a_name_that_fits_an_oauth_scope_and_a_path() {
        for (String name : List.of("a b", "a:b", "a/b", "-a", "\"\"", "ä")) {
            assertThat(problems(open(ALLOW).replace("  s:", "  " + name + ":")))
                    .as(name)
                    .hasSize(1);
        }
    }

    private static CredentialUse used(String line) {
        Scope scope = policy(scope(ALLOW + line)).scopes().get("s");
        assertThat(scope).isNotNull();
        return scope.credential();
    }

    private static String two(String first, String second, String credential, String other) {
        String line = "  %s: {reason: r, destination: https://api.up.test, allow: [\"%s\"], credential: %s}%n";
        return "scopes:\n" + line.formatted("s", first, credential) + line.formatted("t", second, other);
    }

    private static Policy who(String entries) {
        return TestPolicies.compile("owner: o\nreason: r\nreview-by: 2030-01-01\nwho: " + entries + "\n" + open(ALLOW))
                        instanceof io.sallyport.document.Compiled.Ok<Policy>(Policy made)
                ? made
                : org.junit.jupiter.api.Assertions.fail("does not compile");
    }

    private static Delegation acting(String identity, String subject, @Nullable String person) {
        return new Delegation(verified(identity, subject), person == null ? null : verified("sso", person));
    }

    private static Verified verified(String identity, String subject) {
        return new Verified(new Principal(identity, subject), Isolation.CONTAINER, Instant.EPOCH, Instant.MAX);
    }
}

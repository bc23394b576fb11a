package io.sallyport.credential;

import static io.sallyport.credential.TestCredentials.BEARER;
import static io.sallyport.credential.TestCredentials.compiled;
import static io.sallyport.credential.TestCredentials.keys;
import static io.sallyport.credential.TestCredentials.problems;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sallyport.credential.Leases.Leasing;
import io.sallyport.credential.source.Fetch;
import io.sallyport.credential.source.Fetched;
import io.sallyport.credential.source.SecretSource;
import io.sallyport.credential.source.SourceFault;
import io.sallyport.credential.source.SourceTools;
import io.sallyport.document.Keys;
import io.sallyport.grant.EndReason;
import io.sallyport.grant.Grant;
import io.sallyport.http.Fields;
import io.sallyport.http.Origin;
import io.sallyport.testing.TestClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Tokens of a GitHub App: no further than the grant, and gone with it (RW-86). */
class GitHubAppTest {

    private static final KeyPair KEYS = keyPair();
    private static final Grant GRANT = FakeGrants.grant("g1");
    private static final JsonMapper JSON = new JsonMapper();

    @TempDir
    Path folder;

    private final TestClock clock = new TestClock();
    private final FakeGitHub github = new FakeGitHub(clock, (RSAPublicKey) KEYS.getPublic());
    private final SourceTools tools = TestSources.tools(github, clock, Path.of("no-such-folder"), name -> pem());

    private static KeyPair keyPair() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            return generator.generateKeyPair();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String pem() {
        return "-----BEGIN PRIVATE KEY-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'})
                        .encodeToString(KEYS.getPrivate().getEncoded())
                + "\n-----END PRIVATE KEY-----\n";
    }

    private static Map<String, Object> document(Object... more) {
        Map<String, Object> source = new HashMap<>(Map.of(
                "kind",
                "github-app",
                "app",
                12345,
                "private-key",
                Map.of("kind", "env", "name", "SALLYPORT_SECRET_APP"),
                "installation",
                678,
                "repositories",
                List.of("r1", "r2"),
                "permissions",
                Map.of("contents", "write")));
        for (int i = 0; i < more.length; i += 2) {
            source.put((String) more[i], more[i + 1]);
        }
        return source;
    }

    private static CompiledCredential credential(Object... more) {
        return (CompiledCredential) compiled(document(more), BEARER);
    }

    private Fetched.Given given(CompiledCredential credential, @Nullable Grant grant) throws SourceFault {
        try {
            return (Fetched.Given)
                    credential.source().fetch(new Fetch("acme", credential.faceDigest(), null, false, grant, tools));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private SourceFault fault(CompiledCredential credential, @Nullable Grant grant) {
        try {
            throw new AssertionError(given(credential, grant));
        } catch (SourceFault fault) {
            assertThat(fault.cause()).doesNotContain("s3cr3t", "ghs_");
            return fault;
        }
    }

    private static String token(Fetched.Given given) {
        return new String(given.material().part("secret").orElseThrow().bytes(), StandardCharsets.UTF_8);
    }

    private static CompiledCredential narrowed(CompiledCredential credential, String repository, String level) {
        return TestSources.credential(
                "acme",
                credential
                        .source()
                        .narrowed(Keys.of(
                                Map.of("repositories", List.of(repository), "permissions", Map.of("contents", level))))
                        .orElseThrow());
    }

    /** RW-86: A reads r1, B writes r1, C reads r2; twenty rounds, interleaved. */
    @Test
    void no_two_tasks_share_a_token_and_each_reaches_as_far_as_its_own_scope() {
        FakeGrants grants = new FakeGrants();
        CredentialLeases leases =
                new CredentialLeases(TestSources.warm(tools, Runnable::run, System::nanoTime), grants, clock);
        CompiledCredential app = credential();
        Map<String, CompiledCredential> scopes = Map.of(
                "A", narrowed(app, "r1", "read"), "B", narrowed(app, "r1", "write"), "C", narrowed(app, "r2", "read"));
        Map<String, FakeGitHub.Token> reach = Map.of(
                "A", new FakeGitHub.Token(Set.of("r1"), Map.of("contents", "read", "metadata", "read")),
                "B", new FakeGitHub.Token(Set.of("r1"), Map.of("contents", "write", "metadata", "read")),
                "C", new FakeGitHub.Token(Set.of("r2"), Map.of("contents", "read", "metadata", "read")));
        Map<String, Set<String>> tokens = new HashMap<>();

        for (int round = 0; round < 20; round++) {
            for (String task : List.of("A", "B", "C")) {
                Leasing leasing = leases.lease(
                                scopes.get(task),
                                Origin.parse("https://api.example.com").orElseThrow(),
                                FakeGrants.grant(task))
                        .toCompletableFuture()
                        .orTimeout(20, TimeUnit.SECONDS)
                        .join();
                Lease lease = ((Leasing.Leased) leasing).lease();
                String token = CredentialLeasesTest.put(lease, Fields.EMPTY)
                        .first("Authorization")
                        .orElseThrow()
                        .substring("Bearer ".length());
                assertThat(github.live(token)).as(task).isEqualTo(reach.get(task));
                tokens.computeIfAbsent(task, none -> new HashSet<>()).add(token);
                lease.close();
            }
        }

        assertThat(tokens.values()).allSatisfy(own -> assertThat(own).hasSize(1));
        assertThat(github.alive()).isEqualTo(3);
        assertThat(github.mints())
                .hasSize(3)
                .allSatisfy(asked ->
                        assertThat(asked.propertyNames()).containsExactlyInAnyOrder("repositories", "permissions"));

        grants.endInMemory(List.of(FakeGrants.grant("A")), EndReason.REVOKED);
        await().atMost(Duration.ofSeconds(20)).until(() -> github.alive() == 2);
        assertThat(github.deleted()).containsExactlyElementsOf(tokens.get("A"));
    }

    @Test
    void a_permission_that_the_app_lacks_is_a_denial_that_can_be_read() {
        SourceFault fault = fault(credential("permissions", Map.of("actions", "write")), GRANT);

        assertThat(fault.kind()).isEqualTo(SourceFault.Kind.DENIED);
        assertThat(fault.cause())
                .isEqualTo(
                        "GitHub does not give a token for r1, r2 with actions: write: the App's installation does not have all of that (422)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "all",
                "selection-unsaid",
                "repository",
                "owner",
                "permission",
                "level",
                "unknown-level",
                "unsaid"
            })
    void an_answer_that_reaches_further_than_was_asked_is_refused_and_its_token_deleted(String how) {
        github.changed = answer -> wider(answer, how);

        SourceFault fault = fault(credential("installation", "acme/r1"), GRANT);

        assertThat(fault.kind()).isEqualTo(SourceFault.Kind.BAD);
        assertThat(fault.cause()).contains("reaches further").contains("it was deleted");
        assertThat(github.alive()).isZero();
    }

    private static ObjectNode wider(ObjectNode answer, String how) {
        ObjectNode permissions = (ObjectNode) answer.path("permissions");
        switch (how) {
            case "all" -> answer.put("repository_selection", "all");
            case "selection-unsaid" -> answer.remove("repository_selection");
            case "repository" -> answer.withArray("repositories").addObject().put("full_name", "acme/r3");
            case "owner" -> answer.putArray("repositories").addObject().put("full_name", "other/r1");
            case "permission" -> permissions.put("issues", "read");
            case "level" -> permissions.put("contents", "admin");
            case "unknown-level" -> permissions.put("contents", "everything");
            case "unsaid" -> answer.remove("repositories");
            default -> throw new AssertionError(how);
        }
        return answer;
    }

    @Test
    void a_wider_token_that_can_not_be_deleted_is_not_used_either() {
        github.changed = answer -> {
            github.answer(500);
            return wider(answer, "all");
        };

        assertThat(fault(credential(), GRANT).cause()).contains("could not be deleted");
    }

    @Test
    void an_installation_is_found_by_a_repository_with_nothing_but_the_apps_assertion() throws Exception {
        given(credential("installation", "acme/r1"), GRANT);

        assertThat(github.calls())
                .containsExactly("GET /repos/acme/r1/installation", "POST /app/installations/678/access_tokens");
        assertThat(github.mints()).hasSize(1);
    }

    @Test
    void a_token_is_used_for_a_minute_less_than_it_lives() throws SourceFault {
        assertThat(given(credential(), GRANT).lives()).isBetween(Duration.ofMinutes(58), Duration.ofMinutes(59));
    }

    @Test
    void a_token_is_deleted_when_it_is_given_back_and_one_that_is_gone_is_as_good() throws Exception {
        Fetched.Given given = given(credential(), GRANT);
        given.revoker().revoke(tools);
        assertThat(github.deleted()).containsExactly(token(given));

        try {
            given.revoker().revoke(tools);
            throw new AssertionError("it was there a second time");
        } catch (SourceFault fault) {
            assertThat(fault.kind()).isEqualTo(SourceFault.Kind.MISSING);
        }
    }

    @Test
    void a_test_asks_for_names_alone_and_says_which_permission_is_missing() throws SourceFault {
        given(credential(), null);
        assertThat(github.mints())
                .singleElement()
                .satisfies(asked ->
                        assertThat(asked.path("permissions")).isEqualTo(JSON.readTree("{\"metadata\":\"read\"}")));

        assertThat(fault(credential("permissions", Map.of("contents", "write", "actions", "read")), null)
                        .cause())
                .isEqualTo("the App's installation does not have actions: read");
    }

    @ParameterizedTest
    @CsvSource({
        "401, DENIED, does not take the App's assertion",
        "403, DENIED, does not allow the App",
        "404, MISSING, knows nothing of an installation",
        "500, DOWN, GitHub failed (500)",
        "418, BAD, unexpected answer",
        "302, BAD, unexpected answer"
    })
    void a_refusal_says_what_is_to_be_done(int status, SourceFault.Kind kind, String words) {
        github.answer(status);

        SourceFault fault = fault(credential(), GRANT);

        assertThat(fault.kind()).isEqualTo(kind);
        assertThat(fault.cause()).contains(words);
    }

    @Test
    void a_suspended_installation_is_said() {
        github.suspended = true;

        assertThat(fault(credential("installation", "acme/r1"), GRANT).cause())
                .isEqualTo("the App's installation is suspended");
    }

    @ParameterizedTest
    @CsvSource({
        "429, Retry-After, 90, 91",
        "403, Retry-After, 90, 91",
        "429, X-Nothing, 0, 61",
        "403, X-RateLimit-Remaining, 0, 61"
    })
    void a_limit_is_waited_for_without_another_call(int status, String field, String value, int seconds)
            throws SourceFault {
        github.answer(status, field, value);
        assertThat(fault(credential(), GRANT).kind()).isEqualTo(SourceFault.Kind.DOWN);

        assertThat(fault(credential(), GRANT).cause()).isEqualTo("GitHub has asked to wait");
        assertThat(github.calls()).hasSize(1);

        clock.pass(Duration.ofSeconds(seconds));
        assertThat(token(given(credential(), GRANT))).startsWith("ghs_");
    }

    @Test
    void a_spent_limit_is_waited_for_until_it_begins_anew() throws SourceFault {
        github.answer(
                403,
                "X-RateLimit-Remaining",
                "0",
                "X-RateLimit-Reset",
                String.valueOf(clock.instant().plusSeconds(300).getEpochSecond()));
        fault(credential(), GRANT);
        clock.pass(Duration.ofSeconds(290));
        assertThat(fault(credential(), GRANT).cause()).isEqualTo("GitHub has asked to wait");
        clock.pass(Duration.ofSeconds(15));
        assertThat(token(given(credential(), GRANT))).startsWith("ghs_");
    }

    @Test
    void a_document_names_repositories_and_permissions_and_a_scope_no_more_than_those() {
        for (String key : List.of("repositories", "permissions")) {
            Map<String, Object> without = document();
            without.remove(key);
            assertThat(problems(keys(without, BEARER)).toString())
                    .contains("source." + key)
                    .contains("required");
        }
        assertThat(problems(keys(document("repositories", List.of("acme/r1")), BEARER))
                        .toString())
                .contains("allowed: its name without its owner");
        assertThat(problems(keys(document("permissions", Map.of()), BEARER)).toString())
                .contains("at least one");
        assertThat(problems(keys(document("permissions", Map.of("contents", "all")), BEARER))
                        .toString())
                .contains("allowed: read, write, admin");
        assertThat(problems(keys(document("installation", "acme/.."), BEARER)).toString())
                .contains("OWNER/REPOSITORY");
        assertThat(problems(keys(document("app", "a/b"), BEARER)).toString()).contains("its id or client id");

        SecretSource source =
                credential("permissions", Map.of("contents", "read")).source();
        Keys wider = Keys.of(Map.of("repositories", List.of("r1", "r9"), "permissions", Map.of("contents", "write")));
        assertThat(source.narrowed(wider)).isEmpty();
        assertThat(wider.compiled(() -> "").toString())
                .contains("has r9, which the credential has not; allowed: some of r1, r2")
                .contains("has contents: write, which is more than the credential has; allowed: up to contents: read");
        Keys half = Keys.of(Map.of("repositories", List.of("r1")));
        assertThat(source.narrowed(half)).isEmpty();
        assertThat(half.compiled(() -> "").toString()).contains("permissions").contains("required");
    }

    @Test
    void another_narrowing_is_another_version() {
        CompiledCredential app = credential();
        assertThat(narrowed(app, "r1", "read").version())
                .isNotEqualTo(narrowed(app, "r1", "write").version())
                .isNotEqualTo(narrowed(app, "r2", "read").version());
        assertThat(narrowed(app, "R1", "read").version())
                .isEqualTo(narrowed(app, "r1", "read").version());
    }

    @Test
    void nothing_that_prints_a_token_or_a_key_prints_it() throws SourceFault, IOException {
        Fetched.Given given = given(credential(), GRANT);

        assertThat(given + credential().source().toString() + github.calls())
                .doesNotContain("ghs_token", "PRIVATE KEY");
    }
}

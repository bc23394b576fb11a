package io.sallyport.credential.vault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sallyport.credential.VaultSettings;
import io.sallyport.credential.source.Fetched;
import io.sallyport.credential.source.Revoker;
import io.sallyport.credential.source.SourceFault;
import io.sallyport.net.GuardedExchange;
import io.sallyport.net.TestGuard;
import io.sallyport.testing.Needle;
import io.sallyport.testing.TestCertificates;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What only a server can show that does as it is told: leases, their longest life, outages. */
class VaultSourceTest {

    private static final TestCertificates CA = TestCertificates.authority();
    private static final Map<String, Object> DATABASE = Map.of("path", "database/creds/readonly");

    @TempDir
    Path folder;

    private final StandIn standIn = new StandIn(CA.issue("localhost"));
    private VaultFixture vault;

    @BeforeEach
    void prepare() {
        vault = fixture(TestGuard.exchange());
        vault.admin("POST", "sys/mounts/database", Map.of("type", "database"));
        vault.admin("POST", "sys/mounts/aws", Map.of("type", "aws"));
        vault.admin("POST", "sys/mounts/kv", Map.of("type", "kv", "options", Map.of("version", "2")));
        vault.role("broker", "database/creds/*", "aws/*", "kv/data/agents/*", "team-a/database/*");
    }

    private VaultFixture fixture(GuardedExchange exchange) {
        return new VaultFixture(
                "https://localhost:" + standIn.port(),
                "root",
                CA.writeRoot(folder.resolve("root.pem")),
                CA.clientContext(),
                exchange,
                standIn.clock,
                folder);
    }

    @AfterEach
    void close() {
        standIn.close();
    }

    private SourceFault fault(VaultSession session, Map<String, ?> document) {
        return catchThrowableOfType(SourceFault.class, () -> vault.fetch(session, document, null));
    }

    private static Object stamp(Fetched fetched) {
        return ((Fetched.Given) fetched).stamp();
    }

    private long asked(String what) {
        return standIn.asked.stream().filter(what::equals).count();
    }

    @Test
    void a_made_secret_lives_as_its_lease_and_is_renewed_as_the_same() throws Exception {
        standIn.tokenTtl = 100_000;
        VaultSession session = vault.as("broker");

        Fetched made = vault.fetch(session, DATABASE, null);

        assertThat(VaultFixture.text(made, "username")).startsWith("v-readonly-");
        assertThat(VaultFixture.text(made, "password")).startsWith("password-made-");
        assertThat(made.lives()).isBetween(Duration.ofSeconds(3590), Duration.ofSeconds(3600));
        standIn.clock.pass(Duration.ofSeconds(3000));
        Fetched renewed = vault.fetch(session, DATABASE, stamp(made));
        assertThat(renewed).isInstanceOf(Fetched.Unchanged.class);
        assertThat(renewed.lives()).isBetween(Duration.ofSeconds(3590), Duration.ofSeconds(3600));
        assertThat(asked("GET database/creds/readonly")).isOne();
    }

    @Test
    void a_lease_whose_longest_life_is_near_is_followed_by_a_new_one_and_can_be_given_back() throws Exception {
        standIn.tokenTtl = 100_000;
        standIn.leaseMax = 4000;
        VaultSession session = vault.as("broker");
        Fetched made = vault.fetch(session, DATABASE, null);
        standIn.clock.pass(Duration.ofSeconds(3000));

        Fetched next = vault.fetch(session, DATABASE, stamp(made));

        assertThat(VaultFixture.text(next, "password")).isNotEqualTo(VaultFixture.text(made, "password"));
        assertThat(standIn.held()).hasSize(2);
        Revoker revoker = ((Fetched.Given) made).revoker();
        revoker.revoke(vault.tools(session));
        assertThat(standIn.held()).hasSize(1);
        assertThat(catchThrowableOfType(SourceFault.class, () -> revoker.revoke(vault.tools(session)))
                        .kind())
                .isEqualTo(SourceFault.Kind.MISSING);
    }

    @Test
    void a_made_secret_does_not_outlive_the_token_that_it_hangs_on() throws Exception {
        standIn.tokenTtl = 600;
        VaultSession session = vault.as("broker");

        assertThat(vault.fetch(session, DATABASE, null).lives())
                .isBetween(Duration.ofSeconds(590), Duration.ofSeconds(600));
    }

    @Test
    void the_brokers_token_is_renewed_ahead_and_followed_by_a_login_where_its_longest_life_ends() throws Exception {
        standIn.tokenTtl = 1200;
        standIn.tokenMax = 2000;
        VaultSession session = vault.as("broker");
        session.keep();
        VaultToken first = session.token();

        standIn.clock.pass(Duration.ofSeconds(810));
        session.keep();
        assertThat(session.token().login()).isEqualTo(first.login());
        assertThat(asked("POST auth/token/renew-self")).isOne();

        standIn.clock.pass(Duration.ofSeconds(810));
        session.keep();
        assertThat(session.token().login()).isNotEqualTo(first.login());
        assertThat(asked("POST auth/approle/login")).isEqualTo(2);
    }

    @Test
    void what_was_leased_under_an_older_login_is_had_anew_and_not_renewed() throws Exception {
        VaultSession session = vault.as("broker");
        Fetched made = vault.fetch(session, DATABASE, null);
        standIn.endTokens();

        Fetched next = vault.fetch(session, DATABASE, stamp(made));

        assertThat(VaultFixture.text(next, "password")).isNotEqualTo(VaultFixture.text(made, "password"));
        assertThat(standIn.held()).hasSize(1);
    }

    @Test
    void a_destination_that_refuses_a_made_secret_gets_another() throws Exception {
        VaultSession session = vault.as("broker");
        Fetched made = vault.fetch(session, DATABASE, null);

        Fetched next = vault.fetch(session, DATABASE, stamp(made), true);

        assertThat(stamp(next)).isNotEqualTo(stamp(made));
    }

    @Test
    void keys_for_aws_have_the_names_that_a_signer_asks_for_and_parameters_are_sent() throws Exception {
        VaultSession session = vault.as("broker");

        Fetched keys = vault.fetch(
                session,
                Map.of("path", "aws/sts/readonly", "parameters", Map.of("role_session_name", "-of-agents")),
                null);

        assertThat(((Fetched.Given) keys).material().names())
                .containsExactly("access-key-id", "secret-access-key", "session-token");
        assertThat(VaultFixture.text(keys, "secret-access-key")).endsWith("-of-agents");
        assertThat(standIn.asked).contains("POST aws/sts/readonly");
    }

    @Test
    void a_service_accounts_token_is_read_anew_for_each_login() throws Exception {
        Path projected = folder.resolve("projected");
        java.nio.file.Files.writeString(projected, "jwt.of.monday\n");
        standIn.takes("broker", "jwt.of.monday");
        VaultSession session = vault.session(VaultSettings.Login.of(
                VaultSettings.Method.KUBERNETES, null, "broker", null, "file:" + projected, null));
        session.token();

        java.nio.file.Files.writeString(projected, "jwt.of.tuesday\n");
        standIn.takes("broker", "jwt.of.tuesday");
        standIn.endTokens();

        assertThat(VaultFixture.text(vault.fetch(session, DATABASE, null), "username"))
                .startsWith("v-readonly-");
    }

    @Test
    void a_given_token_is_kept_alive_and_left_to_whoever_gave_it() throws Exception {
        String given = vault.admin("POST", "auth/token/create", Map.of("policies", List.of("broker")))
                .path("auth")
                .path("client_token")
                .asString();
        vault.secretFile("token", given);
        VaultSession session =
                vault.session(VaultSettings.Login.of(VaultSettings.Method.TOKEN, null, null, null, "file:token", null));
        vault.fetch(session, DATABASE, null);

        standIn.clock.pass(Duration.ofSeconds(810));
        session.keep();
        session.close();

        assertThat(asked("POST auth/token/renew-self")).isOne();
        assertThat(asked("POST auth/token/revoke-self")).isZero();
    }

    @Test
    void a_token_that_the_broker_made_is_ended_when_it_stops_and_leases_with_it() throws Exception {
        VaultSession session = vault.as("broker");
        vault.fetch(session, DATABASE, null);
        assertThat(standIn.held()).hasSize(1);

        session.close();

        assertThat(standIn.held()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"503, DOWN", "429, DOWN", "472, DOWN", "473, DOWN", "412, DOWN", "500, DOWN", "307, DOWN", "400, BAD"})
    void statuses_are_told_apart(int status, SourceFault.Kind kind) throws Exception {
        VaultSession session = vault.as("broker");
        vault.fetch(session, DATABASE, null);
        standIn.always = new StandIn.Reply(status, Map.of("errors", List.of("of the server")));

        SourceFault fault = fault(session, DATABASE);

        assertThat(fault.kind()).isEqualTo(kind);
        assertThat(fault.cause()).contains(String.valueOf(status)).doesNotContain("of the server");
    }

    @Test
    void namespaces_are_the_settings_one_and_below_it_the_documents() throws Exception {
        vault.secretFile("secret-id", vault.secretId("broker"));
        VaultSession session = vault.session(vault.appRole("broker", null), "team-a");

        assertThat(fault(session, Map.of("path", "database/creds/none", "namespace", "builds", "engine", "dynamic")))
                .isNotNull();

        assertThat(standIn.asked).contains("POST team-a:auth/approle/login", "GET team-a/builds:database/creds/none");
    }

    @Test
    void a_herd_logs_in_once_and_a_login_that_failed_is_not_tried_again_at_once() throws Exception {
        VaultSession session = vault.as("broker");
        try (ExecutorService herd = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<VaultToken>> questions = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                questions.add(session::token);
            }
            herd.invokeAll(questions);
        }
        assertThat(asked("POST auth/approle/login")).isOne();

        vault.secretFile("secret-id", "wrong-one");
        VaultSession refused = vault.session(vault.appRole("broker", null));
        fault(refused, DATABASE);
        fault(refused, DATABASE);
        assertThat(asked("POST auth/approle/login")).isEqualTo(2);
        standIn.clock.pass(Duration.ofSeconds(6));
        fault(refused, DATABASE);
        assertThat(asked("POST auth/approle/login")).isEqualTo(3);
    }

    @Test
    void a_server_that_its_roots_do_not_vouch_for_or_that_no_range_permits_is_not_spoken_to() {
        VaultFixture stranger = new VaultFixture(
                vault.address(),
                "root",
                TestCertificates.authority().writeRoot(folder.resolve("other.pem")),
                CA.clientContext(),
                TestGuard.exchange(),
                standIn.clock,
                folder);
        VaultSession unknown = stranger.as("broker");
        standIn.asked.clear();
        assertThat(fault(unknown, DATABASE).cause()).contains("sallyport.vault.trust");

        VaultSettings settings = new VaultSettings(
                URI.create(vault.address()), null, vault.trust(), List.of(), vault.appRole("broker", null));
        VaultSession unnamed = new VaultSession(
                settings,
                TestGuard.exchange(),
                new io.sallyport.credential.source.SecretFolder(folder),
                name -> null,
                standIn.clock);
        SourceFault guarded = fault(unnamed, DATABASE);
        assertThat(guarded.kind()).isEqualTo(SourceFault.Kind.DOWN);
        assertThat(guarded.cause()).contains("127.0.0.0/8 (loopback)");
        assertThat(standIn.asked).doesNotContain("POST auth/approle/login");
    }

    @Test
    void without_a_server_the_settings_are_named() {
        VaultSession none = new VaultSession(
                VaultSettings.none(),
                TestGuard.exchange(),
                new io.sallyport.credential.source.SecretFolder(folder),
                name -> null,
                standIn.clock);

        assertThat(fault(none, DATABASE).cause()).contains("sallyport.vault.address");
    }

    /** The server's errors repeat what was sent; nothing of that, of a secret or of a token is in anything with a text. */
    @Test
    void nothing_that_has_a_text_holds_a_secret() throws Exception {
        String canary = "canary/Qw+Er=Ty&Ui\"Op<As>Df9876543210";
        Needle needle = Needle.of("the secret", canary);
        vault.admin("POST", "kv/data/agents/canary", Map.of("data", Map.of("token", canary)));
        VaultSession session = vault.as("broker");
        Map<String, Object> document = Map.of("path", "kv/agents/canary", "field", "token");
        List<Object> said = new ArrayList<>();

        Fetched given = vault.fetch(session, document, null);
        assertThat(VaultFixture.text(given)).isEqualTo(canary);
        said.add(given);
        said.add(stamp(given));
        said.add(VaultFixture.source(document));
        said.add(session);
        said.add(session.token());
        standIn.always = new StandIn.Reply(500, Map.of("errors", List.of(canary)));
        said.add(trace(fault(session, document)));
        standIn.always = new StandIn.Reply(400, Map.of("errors", List.of(canary)));
        said.add(trace(fault(session, document)));
        standIn.always = new StandIn.Reply(200, canary);
        said.add(trace(fault(session, document)));
        Thread.getAllStackTraces().keySet().forEach(thread -> said.add(thread.getName()));

        String all = said.toString();
        assertThat(needle.in(all)).isEmpty();
        assertThat(all).doesNotContain(session.token().value());
    }

    private static String trace(@Nullable Throwable thrown) {
        StringWriter text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "path: /kv/a          | path | at least two segments",
                "path: kv/../sys/seal | path | at least two segments",
                "path: kv/a?version=3 | path | at least two segments",
                "path: kv             | path | at least two segments",
                "engine: kv-3         | engine | kv-1, kv-2, dynamic",
                "namespace: a//b      | namespace | team-a",
                "refresh: 1s          | refresh | 5s to 1h",
                "version: 0           | version | from 1",
                "sharing: each        | sharing | shared, per-grant",
            })
    void a_document_that_is_wrong_says_where_and_what_is_allowed(String line, String place, String allowed) {
        Map<String, Object> document = new java.util.HashMap<>(Map.of("path", "kv/agents/x"));
        String[] entry = line.strip().split(": ");
        document.put(entry[0], entry[0].equals("version") ? (Object) Integer.valueOf(entry[1]) : entry[1]);

        assertThatThrownBy(() -> VaultFixture.source(document))
                .hasMessageContaining(place)
                .hasMessageContaining(allowed);
    }
}

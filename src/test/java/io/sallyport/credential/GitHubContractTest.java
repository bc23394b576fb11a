package io.sallyport.credential;

import static io.sallyport.credential.TestCredentials.BEARER;
import static io.sallyport.credential.TestCredentials.compiled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sallyport.credential.source.Fetch;
import io.sallyport.credential.source.Fetched;
import io.sallyport.credential.source.SourceFault;
import io.sallyport.credential.source.SourceTools;
import io.sallyport.grant.Grant;
import io.sallyport.net.GuardedExchange;
import io.sallyport.net.TestGuard;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.interfaces.RSAPublicKey;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What the broker relies on of GitHub. By itself it runs against the stand-in; with {@code SALLYPORT_TEST_GITHUB_API}, {@code …_APP},
 * {@code …_KEY} (a PEM text) and {@code …_REPOSITORY} (src/test/sh/github-contract) against GitHub or an Enterprise Server.
 */
class GitHubContractTest {

    private static final @Nullable String REAL = System.getenv("SALLYPORT_TEST_GITHUB_API");
    private static final Grant GRANT = FakeGrants.grant("g1");

    private String repository = "acme/r1";
    private String app = FakeGitHub.APP;
    private String api = "https://api.github.com";
    private SourceTools tools;
    private GuardedExchange server;

    @BeforeEach
    void setUp() throws Exception {
        if (REAL == null) {
            KeyPair keys = keyPair();
            server = new FakeGitHub(Clock.systemUTC(), (RSAPublicKey) keys.getPublic());
            tools = tools(pem(keys));
        } else {
            api = REAL;
            app = System.getenv("SALLYPORT_TEST_GITHUB_APP");
            repository = System.getenv("SALLYPORT_TEST_GITHUB_REPOSITORY");
            server = TestGuard.withSystemNames();
            tools = tools(System.getenv("SALLYPORT_TEST_GITHUB_KEY"));
        }
    }

    private SourceTools tools(String key) {
        return TestSources.tools(server, Clock.systemUTC(), Path.of("no-such-folder"), name -> key);
    }

    private static KeyPair keyPair() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        return generator.generateKeyPair();
    }

    private static String pem(KeyPair keys) {
        return "-----BEGIN PRIVATE KEY-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'})
                        .encodeToString(keys.getPrivate().getEncoded())
                + "\n-----END PRIVATE KEY-----\n";
    }

    private Fetched.Given given(String permission, @Nullable Grant grant, SourceTools with) throws Exception {
        CompiledCredential credential = (CompiledCredential) compiled(
                Map.of(
                        "kind",
                        "github-app",
                        "app",
                        app,
                        "private-key",
                        Map.of("kind", "env", "name", "SALLYPORT_SECRET_APP"),
                        "api",
                        api,
                        "installation",
                        repository,
                        "repositories",
                        List.of(repository.substring(repository.indexOf('/') + 1)),
                        "permissions",
                        Map.of(permission, "read")),
                BEARER);
        return (Fetched.Given)
                credential.source().fetch(new Fetch("acme", credential.faceDigest(), null, false, grant, with));
    }

    private SourceFault fault(String permission, @Nullable Grant grant, SourceTools with) {
        return catchThrowableOfType(SourceFault.class, () -> given(permission, grant, with));
    }

    @Test
    void a_token_for_one_repository_is_given_and_deleted() throws Exception {
        Fetched.Given given = given("contents", GRANT, tools);
        assertThat(given.lives()).isBetween(Duration.ofMinutes(50), Duration.ofHours(1));

        given.revoker().revoke(tools);

        assertThat(catchThrowableOfType(SourceFault.class, () -> given.revoker().revoke(tools))
                        .kind())
                .isEqualTo(SourceFault.Kind.MISSING);
    }

    @Test
    void a_test_gets_one_that_sees_names_alone() throws Exception {
        given("contents", null, tools).revoker().revoke(tools);
    }

    @Test
    void a_permission_that_the_installation_has_not_is_a_denial() {
        assertThat(fault("organization_hooks", GRANT, tools).kind()).isEqualTo(SourceFault.Kind.DENIED);
        assertThat(fault("organization_hooks", null, tools).cause()).contains("organization_hooks: read");
    }

    @Test
    void another_key_is_a_denial() throws Exception {
        assertThat(fault("contents", GRANT, tools(pem(keyPair()))).kind()).isEqualTo(SourceFault.Kind.DENIED);
    }
}

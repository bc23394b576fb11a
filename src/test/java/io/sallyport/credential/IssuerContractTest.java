package io.sallyport.credential;

import static io.sallyport.credential.TestCredentials.BEARER;
import static io.sallyport.credential.TestCredentials.compiled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sallyport.credential.source.Fetched;
import io.sallyport.credential.source.SourceFault;
import io.sallyport.credential.source.SourceTools;
import io.sallyport.net.GuardedExchange;
import io.sallyport.net.TestGuard;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What the broker relies on of an issuer. By itself it runs against the stand-in; with {@code SALLYPORT_TEST_TOKEN_ENDPOINT},
 * {@code …_CLIENT_ID} and {@code …_CLIENT_SECRET} (src/test/sh/oauth-contract) against a real one.
 */
class IssuerContractTest {

    private static final @Nullable String REAL = System.getenv("SALLYPORT_TEST_TOKEN_ENDPOINT");

    private final GuardedExchange issuer =
            REAL == null ? new FakeIssuer(Clock.systemUTC()) : TestGuard.withSystemNames();
    private final String secret =
            REAL == null ? FakeIssuer.SECRET : String.valueOf(System.getenv("SALLYPORT_TEST_CLIENT_SECRET"));

    private SourceTools tools(String shown) {
        return TestSources.tools(issuer, Clock.systemUTC(), Path.of("no-such-folder"), name -> shown);
    }

    private static Credential credential(String... scopes) {
        Map<String, Object> source = new HashMap<>(Map.of(
                "kind",
                "oauth-client-credentials",
                "token-endpoint",
                REAL == null ? FakeIssuer.TOKEN.toString() : REAL,
                "client-id",
                REAL == null ? FakeIssuer.CLIENT : System.getenv("SALLYPORT_TEST_CLIENT_ID"),
                "client-secret",
                Map.of("kind", "env", "name", "SALLYPORT_SECRET_CLIENT")));
        if (scopes.length > 0) {
            source.put("scopes", List.of(scopes));
        }
        return compiled(source, BEARER);
    }

    @Test
    void it_gives_a_token_that_lives_for_some_time() throws SourceFault {
        Fetched.Given given = (Fetched.Given) TestSources.fetched(credential(), null, tools(secret));

        assertThat(given.lives()).isBetween(Duration.ofSeconds(1), Duration.ofDays(1));
        assertThat(given.material().part("secret")).isPresent();
    }

    @Test
    void a_wrong_secret_is_a_denial() {
        SourceFault fault = catchThrowableOfType(
                SourceFault.class, () -> TestSources.fetched(credential(), null, tools("a-wrong-secret")));

        assertThat(fault.kind()).as(fault.cause()).isEqualTo(SourceFault.Kind.DENIED);
    }

    @Test
    void a_scope_that_the_client_may_not_have_is_a_denial() {
        SourceFault fault = catchThrowableOfType(
                SourceFault.class, () -> TestSources.fetched(credential("admin"), null, tools(secret)));

        assertThat(fault.kind()).as(fault.cause()).isEqualTo(SourceFault.Kind.DENIED);
    }
}

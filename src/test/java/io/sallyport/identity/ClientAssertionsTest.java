package io.sallyport.identity;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.identity.ClientAssertions.Outcome;
import io.sallyport.identity.ClientAssertions.Presented;
import io.sallyport.testing.TestIssuer;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who may call the agent door's endpoints by what proof. */
class ClientAssertionsTest {

    private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
    private static final TestIssuer ISSUER = TestIssuer.at("https://issuer.example", "https://broker.example");

    private final Identities identities = new Verifiers(
                    call -> {
                        throw new IOException("nobody is there");
                    },
                    Clock.fixed(NOW, ZoneOffset.UTC),
                    () -> 0)
            .over(List.of(TestIdentities.fixed("ci", ISSUER)));

    @Test
    void a_workload_token_is_the_proof() {
        assertThat(authenticate(null, "ci/agent", null, ClientAssertions.TYPE, token()))
                .isInstanceOfSatisfying(
                        Outcome.Client.class,
                        client -> assertThat(client.workload().principal()).isEqualTo(new Principal("ci", "agent")));
    }

    @Test
    void no_method_is_nobody() {
        assertThat(authenticate(null, "ci/agent", null, null, null)).isEqualTo(new Outcome.Nobody());
    }

    @Test
    void there_are_no_client_secrets() {
        assertThat(authenticate("Basic YTpi", null, null, null, null))
                .matches(refused -> ((Outcome.Refused) refused).basicTried());
        assertThat(authenticate(null, "ci/agent", "s3cret", null, null)).isInstanceOf(Outcome.Refused.class);
        assertThat(authenticate("Bearer x", null, null, null, null)).isInstanceOf(Outcome.Refused.class);
    }

    @Test
    void two_methods_at_once_are_told_apart() {
        assertThat(authenticate("Basic YTpi", null, "s3cret", null, null)).isEqualTo(new Outcome.TwoMethods());
        assertThat(authenticate(null, null, "s3cret", ClientAssertions.TYPE, token()))
                .isEqualTo(new Outcome.TwoMethods());
    }

    @Test
    void a_bad_assertion_is_refused() {
        assertThat(authenticate(null, null, null, ClientAssertions.TYPE, "x.y.z"))
                .isInstanceOf(Outcome.Refused.class);
        assertThat(authenticate(null, null, null, null, token())).isInstanceOf(Outcome.Refused.class);
        assertThat(authenticate(null, null, null, "urn:other", token())).isInstanceOf(Outcome.Refused.class);
        assertThat(authenticate(null, null, null, ClientAssertions.TYPE, null)).isInstanceOf(Outcome.Refused.class);
        assertThat(authenticate(null, "ci/other", null, ClientAssertions.TYPE, token()))
                .isInstanceOf(Outcome.Refused.class);
    }

    @Test
    void what_was_presented_is_not_printed() {
        assertThat(new Presented(
                                Optional.of("Basic YTpi"),
                                Optional.empty(),
                                Optional.of("s3cret"),
                                Optional.empty(),
                                Optional.empty())
                        .toString())
                .doesNotContain("YTpi", "s3cret");
    }

    private Outcome authenticate(String authorization, String clientId, String secret, String type, String assertion) {
        return ClientAssertions.authenticate(
                new Presented(
                        Optional.ofNullable(authorization),
                        Optional.ofNullable(clientId),
                        Optional.ofNullable(secret),
                        Optional.ofNullable(type),
                        Optional.ofNullable(assertion)),
                identities);
    }

    private static String token() {
        return ISSUER.token("agent", NOW);
    }
}

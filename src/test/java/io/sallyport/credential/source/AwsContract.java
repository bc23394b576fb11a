package io.sallyport.credential.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.sallyport.grant.Grant;
import io.sallyport.grant.TestGrants;
import io.sallyport.net.AwsClients;
import io.sallyport.net.AwsPlace;
import io.sallyport.net.GuardedExchange;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;
import software.amazon.awssdk.services.sts.StsClient;

/** What the sources rely on of AWS: asked of the stand-in at each build, and of a real account by {@code src/test/sh/aws-contract.sh}. */
abstract class AwsContract {

    @TempDir
    Path folder;

    /**
     * An account that the broker may use.
     *
     * @param place keys of a source's document that say where it is
     * @param key {@code ID:SECRET[:TOKEN]}
     * @param secret a secret with a text, which the key and the role may read
     * @param parameter a SecureString that the key may read
     * @param role that the key may take on, for at least an hour
     */
    record Account(String place, String key, String secret, String parameter, String role) {}

    abstract Account account();

    abstract AwsPlace place();

    abstract GuardedExchange exchange();

    private SourceTools tools() {
        return AwsCase.tools(
                exchange(),
                Clock.systemUTC(),
                folder,
                Map.of("SALLYPORT_SECRET_AWS", account().key()));
    }

    private SecretSource source(String keys) {
        return AwsCase.source(
                account().place() + "\naccess: {key: {kind: env, name: SALLYPORT_SECRET_AWS}}\n" + keys, folder);
    }

    private Fetched fetched(SecretSource source, Fetch fetch) throws Exception {
        return source.fetch(fetch);
    }

    private static void faults(SecretSource source, Fetch fetch, SourceFault.Kind kind) {
        assertThatThrownBy(() -> source.fetch(fetch))
                .asInstanceOf(type(SourceFault.class))
                .extracting(SourceFault::kind)
                .isEqualTo(kind);
    }

    static Grant grant(Duration left) {
        return TestGrants.with(draft -> draft.expires = Instant.now().plus(left));
    }

    @Test
    void a_secret_is_given_and_is_unchanged_by_its_versions_id() throws Exception {
        SecretSource source =
                source("kind: aws-secrets-manager\nsecret: \"" + account().secret() + "\"");
        Fetched first = fetched(source, AwsCase.fetch(tools(), null, null));
        assertThat(AwsCase.part(first, Material.SECRET)).isNotEmpty();
        assertThat(fetched(source, AwsCase.fetch(tools(), AwsCase.stamp(first), null)))
                .isInstanceOf(Fetched.Unchanged.class);
    }

    @Test
    void a_secret_or_a_version_that_is_not_there_is_missing() {
        faults(
                source("kind: aws-secrets-manager\nsecret: sallyport/no-such-secret"),
                AwsCase.fetch(tools(), null, null),
                SourceFault.Kind.MISSING);
        faults(
                source("kind: aws-secrets-manager\nversion: 00000000-0000-0000-0000-000000000000\nsecret: \""
                        + account().secret() + "\""),
                AwsCase.fetch(tools(), null, null),
                SourceFault.Kind.MISSING);
    }

    @Test
    void a_parameter_is_given_in_the_clear_and_one_that_is_not_there_is_missing() throws Exception {
        SecretSource source = source("kind: aws-ssm\nparameter: \"" + account().parameter() + "\"");
        Fetched first = fetched(source, AwsCase.fetch(tools(), null, null));
        assertThat(AwsCase.part(first, Material.SECRET)).isNotEmpty().doesNotStartWith("AQICAH");
        assertThat(fetched(source, AwsCase.fetch(tools(), AwsCase.stamp(first), null)))
                .isInstanceOf(Fetched.Unchanged.class);
        faults(
                source("kind: aws-ssm\nparameter: /sallyport/no-such-parameter"),
                AwsCase.fetch(tools(), null, null),
                SourceFault.Kind.MISSING);
        faults(
                source("kind: aws-ssm\nversion: 99999\nparameter: \""
                        + account().parameter() + "\""),
                AwsCase.fetch(tools(), null, null),
                SourceFault.Kind.MISSING);
    }

    @Test
    void a_session_bears_the_grants_name_and_lives_as_long_as_it_was_asked_for() throws Exception {
        Grant grant = grant(Duration.ofMinutes(20));
        Fetched session = fetched(role(""), AwsCase.fetch(tools(), null, grant));
        assertThat(session.lives()).isBetween(Duration.ofMinutes(18), Duration.ofMinutes(21));
        try (StsClient client = new AwsClients(exchange(), place(), Duration.ofSeconds(10))
                .client(StsClient.builder(), "sts", provider(session))) {
            assertThat(client.getCallerIdentity().arn())
                    .endsWith("/sallyport-" + grant.id().substring(0, 24));
        }
    }

    @Test
    void a_session_may_do_what_its_policy_allows_and_nothing_besides() throws Exception {
        assertThat(mayRead(role(""))).isTrue();
        assertThat(mayRead(role("actions: [\"secretsmanager:GetSecretValue\"]")))
                .isTrue();
        assertThat(mayRead(role("actions: [\"s3:GetObject\"]"))).isFalse();
        assertThat(mayRead(role("account: \"999999999999\""))).isFalse();
        SecretSource both = AwsCase.narrowed(
                role("actions: [\"secretsmanager:GetSecretValue\"]"), "{resources: [\"arn:aws:s3:::elsewhere/*\"]}");
        assertThat(mayRead(both)).isFalse();
        SecretSource wide =
                AwsCase.narrowed(role("actions: [\"s3:*\"]"), "{actions: [\"secretsmanager:GetSecretValue\"]}");
        assertThat(mayRead(wide)).isFalse();
    }

    @Test
    void what_an_operator_tries_opens_the_role_and_can_do_nothing() throws Exception {
        assertThat(read(fetched(role(""), AwsCase.fetch(tools(), null, null)))).isFalse();
    }

    @Test
    void a_key_that_aws_does_not_know_is_denied() {
        SourceTools stranger = AwsCase.tools(
                exchange(),
                Clock.systemUTC(),
                folder,
                Map.of("SALLYPORT_SECRET_AWS", "AKIAIOSFODNN7EXAMPLE:" + "x".repeat(40)));
        faults(
                source("kind: aws-secrets-manager\nsecret: any"),
                AwsCase.fetch(stranger, null, null),
                SourceFault.Kind.DENIED);
        faults(source("kind: aws-ssm\nparameter: any"), AwsCase.fetch(stranger, null, null), SourceFault.Kind.DENIED);
        faults(role(""), AwsCase.fetch(stranger, null, null), SourceFault.Kind.DENIED);
    }

    private SecretSource role(String limits) {
        return source("kind: aws-sts\nrole: \"" + account().role() + "\"\n" + limits);
    }

    private boolean mayRead(SecretSource source) throws Exception {
        return read(fetched(source, AwsCase.fetch(tools(), null, grant(Duration.ofMinutes(20)))));
    }

    private boolean read(Fetched session) {
        try (SecretsManagerClient client = new AwsClients(exchange(), place(), Duration.ofSeconds(10))
                .client(SecretsManagerClient.builder(), "secretsmanager", provider(session))) {
            return client.getSecretValue(request -> request.secretId(account().secret()))
                            .secretString()
                    != null;
        } catch (software.amazon.awssdk.services.secretsmanager.model.SecretsManagerException denied) {
            assertThat(denied.awsErrorDetails().errorCode()).startsWith("AccessDenied");
            return false;
        }
    }

    private static StaticCredentialsProvider provider(Fetched session) {
        return StaticCredentialsProvider.create(AwsSessionCredentials.create(
                AwsCase.part(session, "access-key-id"),
                AwsCase.part(session, "secret-access-key"),
                AwsCase.part(session, "session-token")));
    }
}

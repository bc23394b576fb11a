package io.sallyport.credential.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sallyport.testing.AwsStandIn;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Secrets Manager and the Parameter Store, and whatever can be wrong with AWS for all kinds. */
class AwsSecretsTest {

    private static final String SECRET = "kind: aws-secrets-manager\nsecret: prod/agents\n";
    private static final String PARAMETER = "kind: aws-ssm\nparameter: /prod/agents\n";

    @TempDir
    Path folder;

    private AwsStandInCase standIn;

    @BeforeEach
    void open() {
        standIn = new AwsStandInCase(folder);
    }

    @AfterEach
    void close() {
        standIn.close();
    }

    private String value(String keys) throws Exception {
        return AwsCase.part(standIn.fetched(standIn.source(keys), null), Material.SECRET);
    }

    private SourceFault fault(String keys) {
        SourceFault fault = catchThrowableOfType(SourceFault.class, () -> standIn.fetched(standIn.source(keys), null));
        assertThat(fault).isNotNull();
        return fault;
    }

    private void rotated(String previous, String current, String pending) {
        standIn.aws.secrets.put(
                "prod/agents",
                List.of(
                        new AwsStandIn.Version(AwsStandInCase.FIRST, "first-value", List.of(previous)),
                        new AwsStandIn.Version(AwsStandInCase.SECOND, "second-value", List.of(current, pending))));
    }

    @Test
    void a_rotation_is_seen_by_the_versions_id_and_the_value_before_it_can_still_be_had() throws Exception {
        SecretSource source = standIn.source(SECRET);
        Fetched first = standIn.fetched(source, null);
        assertThat(AwsCase.part(first, Material.SECRET)).isEqualTo("first-value");
        assertThat(first.lives()).isEqualTo(Duration.ofMinutes(1));

        rotated("AWSCURRENT", "AWSPENDING", "x");
        assertThat(standIn.fetched(source, AwsCase.stamp(first))).isInstanceOf(Fetched.Unchanged.class);
        assertThat(value(SECRET + "stage: AWSPENDING")).isEqualTo("second-value");

        rotated("AWSPREVIOUS", "AWSCURRENT", "x");
        Fetched second = standIn.fetched(source, AwsCase.stamp(first));
        assertThat(AwsCase.part(second, Material.SECRET)).isEqualTo("second-value");
        assertThat(value(SECRET + "stage: AWSPREVIOUS")).isEqualTo("first-value");
        assertThat(value(SECRET + "version: " + AwsStandInCase.FIRST)).isEqualTo("first-value");
    }

    @Test
    void fields_of_json_are_the_parts_that_the_document_names() throws Exception {
        standIn.aws.secrets.put(
                "prod/agents",
                List.of(new AwsStandIn.Version(
                        AwsStandInCase.FIRST,
                        "{\"username\":\"app\",\"password\":\"p\\\"w\",\"port\":5432,\"tags\":{},\"none\":null}",
                        List.of("AWSCURRENT"))));
        assertThat(value(SECRET + "field: password")).isEqualTo("p\"w");
        assertThat(value(SECRET + "field: port")).isEqualTo("5432");
        Fetched both =
                standIn.fetched(standIn.source(SECRET + "fields: {username: username, password: password}"), null);
        assertThat(AwsCase.part(both, "username") + " " + AwsCase.part(both, "password"))
                .isEqualTo("app p\"w");
        for (String absent : List.of("nothing", "tags", "none")) {
            assertThat(fault(SECRET + "field: " + absent).kind()).isEqualTo(SourceFault.Kind.BAD);
            assertThat(fault(SECRET + "field: " + absent).cause())
                    .contains(absent)
                    .doesNotContain("app");
        }
        standIn.aws.secrets.put(
                "prod/agents",
                List.of(new AwsStandIn.Version(AwsStandInCase.FIRST, "not{json", List.of("AWSCURRENT"))));
        assertThat(fault(SECRET + "field: x").cause())
                .contains("not a JSON object")
                .doesNotContain("not{");
    }

    @Test
    void a_parameter_is_had_by_version_or_label_and_in_the_clear_only_where_the_document_says_so() throws Exception {
        assertThat(value(PARAMETER)).isEqualTo("parameter-two");
        assertThat(value(PARAMETER + "version: 1")).isEqualTo("parameter-one");
        assertThat(value(PARAMETER + "label: steady")).isEqualTo("parameter-one");
        assertThat(fault(PARAMETER + "label: unknown").kind()).isEqualTo(SourceFault.Kind.MISSING);
        assertThat(fault(PARAMETER + "decryption: false").cause()).contains("is a SecureString");

        standIn.aws.parameters.put(
                "/prod/agents", List.of(new AwsStandIn.Parameter("String", "for-all-to-see", 1, null)));
        assertThat(fault(PARAMETER).cause()).contains("is no SecureString");
        assertThat(value(PARAMETER + "decryption: false")).isEqualTo("for-all-to-see");
    }

    @Test
    void a_change_of_a_parameter_is_seen() throws Exception {
        SecretSource source = standIn.source(PARAMETER + "refresh: 5min");
        Fetched first = standIn.fetched(source, null);
        assertThat(standIn.fetched(source, AwsCase.stamp(first)))
                .isEqualTo(new Fetched.Unchanged(Duration.ofMinutes(5)));
        standIn.aws.parameters.put("/prod/agents", List.of(new AwsStandIn.Parameter("SecureString", "three", 3, null)));
        assertThat(AwsCase.part(standIn.fetched(source, AwsCase.stamp(first)), Material.SECRET))
                .isEqualTo("three");
    }

    @Test
    void what_aws_answers_is_told_by_what_is_to_be_done_and_never_in_its_words() {
        record Said(int status, String code, SourceFault.Kind kind, String cause) {}
        for (Said said : List.of(
                new Said(400, "AccessDeniedException", SourceFault.Kind.DENIED, "denies it"),
                new Said(
                        400,
                        "UnrecognizedClientException",
                        SourceFault.Kind.DENIED,
                        "does not know the broker's access key"),
                new Said(400, "ExpiredTokenException", SourceFault.Kind.DENIED, "own token has expired"),
                new Said(400, "InvalidSignatureException", SourceFault.Kind.DENIED, "signature does not match"),
                new Said(400, "DecryptionFailure", SourceFault.Kind.DENIED, "kms:Decrypt"),
                new Said(400, "ResourceNotFoundException", SourceFault.Kind.MISSING, "no such secret"),
                new Said(400, "InvalidRequestException", SourceFault.Kind.MISSING, "to be deleted"),
                new Said(400, "ValidationException", SourceFault.Kind.BAD, "invalid"),
                new Said(418, "SomethingElse", SourceFault.Kind.BAD, "(418)"),
                new Said(302, "", SourceFault.Kind.DOWN, "redirect"))) {
            standIn.aws.fail(
                    said.status(),
                    said.code(),
                    "arn:aws:iam::111122223333:user/broker quotes " + AwsStandInCase.KEY_ID);
            SourceFault fault = fault(SECRET);
            assertThat(fault.kind()).as(said.code()).isEqualTo(said.kind());
            assertThat(fault.cause())
                    .contains(said.cause())
                    .doesNotContain("quotes")
                    .doesNotContain(AwsStandInCase.KEY_ID)
                    .doesNotContain("SomethingElse");
        }
    }

    @Test
    void what_passes_by_itself_is_asked_again_after_a_pause_and_not_for_ever() throws Exception {
        standIn.aws.fail(400, "ThrottlingException", "Rate exceeded");
        standIn.aws.fail(500, "InternalServiceError", "again");
        assertThat(value(SECRET)).isEqualTo("first-value");
        assertThat(standIn.aws.calls).hasSize(3);

        for (int i = 0; i < 4; i++) {
            standIn.aws.fail(400, "ThrottlingException", "Rate exceeded");
        }
        SourceFault fault = fault(SECRET);
        assertThat(fault.kind()).isEqualTo(SourceFault.Kind.DOWN);
        assertThat(fault.cause()).isEqualTo("AWS Secrets Manager asks for fewer requests");
        assertThat(standIn.aws.calls).hasSize(7);
    }

    @Test
    void a_denial_is_asked_once() {
        standIn.aws.fail(400, "AccessDeniedException", "no");
        fault(SECRET);
        assertThat(standIn.aws.calls).hasSize(1);
    }

    /** Both make a signature that does not match; who reads the cause must not go and look for another key. */
    @Test
    void a_clock_that_is_wrong_is_told_from_a_key_that_is_wrong() {
        standIn.theirs.pass(Duration.ofMinutes(17));
        SourceFault skewed = fault(SECRET);
        assertThat(skewed.kind()).isEqualTo(SourceFault.Kind.DOWN);
        assertThat(skewed.cause()).matches("the broker's clock is 1[67] minutes behind AWS's; .*");

        standIn.theirs.pass(Duration.ofMinutes(-17));
        standIn.environment.put("SALLYPORT_SECRET_AWS", AwsStandInCase.KEY_ID + ":" + "y".repeat(40));
        assertThat(fault(SECRET).cause()).contains("the secret of the broker's key is another one");
    }

    @Test
    void a_service_that_is_not_there_is_down_and_the_guards_reason_is_told() throws Exception {
        SecretSource unnamed = AwsCase.source(
                standIn.place().replace("addresses: [127.0.0.0/8]", "")
                        + "access: {key: {kind: env, name: SALLYPORT_SECRET_AWS}}\n" + SECRET,
                folder);
        assertThatThrownBy(() -> standIn.fetched(unnamed, null)).hasMessageContaining("127.0.0.0/8 (loopback)");

        SecretSource source = standIn.source(SECRET);
        standIn.aws.close();
        assertThatThrownBy(() -> standIn.fetched(source, null)).isInstanceOfSatisfying(SourceFault.class, fault -> {
            assertThat(fault.kind()).isEqualTo(SourceFault.Kind.DOWN);
            assertThat(fault.cause()).contains("can't be reached");
        });
    }

    @Test
    void who_stands_in_between_is_not_believed() {
        SecretSource other = AwsCase.source(
                standIn.place().replace("trust: aws.pem\n", "")
                        + "\naccess: {key: {kind: env, name: SALLYPORT_SECRET_AWS}}\n" + SECRET,
                folder);
        assertThatThrownBy(() -> standIn.fetched(other, null))
                .hasMessageContaining("certificate is not one that trust");
        assertThat(standIn.aws.calls).isEmpty();
    }

    @Test
    void the_key_comes_from_a_file_too_is_read_each_time_and_must_be_a_pair() throws Exception {
        Path key = Files.writeString(
                folder.resolve("pair"), AwsStandInCase.KEY_ID + ":" + AwsStandInCase.KEY_SECRET + "\n");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
        String document = SECRET + "access: {key: {kind: file, name: pair}}";
        SecretSource source = standIn.source(document);
        assertThat(AwsCase.part(standIn.fetched(source, null), Material.SECRET)).isEqualTo("first-value");
        assertThat(source.toString()).doesNotContain(AwsStandInCase.KEY_SECRET);

        Files.writeString(key, "cAnary-nonsense");
        assertThatThrownBy(() -> standIn.fetched(source, null))
                .hasMessageContaining("its key: is not ID:SECRET")
                .hasMessageNotContaining("cAnary");
        Files.delete(key);
        assertThatThrownBy(() -> standIn.fetched(source, null))
                .isInstanceOfSatisfying(
                        SourceFault.class, fault -> assertThat(fault.kind()).isEqualTo(SourceFault.Kind.MISSING));
    }

    @Test
    void roles_on_the_way_are_taken_on_in_order() throws Exception {
        String reader = "arn:aws:iam::111122223333:role/reader";
        standIn.aws.roles.put(
                reader,
                new AwsStandIn.Role(
                        "arn:aws:sts::111122223333:assumed-role/site-fixer/", "our-id", Duration.ofHours(1)));
        String access = "access: {key: {kind: env, name: SALLYPORT_SECRET_AWS}, via: [{role: \"" + AwsStandInCase.ROLE
                + "\"}, {role: \"" + reader + "\", external-id: our-id}]}";
        assertThat(value(SECRET + access)).isEqualTo("first-value");
        assertThat(standIn.aws.calls)
                .containsExactly("STS.AssumeRole", "STS.AssumeRole", "secretsmanager.GetSecretValue");
        assertThat(fault(SECRET + access.replace("our-id", "another")).cause()).contains("AWS STS denies it");
    }

    @Test
    void a_web_identitys_token_opens_a_role_and_is_read_anew_each_time() throws Exception {
        standIn.aws.webIdentities.put("token.one.sig", "system:serviceaccount:sallyport");
        standIn.aws.webIdentities.put("token.two.sig", "expired");
        standIn.aws.roles.put(
                AwsStandInCase.ROLE, new AwsStandIn.Role("system:serviceaccount:sallyport", null, Duration.ofHours(1)));
        standIn.environment.put("SALLYPORT_SECRET_TOKEN", "token.one.sig");
        String document = SECRET + "access: {token: {kind: env, name: SALLYPORT_SECRET_TOKEN}, via: [{role: \""
                + AwsStandInCase.ROLE + "\"}]}";
        assertThat(value(document)).isEqualTo("first-value");
        standIn.environment.put("SALLYPORT_SECRET_TOKEN", "token.two.sig");
        assertThat(fault(document).cause()).contains("own token has expired").doesNotContain("token.two");
        standIn.environment.put("SALLYPORT_SECRET_TOKEN", "token.unknown.sig");
        assertThat(fault(document).cause()).contains("does not accept the broker's web identity token");
    }
}

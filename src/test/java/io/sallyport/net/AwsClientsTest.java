package io.sallyport.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sallyport.http.Origin;
import io.sallyport.http.Parsed;
import io.sallyport.testing.TestCertificates;
import io.sallyport.testing.TestOrigin;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.sts.StsClient;
import software.amazon.awssdk.services.sts.model.StsException;

class AwsClientsTest {

    private static final TestCertificates CA = TestCertificates.authority();
    private static final List<Cidr> LOOPBACK = List.of(Cidr.of("127.0.0.0/8"));
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final String WHO = """
            <GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult>\
            <Arn>arn:aws:iam::111122223333:user/broker</Arn><UserId>AIDA</UserId><Account>111122223333</Account>\
            </GetCallerIdentityResult></GetCallerIdentityResponse>""";

    @TempDir
    Path folder;

    private final TestOrigin aws = TestOrigin.tls(CA.issue("sts.up.test"), TestOrigin.ok(WHO));
    private final TestOrigin stranger = TestOrigin.plain(TestOrigin.ok(WHO));
    private final GuardedHttpClient guarded = new GuardedHttpClient(
            host -> CompletableFuture.completedFuture(new Resolver.Resolution.Resolved(List.of(loopback()))),
            new Egress(new ReservedAddressGuard(new OwnPorts()::contains), null),
            null);

    private static InetAddress loopback() {
        try {
            return InetAddress.getByName("127.0.0.1");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @AfterEach
    void close() {
        guarded.close();
        aws.close();
        stranger.close();
    }

    private AwsPlace place(List<Cidr> permitted) {
        return new AwsPlace(
                "eu-central-1",
                ((Parsed.Valid<Origin>) Origin.parse(aws.url("sts.up.test"))).value(),
                CA.writeRoot(folder.resolve("root.pem")),
                permitted);
    }

    private StsClient client(AwsPlace place, Duration timeout) {
        return new AwsClients(guarded, place, timeout)
                .client(
                        StsClient.builder(),
                        "sts",
                        StaticCredentialsProvider.create(AwsBasicCredentials.create("AKIDBROKER", "s3cret/s3cret")));
    }

    private String account() {
        try (StsClient client = client(place(LOOPBACK), PATIENCE)) {
            return client.getCallerIdentity().account();
        }
    }

    @Test
    void a_call_of_the_sdk_goes_through_the_guard_signed_for_the_place_that_was_named() {
        assertThat(account()).isEqualTo("111122223333");
        assertThat(aws.received()).singleElement().satisfies(request -> {
            assertThat(request.requestLine()).isEqualTo("POST / HTTP/1.1");
            assertThat(request.text()).contains("Action=GetCallerIdentity");
            assertThat(request.field("Host")).containsExactly("sts.up.test:" + aws.port());
            assertThat(request.field("Authorization").getFirst())
                    .startsWith("AWS4-HMAC-SHA256 Credential=AKIDBROKER/")
                    .contains("/eu-central-1/sts/aws4_request");
            assertThat(request.field("User-Agent").getFirst()).startsWith("sallyport ");
            assertThat(request.head() + request.text()).doesNotContain("s3cret");
        });
    }

    @Test
    void a_place_in_a_reserved_range_that_nothing_names_is_not_dialled() {
        try (StsClient client = client(place(List.of()), PATIENCE)) {
            assertThatThrownBy(client::getCallerIdentity)
                    .isInstanceOf(SdkClientException.class)
                    .hasMessageContaining("127.0.0.0/8 (loopback)");
        }
        assertThat(aws.connections()).isZero();
    }

    /** Whoever can set a variable or write a profile must not lead the broker elsewhere, nor lend it a key. */
    @Test
    void what_lies_around_the_broker_changes_neither_place_nor_key() throws Exception {
        String elsewhere = stranger.url("127.0.0.1");
        Path config = Files.writeString(folder.resolve("config"), """
                [default]
                region = us-gov-west-1
                endpoint_url = %s
                use_fips_endpoint = true
                use_dualstack_endpoint = true
                defaults_mode = auto
                aws_access_key_id = AKIDSTRANGER
                aws_secret_access_key = stranger
                """.formatted(elsewhere));
        Map<String, String> hostile = Map.of(
                "aws.configFile",
                config.toString(),
                "aws.sharedCredentialsFile",
                config.toString(),
                "aws.endpointUrl",
                elsewhere,
                "aws.endpointUrlSts",
                elsewhere,
                "aws.ec2MetadataServiceEndpoint",
                elsewhere,
                "aws.region",
                "us-gov-west-1",
                "aws.useFipsEndpoint",
                "true",
                "aws.accessKeyId",
                "AKIDSTRANGER",
                "aws.secretAccessKey",
                "stranger",
                "aws.defaultsMode",
                "auto");
        Map<String, String> before = new HashMap<>();
        hostile.forEach((name, value) -> before.put(name, System.setProperty(name, value)));
        try {
            assertThat(account()).isEqualTo("111122223333");
        } finally {
            before.forEach((name, value) -> {
                if (value == null) {
                    System.clearProperty(name);
                } else {
                    System.setProperty(name, value);
                }
            });
        }
        assertThat(stranger.connections()).isZero();
        assertThat(aws.received())
                .singleElement()
                .satisfies(request -> assertThat(request.field("Authorization").getFirst())
                        .contains("Credential=AKIDBROKER/")
                        .contains("/eu-central-1/sts/"));
    }

    @Test
    void a_refusal_arrives_with_its_code_and_nothing_is_repeated_or_followed() {
        aws.answer(
                TestOrigin.status(
                        503,
                        "<ErrorResponse><Error><Type>Sender</Type><Code>Throttling</Code><Message>Rate exceeded</Message></Error></ErrorResponse>"));
        assertThatThrownBy(this::account)
                .isInstanceOfSatisfying(
                        StsException.class,
                        refusal -> assertThat(refusal.awsErrorDetails().errorCode())
                                .isEqualTo("Throttling"));
        assertThat(aws.received()).hasSize(1);

        aws.answer(TestOrigin.status(307, "", "Location: " + stranger.url("127.0.0.1") + "/"));
        assertThatThrownBy(this::account).isInstanceOf(StsException.class);
        assertThat(aws.received()).hasSize(2);
        assertThat(stranger.connections()).isZero();
    }

    @Test
    void an_answer_that_never_ends_or_is_too_long_is_given_up() {
        aws.answer(TestOrigin.ok("x".repeat(AwsHttp.LIMIT + 1)));
        assertThatThrownBy(this::account).hasMessageContaining("longer than 262144 bytes");

        aws.deaf(true);
        try (StsClient client = client(place(LOOPBACK), Duration.ofMillis(300))) {
            assertThatThrownBy(client::getCallerIdentity).hasMessageContaining("no answer within 300 ms");
        } finally {
            aws.deaf(false);
        }
    }

    @Test
    void without_an_endpoint_a_call_goes_to_the_public_one_of_its_region_and_partition() {
        assertThat(new AwsPlace("eu-central-1", null, null, List.of()).of("sts"))
                .hasToString("https://sts.eu-central-1.amazonaws.com");
        assertThat(new AwsPlace("cn-north-1", null, null, List.of()).of("kms"))
                .hasToString("https://kms.cn-north-1.amazonaws.com.cn");
        assertThat(new AwsPlace("us-gov-west-1", null, null, List.of()).of("ssm"))
                .hasToString("https://ssm.us-gov-west-1.amazonaws.com");
    }

    @Test
    void a_region_can_be_nothing_but_a_region() {
        for (String text : List.of("", "eu", "eu-central", "evil.test/-1", "a.eu-central-1", "EU-central-1", "eu-1")) {
            assertThatThrownBy(() -> new AwsPlace(text, null, null, List.of()))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(AwsPlace.isRegion("us-iso-east-1")).isTrue();
        assertThat(AwsPlace.isRegion("ap-southeast-7")).isTrue();
    }
}

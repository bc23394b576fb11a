package io.sallyport.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.ObjectStore;
import io.sallyport.testing.SigningOrigin;
import io.sallyport.testing.TestCertificates;
import io.sallyport.testing.TestNameServer;
import io.sallyport.testing.TestOrigin;
import io.sallyport.testing.TestProcess;
import io.sallyport.testing.Tools;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** RW-36: the AWS command line with a placeholder for a key, through the hop of a whole broker, to a store that checks each signature. */
@Tag("slow")
class AwsClientsTest {

    private static final String KEY_ID = "AKIAREAL000000000000";
    private static final String SECRET = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYREALSECRET";
    private static final String PLACEHOLDER = "AKIAPLACEHOLDER00000";
    private static final String OWNER = "123456789012";

    private static ObjectStore store;
    private static TestOrigin origin;
    private static TestNameServer names;
    private static TestProcess broker;

    @TempDir
    private Path folder;

    private Map<String, String> environment;

    @BeforeAll
    static void start() throws Exception {
        TestCertificates authority = TestCertificates.authority();
        store = new ObjectStore(new SigningOrigin(KEY_ID, SECRET, null, "eu-central-1", "s3"));
        origin = TestOrigin.tls(authority.issue("*.up.test"), store);
        names = new TestNameServer(TestNameServer.Step.addresses(60, "127.0.0.1"));
        broker = TestProcess.prepared();
        broker.setting(
                        "sallyport.proxy.upstream-trust",
                        "file:" + authority.writeRoot(broker.folder().resolve("up.pem")))
                .setting("sallyport.proxy.name-servers", names.address())
                .secret("s3", SECRET)
                .document("credentials", "s3", """
                        sallyport: v1
                        credential: s3
                        destinations: ["https://api.up.test:%d"]
                        source: {kind: file, name: s3}
                        inject:
                          kind: sigv4
                          service: s3
                          region: eu-central-1
                          access-key-id: %s
                          bucket-owner: "%s"
                          placeholder: {access-key-id: %s, secret-access-key: placeholder}
                        blast-radius: low
                        """.formatted(origin.port(), KEY_ID, OWNER, PLACEHOLDER))
                .document("policies", "work", """
                        sallyport: v1
                        policy: work
                        owner: team@example.com
                        reason: Drives the AWS command line
                        review-by: 2099-01-01
                        who: [{identity: ci, subject: agent-1}]
                        task: {ttl: 1h, uses: 10000, bytes-out: 10GiB, binding: address}
                        scopes:
                          s3:
                            reason: The bucket under test
                            destination: {url: "https://api.up.test:%d", addresses: [127.0.0.0/8]}
                            paths: opaque
                            allow: ["GET,PUT,POST /b/**", "GET /b"]
                            credential: s3
                        """.formatted(origin.port()))
                .start();
    }

    @AfterAll
    static void stop() {
        broker.close();
        names.close();
        origin.close();
    }

    @BeforeEach
    void placeholderAlone() throws Exception {
        Tools.require("aws");
        origin.received().clear();
        store.refused().clear();
        store.verified().clear();
        environment = new LinkedHashMap<>(AsUser.exported(AsUser.sallyport(broker, folder, "env", "-s", "work:s3")));
        environment.put("AWS_ACCESS_KEY_ID", PLACEHOLDER);
        environment.put("AWS_SECRET_ACCESS_KEY", "placeholder");
        // The agent's own idea of a region, of which nothing is taken over.
        environment.put("AWS_DEFAULT_REGION", "us-west-2");
        Path configuration = Files.writeString(
                folder.resolve("aws.config"),
                "[default]\ns3 =\n  addressing_style = path\nretries =\n  max_attempts = 1\n");
        environment.put("AWS_CONFIG_FILE", configuration.toString());
        environment.put("AWS_SHARED_CREDENTIALS_FILE", "/dev/null");
        environment.put("AWS_EC2_METADATA_DISABLED", "true");
        environment.put("AWS_MAX_ATTEMPTS", "1");
    }

    private Tools.Ran aws(String... arguments) {
        return awsAt(origin.url("api.up.test"), arguments);
    }

    private Tools.Ran awsAt(String endpoint, String... arguments) {
        List<String> command = new ArrayList<>(List.of("aws", "--endpoint-url", endpoint));
        command.addAll(List.of(arguments));
        Tools.Ran ran = Tools.run(folder, environment, command.toArray(String[]::new));
        assertThat(ran.exit()).as(ran.err() + ran.out() + store.refused()).isZero();
        return ran;
    }

    private Path file(int size) throws Exception {
        byte[] content = new byte[size];
        new Random(size).nextBytes(content);
        return Files.write(folder.resolve("file-" + size), content);
    }

    /** Each request was signed with the real key, and nothing of the placeholder's has left. */
    private void eachSigned(int atLeast) {
        assertThat(store.refused()).isEmpty();
        assertThat(store.verified()).hasSizeGreaterThanOrEqualTo(atLeast);
        assertThat(origin.received()).hasSameSizeAs(store.verified()).allSatisfy(request -> {
            assertThat(request.head()).doesNotContain(PLACEHOLDER, "us-west-2", SECRET);
            assertThat(request.field("x-amz-expected-bucket-owner")).containsExactly(OWNER);
        });
        assertThat(store.verified())
                .allSatisfy(it -> assertThat(it.signedFields())
                        .contains("host", "x-amz-date", "x-amz-content-sha256", "x-amz-expected-bucket-owner")
                        .doesNotContain(
                                "connection", "expect", "te", "accept-encoding", "user-agent", "x-amzn-trace-id"));
    }

    @Test
    void cp_uploads_in_chunks_and_its_checksum_arrives() throws Exception {
        Path file = file(300_000);
        aws("s3", "cp", file.toString(), "s3://b/k%20 with+signs/ü//300k");
        eachSigned(1);
        assertThat(store.objects().get("b/k%2520%20with%2Bsigns/%C3%BC//300k")).isEqualTo(Files.readAllBytes(file));
        TestOrigin.Received upload = origin.received().getLast();
        assertThat(upload.field("x-amz-content-sha256")).containsExactly("STREAMING-UNSIGNED-PAYLOAD-TRAILER");
        assertThat(upload.field("x-amz-decoded-content-length")).containsExactly("300000");
        assertThat(upload.field("x-amz-trailer")).isNotEmpty();
        assertThat(store.verified().getLast().trailers())
                .containsOnlyKeys(upload.field("x-amz-trailer").getFirst());
    }

    @Test
    void put_object_says_a_hash_or_leaves_it_and_both_are_signed() throws Exception {
        Path file = file(10_000);
        aws("s3api", "put-object", "--bucket", "b", "--key", "put", "--body", file.toString());
        environment.put("AWS_REQUEST_CHECKSUM_CALCULATION", "when_required");
        aws("s3api", "put-object", "--bucket", "b", "--key", "put2", "--body", file.toString(), "--metadata", "a=b  c");
        eachSigned(2);
        assertThat(store.objects().get("b/put")).isEqualTo(Files.readAllBytes(file));
        assertThat(store.objects().get("b/put2")).isEqualTo(Files.readAllBytes(file));
    }

    @Test
    void a_large_file_goes_up_in_parts() throws Exception {
        Path file = file(20 << 20);
        aws("s3", "cp", "--no-progress", file.toString(), "s3://b/large");
        eachSigned(5);
        assertThat(Arrays.equals(store.objects().get("b/large"), Files.readAllBytes(file)))
                .isTrue();
    }

    @Test
    void ls_lists_and_get_object_reads_a_range() throws Exception {
        store.objects().put("b/dir/greeting", "hello, world".getBytes(StandardCharsets.US_ASCII));
        assertThat(aws("s3", "ls", "s3://b/dir/").out()).contains("greeting");
        Path got = folder.resolve("got");
        aws("s3api", "get-object", "--bucket", "b", "--key", "dir/greeting", "--range", "bytes=7-11", got.toString());
        assertThat(Files.readString(got)).isEqualTo("world");
        eachSigned(2);
    }

    /** At the gateway, over plain HTTP, with the task token as the placeholder's session token. */
    @Test
    void the_gateway_takes_the_task_token_for_a_session_token() throws Exception {
        Path file = file(70_000);
        String proxy = environment.remove("HTTPS_PROXY");
        List.of("https_proxy", "HTTP_PROXY", "http_proxy").forEach(environment::remove);
        String token = java.net.URI.create(proxy).getUserInfo().substring("task:".length());
        environment.put("AWS_SESSION_TOKEN", token);
        String gateway = "http://127.0.0.1:" + broker.hopPort() + "/gateway/work:s3";
        awsAt(gateway, "s3api", "put-object", "--bucket", "b", "--key", "gate", "--body", file.toString());
        assertThat(awsAt(gateway, "s3", "ls", "s3://b/").out()).contains("gate");
        eachSigned(2);
        assertThat(store.objects().get("b/gate")).isEqualTo(Files.readAllBytes(file));
        assertThat(origin.received()).allSatisfy(it -> assertThat(it.head()).doesNotContain(token));
    }
}

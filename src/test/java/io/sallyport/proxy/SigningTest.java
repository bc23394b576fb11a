package io.sallyport.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.credential.aws.EcdsaSignatures;
import io.sallyport.testing.Ask;
import io.sallyport.testing.Door;
import io.sallyport.testing.EveryDoor;
import io.sallyport.testing.InjectionCase;
import io.sallyport.testing.Reply;
import io.sallyport.testing.SdkSigner;
import io.sallyport.testing.SigningOrigin;
import io.sallyport.testing.TestHop;
import io.sallyport.testing.TestOrigin;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;

/** Requests that are signed for AWS: with the real key, for the document's service and region, at the broker's time. */
class SigningTest extends InjectionCase {

    private static final String KEY_ID = "AKIAREAL000000000000";
    private static final String DUMMY = "AKIAPLACEHOLDER00000";
    private static final String PLACEHOLDER =
            "placeholder: {access-key-id: " + DUMMY + ", secret-access-key: placeholder}";
    private static final String S3 =
            "{kind: sigv4, service: s3, region: eu-central-1, access-key-id: " + KEY_ID + ", " + PLACEHOLDER + "}";
    private static final String OWNED = S3.replace("}}", "}, bucket-owner: \"123456789012\"}");
    private static final String PRESIGNED = S3.replace("}}", "}, presigned: 15min}");
    private static final String TABLES =
            "{kind: sigv4, service: dynamodb, region: eu-central-1, access-key-id: " + KEY_ID + "}";
    private static final SigningOrigin STORE = new SigningOrigin(KEY_ID, TestHop.SECRET, null, "eu-central-1", "s3");
    private static final SigningOrigin TABLE =
            new SigningOrigin(KEY_ID, TestHop.SECRET, null, "eu-central-1", "dynamodb");

    /** What a client's own signature puts on a request. At the gateway a session token would be taken for the task's. */
    private static String[] signedBy(Door door, String... fields) {
        List<String> all = new ArrayList<>(List.of(
                "X-Amz-Date: 20130524T000000Z",
                "X-Amz-Security-Token: mine",
                "User-Agent: aws-cli/2",
                "X-Amzn-Trace-Id: Root=1-mine"));
        all.add("Authorization: AWS4-HMAC-SHA256 Credential=" + DUMMY
                + "/20130524/us-west-2/iam/aws4_request, SignedHeaders=host, Signature=" + "0".repeat(64));
        if (door.gateway()) {
            all.remove("X-Amz-Security-Token: mine");
        }
        all.addAll(List.of(fields));
        return all.toArray(String[]::new);
    }

    private SigningOrigin.Verified got(Door door, Ask ask) {
        Reply reply = ask(door, ask);
        assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
        TestOrigin.Received seen = seen(door);
        assertThat(seen.head()).doesNotContain(DUMMY, "us-west-2", "20130524", ": mine");
        return STORE.verify(seen);
    }

    @EveryDoor
    void a_request_is_signed_with_the_real_key_for_the_documents_service_and_region(Door door) {
        inject(S3);
        SigningOrigin.Verified verified =
                got(door, Ask.of("GET /v1/a%20b/(c)%C3%A4?list-type=2&prefix=a/b&z&x=%2b", signedBy(door)));
        assertThat(verified.signedFields()).containsExactly("host", "x-amz-content-sha256", "x-amz-date");
        assertThat(entry("used")).contains("x-amz-date").doesNotContain(DUMMY, KEY_ID, "us-west-2");
        assertThat(entry("outcome")).contains("\"injected\":[\"up\"]").doesNotContain("content_changed");
    }

    /** S3 compares a hash with what arrives; it is the destination's to check, and needs no gathering. */
    @EveryDoor
    void a_hash_that_the_agent_says_is_signed_and_its_absence_is_made_good(Door door) {
        inject(S3);
        byte[] content = "what is sent".getBytes(StandardCharsets.US_ASCII);
        String hash = io.sallyport.credential.aws.Sha256.hex(content);
        for (String said :
                new String[] {"x-amz-content-sha256: " + hash, "x-amz-content-sha256: UNSIGNED-PAYLOAD", "X-A: b"}) {
            SigningOrigin.Verified verified = got(
                    door,
                    Ask.of("PUT /v1/k", signedBy(door, said, "x-amz-meta-a: b  c", "Content-Type: text/plain"))
                            .content(content));
            assertThat(verified.content()).isEqualTo(content);
            assertThat(verified.signedFields()).contains("x-amz-meta-a", "content-type");
        }
        got(door, Ask.of("PUT /v1/k", signedBy(door)).unsized(content));
        for (String said :
                new String[] {"x-amz-content-sha256: " + hash.toUpperCase(), "x-amz-content-sha256: STREAMING"}) {
            assertThat(ask(door, Ask.of("PUT /v1/k", signedBy(door, said)).content(content))
                            .status())
                    .as(said)
                    .isEqualTo(400);
        }
        assertThat(door.origin(hop).received()).isEmpty();
    }

    /** Other services are told nothing of the content's hash, and check it all the same. */
    @EveryDoor
    void content_for_other_services_is_gathered_and_hashed(Door door) {
        inject(TABLES);
        byte[] content = "{\"TableName\":\"t\"}".getBytes(StandardCharsets.US_ASCII);
        Ask ask = Ask.of(
                "POST /v1/t",
                signedBy(
                        door,
                        "X-Amz-Target: DynamoDB_20120810.DescribeTable",
                        "x-amz-content-sha256: " + "0".repeat(64)));
        Reply reply = ask(door, ask.content(content));
        assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
        SigningOrigin.Verified verified = TABLE.verify(seen(door));
        assertThat(verified.signedFields()).containsExactly("host", "x-amz-date", "x-amz-target");
        assertThat(ask(door, ask.content(new byte[2 << 20])).status()).isEqualTo(413);
        assertThat(door.origin(hop).received()).isEmpty();
    }

    private static byte[] random(int size) {
        byte[] content = new byte[size];
        new Random(size).nextBytes(content);
        return content;
    }

    private static Ask upload(SignedRequest signed, byte[] content) {
        List<String> fields = new ArrayList<>();
        signed.request()
                .forEachHeader((name, values) -> values.stream()
                        .filter(value -> !name.equalsIgnoreCase("Host") && !name.equalsIgnoreCase("Content-Length"))
                        .forEach(value -> fields.add(name + ": " + value)));
        return Ask.of("PUT /v1/k", fields.toArray(String[]::new)).content(content);
    }

    private static SignedRequest signed(String secret, byte[] content, boolean trailer) {
        return new SdkSigner("s3", "us-west-2", DUMMY, secret, null, Instant.parse("2013-05-24T00:00:00Z"))
                .upload("http://up.test/v1/k", content, trailer);
    }

    /** PX-08. */
    @EveryDoor
    void an_upload_in_signed_chunks_is_signed_anew_chunk_by_chunk(Door door) {
        inject(S3);
        byte[] content = random(300_000);
        for (boolean trailer : new boolean[] {false, true}) {
            SignedRequest signed = signed("placeholder", content, trailer);
            byte[] framed = SdkSigner.content(signed);
            Reply reply = ask(door, upload(signed, framed));
            assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
            TestOrigin.Received seen = seen(door);
            assertThat(seen.field("Content-Length")).containsExactly(Integer.toString(framed.length));
            SigningOrigin.Verified verified = STORE.verify(seen);
            assertThat(verified.content()).isEqualTo(content);
            assertThat(verified.trailers()).hasSize(trailer ? 1 : 0);
            assertThat(entry("outcome")).contains("content_changed");
        }
    }

    /** PX-08: the destination never has a whole request. */
    @EveryDoor
    void chunks_that_were_changed_or_signed_with_another_key_do_not_arrive(Door door) {
        inject(S3);
        byte[] content = random(200_000);
        SignedRequest signed = signed("placeholder", content, false);
        byte[] changed = SdkSigner.content(signed);
        changed[150_000] ^= 1;
        assertThat(statusOf(door, upload(signed, changed))).isNotEqualTo(200);
        SignedRequest another = signed("another", content, false);
        assertThat(statusOf(door, upload(another, SdkSigner.content(another)))).isNotEqualTo(200);
        assertThat(door.origin(hop).received()).isEmpty();
    }

    private int statusOf(Door door, Ask ask) {
        try {
            return ask(door, ask).status();
        } catch (RuntimeException brokenOff) {
            return 0;
        }
    }

    @EveryDoor
    void signed_chunks_need_a_placeholder_of_the_document(Door door) {
        inject(S3.replace(", " + PLACEHOLDER, ""));
        SignedRequest signed = signed("placeholder", random(10_000), false);
        Reply reply = ask(door, upload(signed, SdkSigner.content(signed)));
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.text()).contains("names no placeholder");
        assertThat(door.origin(hop).received()).isEmpty();
    }

    @EveryDoor
    void a_presigned_url_is_refused_unless_the_document_lets_the_placeholder_presign(Door door) {
        String url = "GET /v1/k?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=" + DUMMY
                + "%2F20130524%2Fus-west-2%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=600"
                + "&x-amz-signedheaders=host&versionId=1&X%2DAmz-Signature=" + "0".repeat(64);
        inject(S3);
        assertThat(ask(door, Ask.of(url)).text()).contains("signed_url");
        inject(PRESIGNED);
        Reply reply = ask(door, Ask.of(url));
        assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
        TestOrigin.Received seen = seen(door);
        assertThat(seen.target()).contains("X-Amz-Expires=600", "versionId=1").doesNotContain(DUMMY);
        STORE.verify(seen);
        assertThat(entry("used")).contains("\"target\":\"/v1/k?versionId=1\"").doesNotContain(KEY_ID);
        for (String other : new String[] {
            url.replace("=600", "=901"),
            url.replace("&X-Amz-Expires=600", ""),
            // A link of somebody else's does not become one of ours.
            url.replace(DUMMY, "AKIASOMEBODYELSE0000")
        }) {
            assertThat(ask(door, Ask.of(other)).status()).as(other).isEqualTo(403);
        }
        got(door, Ask.of("GET /v1/k", signedBy(door)));
        assertThat(door.origin(hop).received()).isEmpty();
    }

    /** Our key would open somebody else's bucket: the owner is the document's, whoever the agent says it is. */
    @EveryDoor
    void the_buckets_owner_is_the_documents(Door door) {
        inject(OWNED);
        Ask ask = Ask.of(
                "PUT /v1/k?x-amz-expected-bucket-owner=999999999999",
                signedBy(
                        door,
                        "x-amz-expected-bucket-owner: 999999999999",
                        "X-Amz-Source-Expected-Bucket-Owner: 999999999999",
                        "x-amz-copy-source: theirs/k"));
        assertThat(ask(door, ask).status()).isEqualTo(200);
        TestOrigin.Received seen = seen(door);
        assertThat(seen.field("x-amz-expected-bucket-owner")).containsExactly("123456789012");
        assertThat(seen.field("x-amz-source-expected-bucket-owner")).containsExactly("123456789012");
        assertThat(seen.target()).isEqualTo("/v1/k");
        assertThat(STORE.verify(seen).signedFields())
                .contains("x-amz-expected-bucket-owner", "x-amz-source-expected-bucket-owner");
    }

    /** S3 quotes the signature in its errors: until it has run out, it is as good as the key for that one request. */
    @EveryDoor
    void a_signature_that_is_echoed_is_masked(Door door) {
        inject(S3);
        door.origin(hop).answer(TestOrigin.echo());
        Reply reply = ask(door, Ask.of("GET /v1/k", signedBy(door)));
        String authorization = seen(door).field("Authorization").getFirst();
        String signature = authorization.substring(authorization.indexOf("Signature=") + 10);
        assertThat(signature).hasSize(64);
        assertThat(reply.text()).contains("AWS4-HMAC-SHA256").doesNotContain(signature);
    }

    @EveryDoor
    void version_4a_is_signed_for_a_set_of_regions(Door door) {
        inject("{kind: sigv4a, service: events, region-set: [eu-central-1, \"us-*\"], access-key-id: " + KEY_ID + "}");
        byte[] content = "{}".getBytes(StandardCharsets.US_ASCII);
        Reply reply = ask(
                door,
                Ask.of("POST /v1/e", signedBy(door, "X-Amz-Region-Set: *")).content(content));
        assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
        TestOrigin.Received seen = seen(door);
        assertThat(seen.field("X-Amz-Region-Set")).containsExactly("eu-central-1,us-*");
        EcdsaSignatures destination = new EcdsaSignatures(KEY_ID, TestHop.SECRET, "events");
        assertThat(destination.verify(seen, io.sallyport.credential.aws.Sha256.hex(content)))
                .isTrue();
        assertThat(destination.verify(seen, io.sallyport.credential.aws.Sha256.OF_NOTHING))
                .isFalse();
    }

    @Test
    void a_document_says_what_it_may_say() {
        assertThat(problem("{kind: sigv4, service: s3}")).contains("region");
        assertThat(problem("{kind: sigv4a, service: s3, region: eu-central-1}")).contains("region-set");
        assertThat(problem("{kind: sigv4, service: S3, region: eu-central-1}")).contains("signing name");
        assertThat(problem("{kind: sigv4, service: sqs, region: eu-central-1, bucket-owner: \"123456789012\"}"))
                .contains("is of buckets");
        assertThat(problem("{kind: sigv4, service: s3, region: eu-central-1, bucket-owner: \"12345\"}"))
                .contains("twelve digits");
        assertThat(problem("{kind: sigv4, service: s3, region: eu-central-1, " + PLACEHOLDER + ", presigned: 8d}"))
                .contains("1s to 7d");
        assertThat(problem("{kind: sigv4, service: s3, region: eu-central-1, presigned: 1h}"))
                .contains("placeholder");
        assertThat(problem("{kind: sigv4, service: s3, region: eu-central-1, placeholder: {access-key-id: AKIAPLACE}}"))
                .contains("secret-access-key");
    }

    private @Nullable String problem(String document) {
        try {
            inject(document);
            return null;
        } catch (AssertionError problems) {
            return problems.getMessage();
        }
    }
}

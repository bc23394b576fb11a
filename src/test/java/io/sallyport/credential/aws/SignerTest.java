package io.sallyport.credential.aws;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.http.Fields;
import io.sallyport.http.Target;
import java.nio.charset.StandardCharsets;
import java.security.interfaces.ECPublicKey;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** PX-07: the examples of S3's own documentation, which need no file beside the project. */
class SignerTest {

    private static final AccessKey KEY = new AccessKey(
            "AKIAIOSFODNN7EXAMPLE",
            "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY".getBytes(StandardCharsets.US_ASCII),
            null);
    private static final Instant AT = Instant.parse("2013-05-24T00:00:00Z");
    private static final Signer S3 = new Signer(Algorithm.HMAC, "s3", "us-east-1", PathStyle.OPAQUE, name -> true);

    private static Signer.Request get(String target, String... fields) {
        return new Signer.Request("GET", Target.parse(target).orElseThrow(), Fields.of(fields), Sha256.OF_NOTHING);
    }

    @Test
    void an_object_is_got() {
        Signer.Signed signed = S3.inHead(
                KEY,
                AT,
                get(
                        "/test.txt",
                        "Host",
                        "examplebucket.s3.amazonaws.com",
                        "Range",
                        "bytes=0-9",
                        "x-amz-content-sha256",
                        Sha256.OF_NOTHING));
        assertThat(signed.signature()).isEqualTo("f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
        assertThat(signed.fields().first("Authorization").orElseThrow())
                .startsWith(
                        "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, Signature=");
    }

    @Test
    void a_bucket_is_listed() {
        Signer.Signed signed = S3.inHead(
                KEY,
                AT,
                get(
                        "/?max-keys=2&prefix=J",
                        "Host",
                        "examplebucket.s3.amazonaws.com",
                        "x-amz-content-sha256",
                        Sha256.OF_NOTHING));
        assertThat(signed.signature()).isEqualTo("34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");
    }

    @Test
    void a_url_is_presigned_for_a_day() {
        Signer.Signed signed = S3.inQuery(
                KEY,
                AT,
                Duration.ofDays(1),
                new Signer.Request(
                        "GET",
                        Target.parse("/test.txt").orElseThrow(),
                        Fields.of("Host", "examplebucket.s3.amazonaws.com"),
                        "UNSIGNED-PAYLOAD"));
        assertThat(signed.signature()).isEqualTo("aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404");
        assertThat(signed.target().query()).endsWith("&X-Amz-Signature=" + signed.signature());
        assertThat(signed.fields().has("Authorization")).isFalse();
    }

    /** The key that AWS's client in C has for this access key. */
    @Test
    void an_access_key_determines_a_key_pair_on_p_256() throws Exception {
        ECPublicKey key = (ECPublicKey) EcdsaKey.derive(KEY).publicKey();
        assertThat(key.getW().getAffineX().toString(16))
                .isEqualTo("18b7d04643359f6ec270dcbab8dce6d169d66ddc9778c75cfb08dfdb701637ab");
        assertThat(key.getW().getAffineY().toString(16))
                .isEqualTo("fa36b35e4fe67e3112261d2e17a956ef85b06e44712d2850bcd3c2161e9993f2");
    }

    @Test
    void a_region_set_and_a_session_token_are_signed() {
        AccessKey temporary =
                new AccessKey("AKID", new byte[] {1, 2, 3}, "token/of+session=".getBytes(StandardCharsets.US_ASCII));
        Signer.Signed signed = new Signer(Algorithm.ECDSA, "s3", "*", PathStyle.OPAQUE, name -> false)
                .inHead(temporary, AT, get("/", "Host", "up.test", "User-Agent", "curl"));
        assertThat(signed.fields().first("X-Amz-Region-Set")).contains("*");
        assertThat(signed.fields().first("Authorization").orElseThrow())
                .startsWith(
                        "AWS4-ECDSA-P256-SHA256 Credential=AKID/20130524/s3/aws4_request, SignedHeaders=host;x-amz-date;x-amz-region-set;x-amz-security-token, Signature=30");
        assertThat(EcdsaKey.derive(temporary).verifies(signed.stringToSign(), signed.signature()))
                .isTrue();
    }

    @Test
    void what_was_signed_is_not_printed() {
        assertThat(S3.inHead(KEY, AT, get("/", "Host", "up.test")).toString()).isEqualTo("Signed[***]");
        assertThat(KEY.toString()).isEqualTo("AccessKey[***]");
    }

    @Test
    void escapes_of_a_path_stay_as_they_are_sent() {
        assertThat(PathStyle.OPAQUE.canonical("/a%2Fb//c%20(d)/%C3%A4")).isEqualTo("/a%2Fb//c%20%28d%29/%C3%A4");
        assertThat(PathStyle.USUAL.canonical("/a%2Fb//c%20(d)/.")).isEqualTo("/a%252Fb/c%2520%28d%29");
    }
}

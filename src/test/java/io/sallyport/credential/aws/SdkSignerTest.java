package io.sallyport.credential.aws;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.http.Field;
import io.sallyport.http.Fields;
import io.sallyport.http.Target;
import io.sallyport.testing.Fuzzing;
import io.sallyport.testing.SdkSigner;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.http.SdkHttpFullRequest;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;

/** PX-07: random requests are signed as the signer of AWS's own SDK signs them. */
class SdkSignerTest {

    private static final String TEXT = "abzAZ09-._~ !$'()*,;:@/?&=+%\u00e4\u1234";

    @Test
    void a_head_is_signed_as_the_sdk_signs_it() {
        Fuzzing.run(300, seed -> {
            Drawn drawn = new Drawn(new Random(seed));
            SignedRequest theirs = drawn.sdk().sign(drawn.request(), drawn.content, !drawn.s3, null);
            Signer.Signed ours =
                    drawn.signer().inHead(drawn.key(), drawn.at, drawn.toSign(theirs.request(), "Authorization"));
            assertThat(ours.fields().first("Authorization"))
                    .isEqualTo(theirs.request().firstMatchingHeader("Authorization"));
        });
    }

    @Test
    void a_url_is_presigned_as_the_sdk_presigns_it() {
        Fuzzing.run(300, seed -> {
            Drawn drawn = new Drawn(new Random(seed));
            Duration lifetime = Duration.ofSeconds(1 + drawn.random.nextInt(604_800));
            SignedRequest theirs = drawn.sdk().sign(drawn.request(), drawn.content, !drawn.s3, lifetime);
            Signer.Signed ours =
                    drawn.signer().inQuery(drawn.key(), drawn.at, lifetime, drawn.plain("UNSIGNED-PAYLOAD"));
            assertThat(ours.signature())
                    .as(ours.canonicalRequest() + "\n" + theirs.request().getUri()
                            + theirs.request().headers())
                    .isEqualTo(theirs.request()
                            .firstMatchingRawQueryParameter("X-Amz-Signature")
                            .orElseThrow());
        });
    }

    /** A request by chance, asked of both. */
    private static final class Drawn {

        private final Random random;
        private final boolean s3;
        private final @Nullable String token;
        private final Instant at;
        private final String path;
        private final List<String[]> parameters = new ArrayList<>();
        private final List<String[]> fields = new ArrayList<>();
        private final byte[] content;

        Drawn(Random random) {
            this.random = random;
            s3 = random.nextBoolean();
            token = random.nextBoolean() ? token() : null;
            at = Instant.ofEpochSecond(1_400_000_000L + random.nextInt(1_000_000_000));
            path = "/" + (random.nextInt(5) == 0 ? "" : UriEncoding.encodePath(segments()));
            for (int i = random.nextInt(5); i > 0; i--) {
                parameters.add(new String[] {"p" + text(3), text(6)});
            }
            for (int i = random.nextInt(5); i > 0; i--) {
                fields.add(new String[] {"X-Amz-Meta-" + random.nextInt(3), " " + printable(8) + "  " + printable(8)});
            }
            content = new byte[random.nextInt(2) * random.nextInt(1000)];
            random.nextBytes(content);
        }

        private String token() {
            byte[] bytes = new byte[30 + random.nextInt(300)];
            random.nextBytes(bytes);
            return Base64.getEncoder().encodeToString(bytes);
        }

        private String segments() {
            StringBuilder all = new StringBuilder();
            for (int i = 1 + random.nextInt(4); i > 0; i--) {
                // An empty one, or one of dots, only where it is left as it is.
                String segment = "s" + text(6).replace("/", "");
                all.append(s3 && random.nextInt(4) == 0 ? "" : segment).append('/');
            }
            return all + (random.nextBoolean() ? "end" : "");
        }

        private String text(int length) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(length + 1); i > 0; i--) {
                text.append(TEXT.charAt(random.nextInt(TEXT.length())));
            }
            return text.toString();
        }

        private String printable(int length) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(length + 1); i > 0; i--) {
                text.append((char) (' ' + random.nextInt(95)));
            }
            return text.toString();
        }

        SdkSigner sdk() {
            return new SdkSigner(s3 ? "s3" : "dynamodb", "eu-central-1", "AKIDEXAMPLE", "secret/key+1", token, at);
        }

        AccessKey key() {
            return new AccessKey(
                    "AKIDEXAMPLE",
                    "secret/key+1".getBytes(StandardCharsets.US_ASCII),
                    token == null ? null : token.getBytes(StandardCharsets.US_ASCII));
        }

        PathStyle style() {
            return s3 ? PathStyle.OPAQUE : PathStyle.USUAL;
        }

        Signer signer() {
            return new Signer(Algorithm.HMAC, sdk().service(), "eu-central-1", style(), name -> true);
        }

        SdkHttpRequest request() {
            SdkHttpFullRequest.Builder builder = SdkHttpFullRequest.builder()
                    .method(content.length > 0 ? SdkHttpMethod.PUT : SdkHttpMethod.GET)
                    .uri(URI.create("https://bucket.up.test:8443"))
                    .encodedPath(path);
            parameters.forEach(it -> builder.appendRawQueryParameter(it[0], it[1]));
            fields.forEach(it -> builder.appendHeader(it[0], it[1]));
            return builder.build();
        }

        /** What the SDK made of it, without what its signature added: some of its fields are signed too. */
        Signer.Request toSign(SdkHttpRequest signed, String without) {
            List<Field> lines = new ArrayList<>();
            signed.forEachHeader((name, values) -> values.forEach(value -> lines.add(new Field(name, value))));
            Fields all = Fields.of(lines).without(without);
            return new Signer.Request(
                    signed.method().name(),
                    new Target(path, query(), null),
                    all,
                    all.first("x-amz-content-sha256").orElse(Sha256.hex(content)));
        }

        Signer.Request plain(String payload) {
            List<Field> lines = new ArrayList<>();
            lines.add(new Field("Host", "bucket.up.test:8443"));
            fields.forEach(it -> lines.add(new Field(it[0], it[1])));
            return new Signer.Request(
                    request().method().name(), new Target(path, query(), null), Fields.of(lines), payload);
        }

        /** Escaped here as RFC 3986 has it, and once in a while more than that. */
        private @Nullable String query() {
            List<String> parts = new ArrayList<>();
            for (String[] it : parameters) {
                parts.add(UriEncoding.encode(it[0]) + "="
                        + UriEncoding.encode(it[1]).replace("%2F", "/"));
            }
            return parts.isEmpty() ? null : String.join("&", parts);
        }
    }
}

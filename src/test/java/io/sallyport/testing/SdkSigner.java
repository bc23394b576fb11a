package io.sallyport.testing;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.checksums.DefaultChecksumAlgorithm;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4FamilyHttpSigner.AuthLocation;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.AwsSessionCredentialsIdentity;

/** The signer of AWS's own SDK, asked for the same: somebody else's reading of what is to be signed. */
public record SdkSigner(
        String service,
        String region,
        String keyId,
        String secret,
        @Nullable String token,
        Instant at) {

    private AwsCredentialsIdentity identity() {
        return token == null
                ? AwsCredentialsIdentity.create(keyId, secret)
                : AwsSessionCredentialsIdentity.create(keyId, secret, token);
    }

    /**
     * @param usual whether paths are resolved and escaped once more, as all services but S3 do it
     * @param lifetime of a presigned URL; null for a signature in the head
     */
    public SignedRequest sign(SdkHttpRequest request, byte[] content, boolean usual, @Nullable Duration lifetime) {
        return AwsV4HttpSigner.create().sign(asked -> {
            asked.identity(identity())
                    .request(request)
                    .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, service)
                    .putProperty(AwsV4HttpSigner.REGION_NAME, region)
                    .putProperty(AwsV4HttpSigner.DOUBLE_URL_ENCODE, usual)
                    .putProperty(AwsV4HttpSigner.NORMALIZE_PATH, usual)
                    .putProperty(HttpSigner.SIGNING_CLOCK, Clock.fixed(at, ZoneOffset.UTC));
            if (lifetime != null) {
                asked.putProperty(AwsV4HttpSigner.AUTH_LOCATION, AuthLocation.QUERY_STRING)
                        .putProperty(AwsV4HttpSigner.PAYLOAD_SIGNING_ENABLED, false)
                        .putProperty(AwsV4HttpSigner.EXPIRATION_DURATION, lifetime);
            } else {
                asked.payload(() -> new ByteArrayInputStream(content));
            }
        });
    }

    /** An upload in chunks of 128 KiB, each with its signature. @param trailer whether a checksum follows the last one */
    public SignedRequest upload(String url, byte[] content, boolean trailer) {
        SdkHttpRequest request = SdkHttpRequest.builder()
                .method(SdkHttpMethod.PUT)
                .uri(URI.create(url))
                .putHeader("Content-Length", Integer.toString(content.length))
                .build();
        return AwsV4HttpSigner.create().sign(asked -> {
            asked.identity(identity())
                    .request(request)
                    .payload(() -> new ByteArrayInputStream(content))
                    .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, service)
                    .putProperty(AwsV4HttpSigner.REGION_NAME, region)
                    .putProperty(AwsV4HttpSigner.DOUBLE_URL_ENCODE, false)
                    .putProperty(AwsV4HttpSigner.NORMALIZE_PATH, false)
                    .putProperty(AwsV4HttpSigner.CHUNK_ENCODING_ENABLED, true)
                    .putProperty(AwsV4HttpSigner.PAYLOAD_SIGNING_ENABLED, true)
                    .putProperty(HttpSigner.SIGNING_CLOCK, Clock.fixed(at, ZoneOffset.UTC));
            if (trailer) {
                asked.putProperty(AwsV4HttpSigner.CHECKSUM_ALGORITHM, DefaultChecksumAlgorithm.CRC32);
            }
        });
    }

    public static Map<String, List<String>> headers(SignedRequest signed) {
        return signed.request().headers();
    }

    public static byte[] content(SignedRequest signed) {
        try (var stream = signed.payload().orElseThrow().newStream()) {
            return stream.readAllBytes();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}

package io.sallyport.credential.injection;

import io.sallyport.credential.aws.AccessKey;
import io.sallyport.credential.aws.Algorithm;
import io.sallyport.credential.aws.PathStyle;
import io.sallyport.credential.aws.Signer;
import io.sallyport.credential.source.Material;
import io.sallyport.credential.source.SecretValue;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * AWS Signature Version 4 or 4a: the request as it leaves is signed, and the secret itself never does. Service and regions are the
 * document's, whatever the agent has signed for.
 *
 * @param regions one; for version 4a a list joined by commas
 * @param accessKeyId where the source gives only the secret; null where it gives {@code access-key-id} too
 * @param agentKey the placeholder key that the agent signs the chunks of an upload with; null where it may not sign any
 * @param bucketOwner twelve digits: S3 refuses a bucket of any other account; null for no such check
 * @param presigned how long a URL that the agent has presigned may be good for; null where it may not presign any
 */
record AwsSignature(
        Algorithm algorithm,
        String service,
        String regions,
        @Nullable String accessKeyId,
        AwsSignature.@Nullable PlaceholderKey agentKey,
        @Nullable String bucketOwner,
        @Nullable Duration presigned)
        implements Injection {

    static final String KEY_ID = "access-key-id";
    static final String KEY = "secret-access-key";
    static final String TOKEN = "session-token";

    static final String BUCKET_OWNER = "x-amz-expected-bucket-owner";
    static final String COPIED_OWNER = "x-amz-source-expected-bucket-owner";

    /** S3 and what speaks like it: a key is any text, and content may be signed otherwise than by its hash. */
    static final Set<String> OBJECT_STORES = Set.of("s3", "s3-outposts", "s3-object-lambda");

    /** Everything that carries a signature, or says how it is made: fields in lower case and parameters of a query alike. */
    private static final List<String> SIGNING = List.of(
            "authorization",
            "x-amz-algorithm",
            "x-amz-credential",
            "x-amz-date",
            "x-amz-expires",
            "x-amz-region-set",
            "x-amz-s3session-token",
            "x-amz-security-token",
            "x-amz-signedheaders");

    /** It makes a URL a presigned one. A slot only where such are signed anew: elsewhere a signed URL is refused. */
    static final String SIGNATURE = "x-amz-signature";

    /** A key that is no secret: whoever holds it can sign nothing that a destination would take. */
    record PlaceholderKey(String id, String secret) {}

    boolean objectStore() {
        return OBJECT_STORES.contains(service);
    }

    @Override
    public Set<String> slots() {
        Set<String> slots = new TreeSet<>(SIGNING);
        if (presigned != null) {
            slots.add(SIGNATURE);
        }
        if (bucketOwner != null) {
            slots.add(BUCKET_OWNER);
            slots.add(COPIED_OWNER);
        }
        return slots;
    }

    @Override
    public boolean signs() {
        return true;
    }

    private List<String> parts(Material material) {
        List<String> parts = new ArrayList<>();
        if (accessKeyId == null) {
            parts.add(KEY_ID);
            parts.add(KEY);
        } else {
            parts.add(Material.SECRET);
        }
        if (material.part(TOKEN).isPresent()) {
            parts.add(TOKEN);
        }
        return parts;
    }

    @Override
    public Optional<String> problem(Material material) {
        return SecretFitness.problem(material, parts(material));
    }

    @Override
    public Injector injector(Material material, Function<String, Needle> needles) {
        AccessKey key = accessKeyId == null
                ? new AccessKey(text(material, KEY_ID), bytes(material, KEY), token(material))
                : new AccessKey(accessKeyId, bytes(material, Material.SECRET), token(material));
        return new Ready(this, key);
    }

    /** The key is never sent; it is sought all the same, since an upstream of this account may well know it. */
    @Override
    public List<Shown> shown(Material material) {
        return InjectionForms.shown(material, parts(material));
    }

    Signer signer() {
        return new Signer(
                algorithm, service, regions, objectStore() ? PathStyle.OPAQUE : PathStyle.USUAL, AwsSignature::signed);
    }

    /** What means something to AWS. Nothing that somebody on the way may change or drop: a trace id, Expect, User-Agent, a coding. */
    private static boolean signed(String field) {
        return field.startsWith("x-amz-") || field.equals("content-type") || field.equals("content-md5");
    }

    private static byte[] bytes(Material material, String part) {
        return material.part(part).orElseThrow().bytes();
    }

    private static String text(Material material, String part) {
        return new String(bytes(material, part), java.nio.charset.StandardCharsets.US_ASCII);
    }

    private static byte @Nullable [] token(Material material) {
        return material.part(TOKEN).map(SecretValue::bytes).orElse(null);
    }

    private record Ready(AwsSignature document, AccessKey key) implements Injector {

        @Override
        public Placement placement(Clock clock) {
            return new AwsPlacement(document, key, clock);
        }

        @Override
        public void close() {
            key.close();
        }
    }
}

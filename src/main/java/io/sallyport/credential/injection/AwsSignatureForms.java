package io.sallyport.credential.injection;

import io.sallyport.credential.aws.Algorithm;
import io.sallyport.document.Form;
import io.sallyport.document.Forms;
import io.sallyport.document.Keys;
import io.sallyport.document.Reading;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The kinds {@code sigv4} and {@code sigv4a} of a credential document's {@code inject} part. */
final class AwsSignatureForms {

    private static final Duration LONGEST = Duration.ofDays(7);

    private static final Form<String> SERVICE =
            text("[a-z0-9-]{1,64}", "a service's signing name", "lower-case letters, digits and hyphens, as in s3");
    private static final Form<String> REGION =
            text("[a-z0-9-]{1,64}", "a region", "lower-case letters, digits and hyphens, as in eu-central-1");
    private static final Form<String> REGIONS =
            text("[a-z0-9-]{0,63}\\*?", "a region or a pattern of regions", "as in eu-central-1, eu-*, *");
    private static final Form<String> ACCOUNT = text("\\d{12}", "an account's number", "twelve digits in quotes");
    private static final Form<String> KEY_ID =
            text("[A-Za-z0-9_]{8,128}", "an access key's id", "letters, digits and _ (8 to 128)");
    private static final Form<String> PLACEHOLDER_SECRET =
            text("[!-~]{1,128}", "a placeholder's secret", "printable ASCII without a space (at most 128)");

    private static final Form<Duration> LIFETIME =
            Forms.DURATION.then(time -> time.compareTo(LONGEST) <= 0 && time.compareTo(Duration.ofSeconds(1)) >= 0
                    ? Reading.of(time)
                    : Reading.unreadable("the life of a presigned URL is out of bounds; allowed: 1s to 7d"));

    private AwsSignatureForms() {}

    static Optional<Injection> read(Keys keys, Algorithm algorithm) {
        Optional<String> service = keys.required("service", SERVICE);
        Optional<String> regions = switch (algorithm) {
            case HMAC -> keys.required("region", REGION);
            case ECDSA ->
                Optional.of(keys.list("region-set", REGIONS))
                        .filter(all -> !all.isEmpty())
                        .map(all -> String.join(",", all));
        };
        Optional<String> accessKeyId = keys.optional(AwsSignature.KEY_ID, KEY_ID);
        Optional<AwsSignature.PlaceholderKey> placeholder =
                keys.optionalChild("placeholder").flatMap(AwsSignatureForms::placeholder);
        Optional<String> owner = keys.optional("bucket-owner", ACCOUNT);
        if (keys.has("bucket-owner")
                && service.filter(it -> !AwsSignature.OBJECT_STORES.contains(it))
                        .isPresent()) {
            keys.problem(
                    "bucket-owner",
                    "is of buckets; allowed: with the service "
                            + String.join(", ", List.copyOf(new java.util.TreeSet<>(AwsSignature.OBJECT_STORES))));
        }
        Optional<Duration> presigned = keys.optional("presigned", LIFETIME);
        if (keys.has("presigned") && !keys.has("placeholder")) {
            keys.problem("presigned", "needs placeholder: only URLs that were presigned with that key are signed anew");
        }
        return service.flatMap(name -> regions.map(region -> new AwsSignature(
                algorithm,
                name,
                region,
                accessKeyId.orElse(null),
                placeholder.orElse(null),
                owner.orElse(null),
                presigned.orElse(null))));
    }

    private static Optional<AwsSignature.PlaceholderKey> placeholder(Keys keys) {
        Optional<String> id = keys.required(AwsSignature.KEY_ID, KEY_ID);
        return keys.required(AwsSignature.KEY, PLACEHOLDER_SECRET)
                .flatMap(secret -> id.map(name -> new AwsSignature.PlaceholderKey(name, secret)));
    }

    private static Form<String> text(String pattern, String noun, String allowed) {
        Pattern form = Pattern.compile(pattern);
        return Forms.TEXT.then(text -> form.matcher(text).matches()
                ? Reading.of(text)
                : Reading.unreadable(Forms.quote(text) + " is not " + noun + "; allowed: " + allowed));
    }
}

package io.sallyport.credential.source;

import io.sallyport.document.Form;
import io.sallyport.document.Forms;
import io.sallyport.document.Keys;
import io.sallyport.document.Reading;
import io.sallyport.net.AwsPlace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.secretsmanager.model.GetSecretValueResponse;

/**
 * A secret of AWS Secrets Manager. A rotation moves the stage to another version, which the next reading finds by the version's id; the
 * value before it stays valid as {@code AWSPREVIOUS} until the rotation after, so nothing fails in between.
 *
 * @param place of Secrets Manager
 * @param sts where roles are taken on
 * @param secret name or ARN
 * @param stage or
 * @param version one of the two; null for the other
 * @param refresh how long a reading is believed
 */
record AwsSecretsManagerSource(
        AwsPlace place,
        AwsPlace sts,
        AwsAccess access,
        String secret,
        @Nullable String stage,
        @Nullable String version,
        AwsFields fields,
        Duration refresh)
        implements SecretSource {

    static final SourceKind KIND = new SourceKind("aws-secrets-manager", AwsSecretsManagerSource::read);

    private static final String CURRENT = "AWSCURRENT";

    /** A little less than a fetch may take, so that the cause is told in our words. */
    private static final Duration WITHIN = Duration.ofSeconds(9);

    private static final Form<String> SECRET = Forms.TEXT.then(text -> text.matches("[\\w/+=.@:-]{1,2048}")
            ? Reading.of(text)
            : Reading.unreadable(Forms.quote(text)
                    + " is not a secret; allowed: its name (letters, digits and / _ + = . @ -) or its ARN"));

    private static final Form<String> VERSION = Forms.TEXT.then(text -> text.matches("[A-Za-z0-9-]{32,64}")
            ? Reading.of(text)
            : Reading.unreadable(
                    Forms.quote(text) + " is not a version's id; allowed: 32 to 64 letters, digits and -"));

    private static Optional<AwsSecretsManagerSource> read(Keys keys) {
        Optional<AwsPlace> place = AwsKeys.place(keys);
        Optional<AwsPlace> sts = place.map(it -> AwsKeys.sts(keys, it));
        Optional<AwsAccess> access = AwsAccess.read(keys, false);
        Optional<String> secret = keys.required("secret", SECRET);
        Optional<String> version = keys.optional("version", VERSION);
        Optional<String> stage = keys.optional("stage", Forms.oneOf(CURRENT, "AWSPENDING", "AWSPREVIOUS"));
        if (keys.has("version") && keys.has("stage")) {
            keys.problem("version", "stands beside stage; allowed: one of them, or none for AWSCURRENT");
        }
        Optional<AwsFields> fields = AwsFields.read(keys);
        Duration refresh = AwsKeys.refresh(keys);
        if (Stream.of(place, sts, access, secret, fields).anyMatch(Optional::isEmpty)) {
            return Optional.empty();
        }
        return Optional.of(new AwsSecretsManagerSource(
                place.get(),
                sts.get(),
                access.get(),
                secret.get(),
                version.isPresent() ? null : stage.orElse(CURRENT),
                version.orElse(null),
                fields.get(),
                refresh));
    }

    @Override
    public String kind() {
        return "aws-secrets-manager";
    }

    @Override
    public Fetched fetch(Fetch fetch) throws SourceFault, InterruptedException {
        AwsCaller caller = new AwsCaller(fetch.tools(), WITHIN);
        AwsSelf self = access.self(caller, sts, fetch);
        GetSecretValueResponse answer = caller.call(
                AwsService.SECRETS,
                place,
                self.provider(),
                client -> client.getSecretValue(
                        request -> request.secretId(secret).versionStage(stage).versionId(version)));
        if (answer.versionId() == null) {
            throw SourceFault.bad("AWS Secrets Manager answered without a version");
        }
        Stamp stamp = new Stamp(answer.arn(), answer.versionId());
        return stamp.equals(fetch.known())
                ? new Fetched.Unchanged(refresh)
                : Fetched.given(material(answer), stamp, refresh);
    }

    /** A version's id tells one value from the next; the ARN, a secret from one that was made anew under its name. */
    private record Stamp(@Nullable String arn, String version) {}

    private Material material(GetSecretValueResponse answer) throws SourceFault {
        if (answer.secretString() != null) {
            return fields.material(answer.secretString());
        }
        if (answer.secretBinary() == null) {
            throw SourceFault.bad("AWS Secrets Manager answered without a value");
        }
        if (!fields.fields().isEmpty()) {
            throw SourceFault.bad("is binary, and the document names a field of its JSON");
        }
        return Material.of(answer.secretBinary().asByteArray());
    }

    @Override
    public List<Path> trusts() {
        Path trust = place.trust();
        return trust == null ? List.of() : List.of(trust);
    }
}

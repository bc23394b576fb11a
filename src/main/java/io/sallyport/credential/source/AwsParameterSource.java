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
import software.amazon.awssdk.services.ssm.model.Parameter;
import software.amazon.awssdk.services.ssm.model.ParameterType;

/**
 * A parameter of the Systems Manager's Parameter Store.
 *
 * @param place of the Systems Manager
 * @param sts where roles are taken on
 * @param parameter name or ARN
 * @param selector a version's number or a label; null for the newest
 * @param decryption whether it must be a SecureString, and is asked for in the clear; without, it must not be one
 * @param refresh how long a reading is believed
 */
record AwsParameterSource(
        AwsPlace place,
        AwsPlace sts,
        AwsAccess access,
        String parameter,
        @Nullable String selector,
        boolean decryption,
        AwsFields fields,
        Duration refresh)
        implements SecretSource {

    static final SourceKind KIND = new SourceKind("aws-ssm", AwsParameterSource::read);

    private static final Duration WITHIN = Duration.ofSeconds(9);

    private static final Form<String> PARAMETER = Forms.TEXT.then(
            text -> text.matches("[\\w./-]{1,1011}|arn:aws[a-z-]*:ssm:[a-z0-9-]+:\\d{12}:parameter/[\\w./-]{1,1011}")
                    ? Reading.of(text)
                    : Reading.unreadable(
                            Forms.quote(text)
                                    + " is not a parameter; allowed: its name (letters, digits and . _ - /) or its ARN; version and label have keys of their own"));

    private static final Form<String> LABEL = Forms.TEXT.then(text -> text.matches("[A-Za-z_.-][\\w.-]{0,99}")
            ? Reading.of(text)
            : Reading.unreadable(Forms.quote(text)
                    + " is not a label; allowed: up to 100 letters, digits and . _ -, and no digit first"));

    private static Optional<AwsParameterSource> read(Keys keys) {
        Optional<AwsPlace> place = AwsKeys.place(keys);
        Optional<AwsPlace> sts = place.map(it -> AwsKeys.sts(keys, it));
        Optional<AwsAccess> access = AwsAccess.read(keys, false);
        Optional<String> parameter = keys.required("parameter", PARAMETER);
        Optional<String> version =
                keys.optional("version", Forms.count(1, Long.MAX_VALUE)).map(String::valueOf);
        Optional<String> label = keys.optional("label", LABEL);
        if (keys.has("version") && keys.has("label")) {
            keys.problem("label", "stands beside version; allowed: one of them, or none for the newest");
        }
        boolean decryption = keys.optional("decryption", Forms.FLAG).orElse(true);
        Optional<AwsFields> fields = AwsFields.read(keys);
        Duration refresh = AwsKeys.refresh(keys);
        if (Stream.of(place, sts, access, parameter, fields).anyMatch(Optional::isEmpty)) {
            return Optional.empty();
        }
        return Optional.of(new AwsParameterSource(
                place.get(),
                sts.get(),
                access.get(),
                parameter.get(),
                version.or(() -> label).orElse(null),
                decryption,
                fields.get(),
                refresh));
    }

    @Override
    public String kind() {
        return "aws-ssm";
    }

    @Override
    public Fetched fetch(Fetch fetch) throws SourceFault, InterruptedException {
        AwsCaller caller = new AwsCaller(fetch.tools(), WITHIN);
        AwsSelf self = access.self(caller, sts, fetch);
        String name = selector == null ? parameter : parameter + ":" + selector;
        Parameter found = caller.call(
                AwsService.PARAMETERS,
                place,
                self.provider(),
                client -> client.getParameter(request -> request.name(name).withDecryption(decryption))
                        .parameter());
        if (found == null || found.value() == null || found.version() == null) {
            throw SourceFault.bad("AWS Systems Manager answered without a value");
        }
        if (decryption != (found.type() == ParameterType.SECURE_STRING)) {
            throw SourceFault.bad(
                    decryption
                            ? "is no SecureString: it lies there in the clear; write it anew as one, or say decryption: false"
                            : "is a SecureString, and the document says decryption: false");
        }
        Stamp stamp = new Stamp(found.arn(), found.version(), found.lastModifiedDate());
        return stamp.equals(fetch.known())
                ? new Fetched.Unchanged(refresh)
                : Fetched.given(fields.material(found.value()), stamp, refresh);
    }

    /** A parameter that is deleted and made anew begins with version 1 again, at another time. */
    private record Stamp(
            @Nullable String arn, long version, @Nullable Object modified) {}

    @Override
    public List<Path> trusts() {
        Path trust = place.trust();
        return trust == null ? List.of() : List.of(trust);
    }
}

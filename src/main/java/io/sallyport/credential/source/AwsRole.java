package io.sallyport.credential.source;

import io.sallyport.document.Form;
import io.sallyport.document.Forms;
import io.sallyport.document.Keys;
import io.sallyport.document.Reading;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A role that the broker may take on.
 *
 * @param externalId what the role's owner wants to hear from us and from nobody else; not a secret, as AWS has it. Null for none
 */
record AwsRole(String arn, @Nullable String externalId) {

    private static final Form<String> ARN =
            Forms.TEXT.then(text -> text.matches("arn:aws[a-z-]*:iam::\\d{12}:role/[\\w+=,.@/-]{1,576}")
                    ? Reading.of(text)
                    : Reading.unreadable(Forms.quote(text)
                            + " is not a role; allowed: its ARN, as in arn:aws:iam::111122223333:role/name"));

    private static final Form<String> EXTERNAL_ID = Forms.TEXT.then(text -> text.matches("[\\w+=,.@:/-]{2,1224}")
            ? Reading.of(text)
            : Reading.unreadable(Forms.quote(text)
                    + " is not an external id; allowed: 2 to 1224 letters, digits and _ + = , . @ : / -"));

    /** The keys {@code role} and {@code external-id}; empty where a problem has been noted. */
    static Optional<AwsRole> read(Keys keys) {
        Optional<String> arn = keys.required("role", ARN);
        Optional<String> externalId = keys.optional("external-id", EXTERNAL_ID);
        return arn.map(it -> new AwsRole(it, externalId.orElse(null)));
    }
}

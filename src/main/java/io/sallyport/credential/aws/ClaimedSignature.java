package io.sallyport.credential.aws;

import io.sallyport.http.Parsed;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What an {@code Authorization} field of an agent says of its own signature. It is believed in one thing alone: that the chunks which
 * follow go on from it.
 *
 * @param seed the signature of the head, in hex
 */
public record ClaimedSignature(Algorithm algorithm, String keyId, CredentialScope scope, String seed) {

    private static final Pattern TIMESTAMP = Pattern.compile("\\d{8}T\\d{6}Z");
    private static final Pattern FIELD = Pattern.compile("(AWS4-HMAC-SHA256|AWS4-ECDSA-P256-SHA256) +"
            + "Credential=([^/, ]{1,128})/(\\d{8})/(?:([^/, ]{1,64})/)?([^/, ]{1,64})/aws4_request *, *"
            + "SignedHeaders=[^, ]{1,4096} *, *Signature=([0-9a-f]{1,144})");

    /** @param date the field {@code X-Amz-Date} */
    public static Parsed<ClaimedSignature> parse(String authorization, String date) {
        Matcher field = FIELD.matcher(authorization.strip());
        if (!field.matches() || !TIMESTAMP.matcher(date).matches() || !date.startsWith(field.group(3))) {
            return Parsed.malformed(
                    "the request has no Authorization and X-Amz-Date as AWS signs with, from which its chunks would go on");
        }
        Algorithm algorithm = field.group(1).equals(Algorithm.HMAC.label()) ? Algorithm.HMAC : Algorithm.ECDSA;
        if ((algorithm == Algorithm.HMAC) != (field.group(4) != null)) {
            return Parsed.malformed("the Authorization has a credential scope that is not of its algorithm");
        }
        String region = field.group(4) == null ? "*" : field.group(4);
        return Parsed.valid(new ClaimedSignature(
                algorithm, field.group(2), new CredentialScope(date, region, field.group(5)), field.group(6)));
    }

    /** Verifies what follows, with the key that the agent was given. */
    public ChunkChain chunks(AccessKey given) {
        return new ChunkChain(SigningKey.derive(algorithm, given, scope), scope, seed);
    }
}

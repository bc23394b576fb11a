package io.sallyport.credential.aws;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/**
 * What a signature is good for: a day, a service, and (in version 4) one region.
 *
 * @param timestamp {@code yyyyMMdd'T'HHmmss'Z'}
 * @param regions one region, or for version 4a a list as {@code X-Amz-Region-Set} has it
 */
record CredentialScope(String timestamp, String regions, String service) {

    private static final DateTimeFormatter TIMESTAMP =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    static CredentialScope at(Instant now, String regions, String service) {
        return new CredentialScope(TIMESTAMP.format(now), regions, service);
    }

    String date() {
        return timestamp.substring(0, 8);
    }

    /** As it stands after the access key's id, and in each string to sign. */
    String text(Algorithm algorithm) {
        return switch (algorithm) {
            case HMAC -> date() + "/" + regions + "/" + service + "/aws4_request";
            case ECDSA -> date() + "/" + service + "/aws4_request";
        };
    }
}

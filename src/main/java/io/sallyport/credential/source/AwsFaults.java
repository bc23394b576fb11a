package io.sallyport.credential.source;

import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.exception.SdkServiceException;

/**
 * What an answer of AWS that is none means, by its documented codes. Of its message nothing is repeated, for it may quote what was asked;
 * a number of percent is taken from one.
 */
final class AwsFaults {

    private static final Set<String> THROTTLED = Set.of(
            "Throttling",
            "ThrottlingException",
            "ThrottledException",
            "RequestThrottled",
            "RequestThrottledException",
            "TooManyRequestsException",
            "RequestLimitExceeded",
            "ProvisionedThroughputExceededException",
            "SlowDown");

    /** AWS speaks of five minutes; a little less, for the answer took its time. */
    private static final Duration SKEW = Duration.ofMinutes(4);

    private static final Pattern PERCENT = Pattern.compile("(\\d{2,5})\\s?%");

    private AwsFaults() {}

    /** Whether the same question may well be answered a moment later. */
    static boolean passes(SdkException thrown) {
        return thrown instanceof SdkServiceException refusal
                && (refusal.statusCode() >= 500
                        || refusal.statusCode() == 429
                        || THROTTLED.contains(code(thrown))
                        || code(thrown).equals("IDPCommunicationError"));
    }

    /**
     * @param service as causes name it
     * @param now the broker's time, for what AWS says of clocks
     */
    static SourceFault of(SdkException thrown, String service, Instant now) {
        if (!(thrown instanceof SdkServiceException refusal)) {
            return unreachable(thrown, service);
        }
        return switch (code(thrown)) {
            case "AccessDenied", "AccessDeniedException" ->
                SourceFault.denied(
                        service + " denies it: see the broker's policies, the trust policy of the role, and the key's");
            case "InvalidClientTokenId",
                    "UnrecognizedClientException",
                    "InvalidAccessKeyId",
                    "MissingAuthenticationToken",
                    "MissingAuthenticationTokenException" ->
                SourceFault.denied(service + " does not know the broker's access key");
            case "SignatureDoesNotMatch",
                    "InvalidSignatureException",
                    "IncompleteSignature",
                    "IncompleteSignatureException",
                    "RequestExpired",
                    "RequestTimeTooSkewed" -> unsigned(thrown, service, now);
            case "ExpiredToken", "ExpiredTokenException" ->
                SourceFault.denied(
                        service + " says that the broker's own token has expired; another must be put there");
            case "InvalidIdentityToken",
                    "InvalidIdentityTokenException",
                    "IDPRejectedClaim",
                    "IDPRejectedClaimException" ->
                SourceFault.denied(service + " does not accept the broker's web identity token: its issuer must be an"
                        + " identity provider of the account, and its audience and subject ones that the role trusts");
            case "RegionDisabledException" ->
                SourceFault.denied(
                        service + " is not active in this region for the account; activate it, or name another");
            case "PackedPolicyTooLarge", "PackedPolicyTooLargeException" ->
                SourceFault.bad("the session policy and tags together are too large in AWS's packed form"
                        + percent(thrown) + "; say less, or put the rest into the role's own policy");
            case "MalformedPolicyDocument", "MalformedPolicyDocumentException" ->
                SourceFault.bad(service + " can't read the session policy; see policy, actions and resources");
            case "ResourceNotFoundException", "ParameterNotFound" ->
                SourceFault.missing(service + " has no such secret, version or stage in this region and account");
            case "ParameterVersionNotFound" ->
                SourceFault.missing(service + " has no such version or label of the parameter");
            case "InvalidRequestException" ->
                SourceFault.missing(
                        service + " can't give the secret in its present state, as when it is to be deleted");
            case "DecryptionFailure", "InvalidKeyId", "KMSAccessDeniedException" ->
                SourceFault.denied(service + " can't decrypt it: the broker needs kms:Decrypt with the key, and the key"
                        + " must be enabled");
            case "ValidationError", "ValidationException", "InvalidParameterException", "InvalidParameterValue" ->
                SourceFault.bad(service + " finds the request invalid; a role may have a shorter maximum duration than"
                        + " the document, or a name may be none");
            default -> other(refusal, service);
        };
    }

    private static SourceFault other(SdkServiceException refusal, String service) {
        if (passes(refusal)) {
            return SourceFault.down(
                    THROTTLED.contains(code(refusal)) || refusal.statusCode() == 429
                            ? service + " asks for fewer requests"
                            : service + " failed (" + refusal.statusCode() + ")");
        }
        return refusal.statusCode() >= 300 && refusal.statusCode() < 400
                ? SourceFault.down(
                        service + " answered with a redirect (" + refusal.statusCode() + "), which is not followed")
                : SourceFault.bad(
                        service + " refuses it (" + refusal.statusCode() + ") for a reason that is not known here");
    }

    /** A clock that is wrong looks like a wrong key: both make a signature that does not match. */
    private static SourceFault unsigned(SdkException thrown, String service, Instant now) {
        Duration skew = theirs(thrown).map(date -> Duration.between(date, now)).orElse(Duration.ZERO);
        return skew.abs().compareTo(SKEW) < 0
                ? SourceFault.denied(service + " says that the signature does not match: the secret of the broker's key"
                        + " is another one")
                : SourceFault.down("the broker's clock is " + skew.abs().toMinutes() + " minutes "
                        + (skew.isNegative() ? "behind" : "ahead of") + " AWS's; signatures need it right");
    }

    private static Optional<Instant> theirs(SdkException thrown) {
        AwsErrorDetails details = details(thrown);
        if (details == null || details.sdkHttpResponse() == null) {
            return Optional.empty();
        }
        return details.sdkHttpResponse().firstMatchingHeader("Date").flatMap(date -> {
            try {
                return Optional.of(ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME)
                        .toInstant());
            } catch (DateTimeException notOne) {
                return Optional.empty();
            }
        });
    }

    private static String percent(SdkException thrown) {
        AwsErrorDetails details = details(thrown);
        if (details == null || details.errorMessage() == null) {
            return "";
        }
        Matcher matcher = PERCENT.matcher(details.errorMessage());
        return matcher.find() ? " (" + matcher.group(1) + "% of what is allowed)" : "";
    }

    /** The guard's own words are ours; of anything else only the type is told. */
    private static SourceFault unreachable(SdkException thrown, String service) {
        for (Throwable at = thrown; at != null; at = at.getCause()) {
            switch (at) {
                case SSLException tls -> {
                    return SourceFault.down(service
                            + "'s certificate is not one that trust (or the system) vouches for,"
                            + " or TLS failed otherwise (" + tls.getClass().getSimpleName() + ")");
                }
                case IOException io -> {
                    String said = io.getClass() == IOException.class
                            ? String.valueOf(io.getMessage())
                            : io.getClass().getSimpleName();
                    return SourceFault.down(service + " can't be reached: " + said);
                }
                default -> {}
            }
        }
        return SourceFault.bad(
                service + "'s answer can't be read (" + thrown.getClass().getSimpleName() + ")");
    }

    /** Empty where there is none. */
    private static String code(SdkException thrown) {
        AwsErrorDetails details = details(thrown);
        return details == null || details.errorCode() == null ? "" : details.errorCode();
    }

    private static @Nullable AwsErrorDetails details(SdkException thrown) {
        return thrown instanceof AwsServiceException refusal ? refusal.awsErrorDetails() : null;
    }
}

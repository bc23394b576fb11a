package io.sallyport.exchange;

import com.nimbusds.oauth2.sdk.ErrorObject;
import com.nimbusds.oauth2.sdk.OAuth2Error;
import io.sallyport.identity.Principal;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A no, in two versions: what the caller is told, and what the ledger is.
 *
 * @param error of the RFC, with its status; its description never tells an inner cause
 * @param cause the inner one, for the ledger and the log; no token, no text of the caller's own
 * @param headers that the answer carries beside the usual
 * @param workload who asked, where that is proven
 */
record Refusal(
        ErrorObject error,
        String cause,
        Map<String, String> headers,
        @Nullable Principal workload,
        @Nullable String policy) {

    /** One body for every way in which a token can be bad: which of them it was would teach whoever tries. */
    private static final ErrorObject BAD_TOKEN = described(
            OAuth2Error.INVALID_REQUEST, "A token of the request does not do. The broker's ledger has the cause.");

    static Refusal badToken(String cause) {
        return new Refusal(BAD_TOKEN, cause, Map.of(), null, null);
    }

    static Refusal invalidRequest(String description) {
        return of(OAuth2Error.INVALID_REQUEST, description);
    }

    static Refusal invalidScope(String description) {
        return of(OAuth2Error.INVALID_SCOPE, description);
    }

    /** One body for a target that is unknown and for one that is not open to this request. */
    static Refusal invalidTarget(String cause) {
        return new Refusal(
                described(
                        OAuth2Error.INVALID_TARGET,
                        "A resource or audience is no destination of the requested scopes. It is an origin, as in https://api.example.com."),
                cause,
                Map.of(),
                null,
                null);
    }

    static Refusal invalidDetails(String description) {
        return of(OAuth2Error.INVALID_AUTHORIZATION_DETAILS, description);
    }

    static Refusal unauthorizedClient(String description, String cause) {
        return new Refusal(described(OAuth2Error.UNAUTHORIZED_CLIENT, description), cause, Map.of(), null, null);
    }

    /** RFC 6749 section 5.2: a client that tried HTTP Basic is answered with a challenge. */
    static Refusal invalidClient(String cause, boolean basicTried) {
        return new Refusal(
                described(
                        OAuth2Error.INVALID_CLIENT,
                        "A client is its workload, proven by a workload token. There are no client secrets."),
                cause,
                basicTried ? Map.of("WWW-Authenticate", "Basic realm=\"sallyport\"") : Map.of(),
                null,
                null);
    }

    /** Ours or the issuer's trouble, not the caller's: to be tried again. */
    static Refusal unavailable(String cause) {
        return new Refusal(
                described(OAuth2Error.TEMPORARILY_UNAVAILABLE.setHTTPStatusCode(503), "Try again in a moment."),
                cause,
                Map.of("Retry-After", "5"),
                null,
                null);
    }

    static Refusal of(ErrorObject error, String description) {
        return new Refusal(described(error, description), description, Map.of(), null, null);
    }

    private static ErrorObject described(ErrorObject error, String description) {
        // RFC 6749 section 5.2 leaves out quotes, backslashes and what is not ASCII.
        return error.setDescription(ErrorObject.removeIllegalChars(description));
    }

    Refusal with(String header, String value) {
        return new Refusal(error, cause, Map.of(header, value), workload, policy);
    }

    Refusal by(Principal asking) {
        return new Refusal(error, cause, headers, asking, policy);
    }

    Refusal under(String asked) {
        return new Refusal(error, cause, headers, workload, asked);
    }
}

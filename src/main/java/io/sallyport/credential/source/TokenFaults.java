package io.sallyport.credential.source;

import io.sallyport.net.GuardedExchange;
import java.net.URI;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a token endpoint's refusals mean (RFC 6749 section 5.2, RFC 8707 section 2). Its own words are never repeated: they may quote the
 * request. Only the codes of the standards are, and only from here.
 */
final class TokenFaults {

    private static final JsonMapper JSON = new JsonMapper();

    private static final String INVALID_GRANT = "invalid_grant";

    private static final Map<String, String> DENIED = Map.of(
            "invalid_client",
            "its token endpoint does not take this client (invalid_client)",
            "unauthorized_client",
            "its token endpoint does not allow this client this grant (unauthorized_client)",
            "access_denied",
            "its token endpoint gives this client nothing (access_denied)",
            INVALID_GRANT,
            "its token endpoint does not take what was granted (invalid_grant)",
            "invalid_scope",
            "its token endpoint does not give these scopes (invalid_scope)",
            "invalid_target",
            "its token endpoint does not give tokens for this resource or audience (invalid_target)");

    private static final Map<String, String> BAD = Map.of(
            "invalid_request", "its token endpoint does not understand the request (invalid_request)",
            "unsupported_grant_type", "its token endpoint has no such grant (unsupported_grant_type)");

    /** Of GitHub's. */
    private static final Map<String, String> OTHER_NAMES =
            Map.of("bad_refresh_token", INVALID_GRANT, "incorrect_client_credentials", "invalid_client");

    private TokenFaults() {}

    /** @throws SourceFault of kind DOWN while the issuer has asked to be left alone */
    static void calm(Fetch fetch, URI endpoint) throws SourceFault {
        if (fetch.tools().pauses().asked(fetch.credential(), endpoint)) {
            throw SourceFault.down("its token endpoint has asked to wait");
        }
    }

    /** @param answer that {@link #isError} */
    static SourceFault of(Fetch fetch, URI endpoint, GuardedExchange.Answer answer) {
        int status = answer.status();
        if (status == 429 || status == 503) {
            fetch.tools().pauses().ask(fetch.credential(), endpoint, answer.fields());
            return SourceFault.down("its token endpoint has asked to wait (" + status + ")");
        }
        if (status >= 500) {
            return SourceFault.down("its token endpoint failed (" + status + ")");
        }
        String code = code(answer.content());
        String denied = DENIED.get(code);
        if (denied != null) {
            return SourceFault.denied(denied);
        }
        String bad = BAD.get(code);
        if (bad != null) {
            return SourceFault.bad(bad);
        }
        return status == 401 || status == 403
                ? SourceFault.denied("its token endpoint does not take this client (" + status + ")")
                : SourceFault.bad("its token endpoint gave an answer that is no token (" + status + ")");
    }

    /** Whether what was granted is gone for good: asking again with it changes nothing. */
    static boolean gone(SourceFault fault) {
        return fault.cause().equals(DENIED.get(INVALID_GRANT));
    }

    static SourceFault notRevoked(int status) {
        String cause = "its revocation endpoint did not take a token back (" + status + ")";
        return status == 429 || status >= 500 ? SourceFault.down(cause) : SourceFault.denied(cause);
    }

    /** Whether it is an error whatever its status says: GitHub's endpoint answers 200 to a token that it does not take. */
    static boolean isError(GuardedExchange.Answer answer) {
        return answer.status() != 200 || !code(answer.content()).isEmpty();
    }

    private static String code(byte[] content) {
        try {
            JsonNode error = JSON.readTree(content).path("error");
            String code = error.isString() ? error.stringValue() : "";
            return OTHER_NAMES.getOrDefault(code, code);
        } catch (JacksonException notJson) {
            return "";
        }
    }
}

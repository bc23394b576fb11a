package io.sallyport.revocation;

import io.sallyport.identity.ClientAssertions;
import io.sallyport.identity.Identities;
import io.sallyport.identity.Principal;
import io.sallyport.store.StoreFault;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** {@code POST /oauth2/revoke} (RFC 7009) at the agent door: a workload gives its own task token back. */
@RestController
class RevokeController {

    private static final Logger LOG = LoggerFactory.getLogger(RevokeController.class);
    private static final String RETRY_AFTER_SECONDS = "1";

    private final TokenRevocation revocation;
    private final IdentitiesInForce identities;

    RevokeController(TokenRevocation revocation, IdentitiesInForce identities) {
        this.revocation = revocation;
        this.identities = identities;
    }

    @PostMapping(path = "/oauth2/revoke", consumes = MediaType.APPLICATION_FORM_URLENCODED_VALUE)
    ResponseEntity<Map<String, String>> revoke(HttpServletRequest request) {
        Optional<String> unfit = unfit(request);
        if (unfit.isPresent()) {
            return refused(HttpStatus.BAD_REQUEST, "invalid_request", unfit.get());
        }
        Identities current = identities.current();
        return switch (ClientAssertions.authenticate(presented(request), current)) {
            case ClientAssertions.Outcome.Client(var workload) -> revoke(request, workload.principal(), current);
            case ClientAssertions.Outcome.Nobody() -> notAuthenticated(false);
            case ClientAssertions.Outcome.TwoMethods() ->
                refused(HttpStatus.BAD_REQUEST, "invalid_request", "more than one way of client authentication");
            case ClientAssertions.Outcome.Refused(String cause, boolean basicTried) -> {
                LOG.info("Client authentication at /oauth2/revoke refused: {}", cause);
                yield notAuthenticated(basicTried);
            }
            case ClientAssertions.Outcome.Unavailable(String cause) -> {
                LOG.warn("Client authentication at /oauth2/revoke not possible: {}", cause);
                yield later("the client can't be authenticated just now");
            }
        };
    }

    /** What stands in a URL stands in logs: nothing there is read, and a token there is a mistake to be told. */
    private static Optional<String> unfit(HttpServletRequest request) {
        if (request.getQueryString() != null) {
            return Optional.of("parameters belong in the form, not in the URL");
        }
        return request.getParameterMap().entrySet().stream()
                .filter(parameter -> parameter.getValue().length > 1)
                .findFirst()
                .map(parameter -> "a parameter is given more than once");
    }

    private static ClientAssertions.Presented presented(HttpServletRequest request) {
        return new ClientAssertions.Presented(
                Optional.ofNullable(request.getHeader(HttpHeaders.AUTHORIZATION)),
                given(request, "client_id"),
                given(request, "client_secret"),
                given(request, "client_assertion_type"),
                given(request, "client_assertion"));
    }

    private static Optional<String> given(HttpServletRequest request, String name) {
        return Optional.ofNullable(request.getParameter(name)).filter(value -> !value.isEmpty());
    }

    private ResponseEntity<Map<String, String>> revoke(
            HttpServletRequest request, Principal client, Identities current) {
        Optional<String> token = given(request, "token");
        if (token.isEmpty()) {
            return refused(HttpStatus.BAD_REQUEST, "invalid_request", "token is missing");
        }
        if (!revocation.knows(token.get()) && current.issued(token.get())) {
            return refused(
                    HttpStatus.BAD_REQUEST,
                    "unsupported_token_type",
                    "only task tokens of this broker can be revoked here");
        }
        try {
            return answer(revocation.revoke(token.get(), client));
        } catch (StoreFault e) {
            LOG.error("A revocation could not be looked up", e);
            return later("the record can't be read just now");
        }
    }

    private static ResponseEntity<Map<String, String>> answer(TokenRevocation.Outcome outcome) {
        return switch (outcome) {
            case ENDED ->
                ResponseEntity.ok().cacheControl(CacheControl.noStore()).build();
            case NOT_DURABLE -> later("the token is cut, but the record of it is not durable yet");
            case ANOTHERS -> refused(HttpStatus.BAD_REQUEST, "invalid_grant", "the token was issued to another client");
        };
    }

    private static ResponseEntity<Map<String, String>> notAuthenticated(boolean basicTried) {
        ResponseEntity.BodyBuilder answer = ResponseEntity.status(HttpStatus.UNAUTHORIZED);
        if (basicTried) {
            answer.header(HttpHeaders.WWW_AUTHENTICATE, "Basic realm=\"sallyport\"");
        }
        return answer.cacheControl(CacheControl.noStore())
                .body(Map.of(
                        "error",
                        "invalid_client",
                        "error_description",
                        "a workload token as client_assertion is required (RFC 7523)"));
    }

    private static ResponseEntity<Map<String, String>> later(String why) {
        return ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE)
                .header(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS)
                .cacheControl(CacheControl.noStore())
                .body(Map.of("error", "temporarily_unavailable", "error_description", why));
    }

    private static ResponseEntity<Map<String, String>> refused(HttpStatus status, String error, String why) {
        return ResponseEntity.status(status)
                .cacheControl(CacheControl.noStore())
                .body(Map.of("error", error, "error_description", why));
    }
}

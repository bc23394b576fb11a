package io.sallyport.exchange;

import io.sallyport.grant.Grant;
import io.sallyport.grant.TaskListener;
import io.sallyport.policy.Binding;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** {@code POST /oauth2/token}: token exchange (RFC 8693 section 2). */
@RestController
class TokenController {

    private final AgentDoor door;
    private final TokenExchange exchange;

    TokenController(AgentDoor door, TokenExchange exchange) {
        this.door = door;
        this.exchange = exchange;
    }

    /** Every method comes here, so that a refusal of any is answered alike. */
    @RequestMapping("/oauth2/token")
    ResponseEntity<Map<String, Object>> token(HttpServletRequest request) throws IOException {
        return door.open(
                request,
                visit -> exchange.exchange(visit.form(), visit.authorization(), visit.source())
                        .then(issued -> Step.passed(members(issued))));
    }

    private static Map<String, Object> members(TokenExchange.Issued issued) {
        Grant grant = issued.grant();
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("access_token", issued.token());
        members.put("issued_token_type", ExchangeRequest.ACCESS_TOKEN);
        members.put("token_type", tokenType(grant));
        members.put(
                "expires_in",
                Duration.between(grant.openedAt(), grant.expiresAt()).toSeconds());
        members.put("scope", Decision.scopeOf(grant));
        members.put("task_id", grant.task());
        if (issued.details()) {
            members.put("authorization_details", TaskDetails.granted(grant, issued.listener()));
        }
        issued.listener().ifPresent(listener -> members.put("listener", where(listener)));
        return members;
    }

    /** RFC 8693 section 2.2.1: {@code N_A} where the token is not for use as an access token, but to be exchanged or revoked. */
    static String tokenType(Grant grant) {
        return grant.binding() == Binding.LISTENER ? "N_A" : "Bearer";
    }

    /** As clients want it told: a proxy's URL, the path of a socket, or where the rule of TPROXY is to lead. */
    static Map<String, Object> where(TaskListener listener) {
        return switch (listener.wanted()) {
            case TaskListener.Port ignored -> Map.of("proxy", "http://" + listener.place());
            case TaskListener.Transparent ignored -> Map.of("transparent", listener.place());
            case TaskListener.Socket ignored -> Map.of("socket", listener.place());
        };
    }
}

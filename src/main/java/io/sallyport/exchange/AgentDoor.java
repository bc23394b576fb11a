package io.sallyport.exchange;

import com.nimbusds.oauth2.sdk.OAuth2Error;
import io.sallyport.store.StoreFault;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;

/** What every endpoint of the door does alike: the form is read strictly, a refusal is noted and answered, a fault refuses. */
final class AgentDoor {

    private static final Logger LOG = LoggerFactory.getLogger(AgentDoor.class);

    private final Refusals refusals;

    AgentDoor(Refusals refusals) {
        this.refusals = refusals;
    }

    /** One request, as the endpoints see it. */
    record Visit(Form form, Optional<String> authorization, InetAddress source) {}

    /** What an endpoint makes of a visit: the members of its JSON answer. */
    @FunctionalInterface
    interface Endpoint {
        Step<Map<String, Object>> answer(Visit visit);
    }

    ResponseEntity<Map<String, Object>> open(HttpServletRequest request, Endpoint endpoint) throws IOException {
        InetAddress source = InetAddress.ofLiteral(request.getRemoteAddr());
        return switch (attempt(request, source, endpoint)) {
            case Step.Passed<Map<String, Object>>(Map<String, Object> members) -> answer(200, Map.of(), members);
            case Step.Refused<Map<String, Object>>(Refusal refusal) -> refuse(refusal, source);
        };
    }

    private static Step<Map<String, Object>> attempt(HttpServletRequest request, InetAddress source, Endpoint endpoint)
            throws IOException {
        try {
            Optional<String> authorization = Optional.ofNullable(request.getHeader(HttpHeaders.AUTHORIZATION));
            return FormReader.read(request).then(form -> endpoint.answer(new Visit(form, authorization, source)));
        } catch (StoreFault fault) {
            LOG.error("an exchange could not be recorded, so it did not happen", fault);
            return Step.refused(Refusal.unavailable("the store can't write"));
        } catch (RuntimeException fault) {
            LOG.error("a fault at the agent door, which refuses", fault);
            return Step.refused(
                    Refusal.of(OAuth2Error.SERVER_ERROR, "A fault inside the broker; its log has the cause."));
        }
    }

    private ResponseEntity<Map<String, Object>> refuse(Refusal refusal, InetAddress source) {
        Duration wait = refusals.record(refusal, source);
        if (wait.isPositive()) {
            return answer(
                    429,
                    Map.of(HttpHeaders.RETRY_AFTER, String.valueOf(wait.toSeconds() + 1)),
                    Map.of(
                            "error",
                            OAuth2Error.TEMPORARILY_UNAVAILABLE_CODE,
                            "error_description",
                            "Refused too often."));
        }
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("error", refusal.error().getCode());
        members.put("error_description", refusal.error().getDescription());
        return answer(refusal.error().getHTTPStatusCode(), refusal.headers(), members);
    }

    private static ResponseEntity<Map<String, Object>> answer(
            int status, Map<String, String> headers, Map<String, Object> members) {
        ResponseEntity.BodyBuilder answer = ResponseEntity.status(status)
                .contentType(MediaType.APPLICATION_JSON)
                .header(HttpHeaders.CACHE_CONTROL, "no-store")
                .header(HttpHeaders.PRAGMA, "no-cache");
        headers.forEach(answer::header);
        return answer.body(members);
    }
}

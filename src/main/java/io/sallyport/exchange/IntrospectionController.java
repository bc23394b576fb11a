package io.sallyport.exchange;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Map;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** {@code POST /oauth2/introspect}: RFC 7662. */
@RestController
class IntrospectionController {

    private final AgentDoor door;
    private final Introspection introspection;

    IntrospectionController(AgentDoor door, Introspection introspection) {
        this.door = door;
        this.introspection = introspection;
    }

    @RequestMapping("/oauth2/introspect")
    ResponseEntity<Map<String, Object>> introspect(HttpServletRequest request) throws IOException {
        return door.open(request, introspection::introspect);
    }
}

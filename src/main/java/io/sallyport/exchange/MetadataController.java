package io.sallyport.exchange;

import io.sallyport.grant.TaskTokens;
import io.sallyport.rules.RuleBooks;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** What the door says of itself: its metadata (RFC 8414) and the keys of its tokens (RFC 7517). Only what is true; the rest is left out. */
@RestController
class MetadataController {

    private static final CacheControl FIVE_MINUTES = CacheControl.maxAge(Duration.ofMinutes(5));
    private static final MediaType JWK_SET = MediaType.parseMediaType("application/jwk-set+json");

    private final RuleBooks rules;
    private final TaskTokens tokens;
    private final ExchangeSettings settings;

    MetadataController(RuleBooks rules, TaskTokens tokens, ExchangeSettings settings) {
        this.rules = rules;
        this.tokens = tokens;
        this.settings = settings;
    }

    @GetMapping("/.well-known/oauth-authorization-server")
    ResponseEntity<Map<String, Object>> metadata() {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("issuer", settings.issuer());
        members.put("token_endpoint", settings.endpoint("/oauth2/token"));
        members.put("introspection_endpoint", settings.endpoint("/oauth2/introspect"));
        members.put("revocation_endpoint", settings.endpoint("/oauth2/revoke"));
        members.put("jwks_uri", settings.endpoint("/oauth2/jwks"));
        members.put("grant_types_supported", List.of(ExchangeRequest.GRANT_TYPE));
        members.put("authorization_details_types_supported", List.of(TaskDetails.TYPE));
        authentication(members, rules.current().identities().algorithms());
        return ResponseEntity.ok()
                .contentType(MediaType.APPLICATION_JSON)
                .cacheControl(FIVE_MINUTES)
                .body(members);
    }

    /** With no identity there is no assertion that could succeed, and then none is listed. */
    private static void authentication(Map<String, Object> members, SortedSet<String> algorithms) {
        if (algorithms.isEmpty()) {
            members.put("token_endpoint_auth_methods_supported", List.of("none"));
            return;
        }
        members.put("token_endpoint_auth_methods_supported", List.of("none", "private_key_jwt"));
        members.put("token_endpoint_auth_signing_alg_values_supported", algorithms);
        for (String endpoint : List.of("introspection", "revocation")) {
            members.put(endpoint + "_endpoint_auth_methods_supported", List.of("private_key_jwt"));
            members.put(endpoint + "_endpoint_auth_signing_alg_values_supported", algorithms);
        }
    }

    @GetMapping("/oauth2/jwks")
    ResponseEntity<String> keys() {
        return ResponseEntity.ok()
                .contentType(JWK_SET)
                .cacheControl(FIVE_MINUTES)
                .body(tokens.jwks());
    }
}

package io.sallyport.exchange;

import static io.sallyport.exchange.AgentDoorFixture.BROKER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.oauth2.sdk.as.AuthorizationServerMetadata;
import io.sallyport.exchange.AgentDoorFixture.Answer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What the door says of itself is true. */
class MetadataTest {

    private final AgentDoorFixture door = new AgentDoorFixture();

    @AfterEach
    void close() {
        door.close();
    }

    @Test
    void the_metadata_names_the_issuer_and_what_there_is() throws Exception {
        Answer answer = door.send(get("/.well-known/oauth-authorization-server"));
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Content-Type")).startsWith("application/json");
        JsonNode json = answer.json();
        assertThat(json.path("issuer").asString()).isEqualTo(BROKER);
        assertThat(json.path("token_endpoint").asString()).isEqualTo(BROKER + "/oauth2/token");
        assertThat(json.path("grant_types_supported").toString()).isEqualTo("[\"" + ExchangeRequest.GRANT_TYPE + "\"]");
        assertThat(json.path("token_endpoint_auth_methods_supported").toString())
                .isEqualTo("[\"none\",\"private_key_jwt\"]");
        assertThat(json.path("token_endpoint_auth_signing_alg_values_supported").toString())
                .isEqualTo("[\"RS256\"]");
        assertThat(json.path("authorization_details_types_supported").toString())
                .isEqualTo("[\"sallyport_task\"]");
        assertThat(AuthorizationServerMetadata.parse(answer.body()).getIssuer().getValue())
                .isEqualTo(BROKER);
    }

    @Test
    void what_is_not_there_is_not_named_and_no_list_is_empty() {
        JsonNode json =
                door.send(get("/.well-known/oauth-authorization-server")).json();
        assertThat(json.propertyNames())
                .doesNotContain(
                        "authorization_endpoint",
                        "registration_endpoint",
                        "dpop_signing_alg_values_supported",
                        "tls_client_certificate_bound_access_tokens",
                        "scopes_supported",
                        "response_types_supported");
        assertThat(json).noneMatch(member -> member.isArray() && member.isEmpty());
    }

    @Test
    void the_published_keys_verify_a_token_and_are_public() throws Exception {
        Answer answer = door.send(get("/oauth2/jwks"));
        assertThat(answer.header("Content-Type")).startsWith("application/jwk-set+json");
        JWKSet keys = JWKSet.parse(answer.body());
        assertThat(keys.getKeys()).noneMatch(JWK::isPrivate);
        SignedJWT token = SignedJWT.parse(door.exchange().send().text("access_token"));
        JWK key = keys.getKeyByKeyId(token.getHeader().getKeyID());
        assertThat(token.verify(new ECDSAVerifier(key.toECKey()))).isTrue();
    }
}

package io.sallyport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class DoorTest {

    private static final Map<String, Door> BEHIND = Map.ofEntries(
            Map.entry("/oauth2/token", Door.AGENT),
            Map.entry("/oauth2/jwks", Door.AGENT),
            Map.entry("/.well-known/oauth-authorization-server", Door.AGENT),
            Map.entry("/ca.pem", Door.AGENT),
            Map.entry("/api/v1/ledger", Door.OPERATOR),
            Map.entry("/api/v1/openapi.json", Door.OPERATOR),
            Map.entry("/console", Door.OPERATOR),
            Map.entry("/console/assets/console.css", Door.OPERATOR),
            Map.entry("/actuator/health", Door.MANAGEMENT),
            Map.entry("/actuator/health/readiness", Door.MANAGEMENT),
            Map.entry("/actuator/prometheus", Door.MANAGEMENT));

    @ParameterizedTest
    @EnumSource(Door.class)
    void a_door_leads_to_what_is_behind_it_and_to_nothing_behind_another(Door door) {
        BEHIND.forEach((path, owner) ->
                assertThat(door.leadsTo(path)).as("%s at %s", path, door).isEqualTo(door == owner));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "//api/v1/ledger",
                "/oauth2//token",
                "/oauth2/../api/v1/ledger",
                "/oauth2/./token",
                "/oauth2/%2e%2e/api/v1/ledger",
                "/oauth2/..%2fapi/v1/ledger",
                "/oauth2/..;/api/v1/ledger",
                "/oauth2/token;x=1",
                "/api;x/v1/ledger",
                "/%61pi/v1/ledger",
                "/api/v1\\ledger",
                "/API/v1/ledger",
                "/api/v1/ledger%00",
                "/console/.hidden",
                "/.well-known/../oauth2/token",
                "/.well-known",
                "/oauth2",
                "/oauth2/",
                "/api/v1",
                "/api/v1/",
                "/consolex",
                "/ca.pem/x",
                "/actuator",
                "/actuator/env",
                "/actuator/heapdump",
                "/actuator/healthy",
                "/error",
                "/favicon.ico",
                "/",
                "*",
                ""
            })
    void an_odd_spelling_leads_nowhere_at_any_door(String path) {
        for (Door door : Door.values()) {
            assertThat(door.leadsTo(path)).as("%s at %s", path, door).isFalse();
        }
    }

    @Test
    void a_long_path_is_judged_without_delay() {
        assertThat(Door.AGENT.leadsTo("/oauth2" + "/a".repeat(4000) + "%")).isFalse();
    }
}

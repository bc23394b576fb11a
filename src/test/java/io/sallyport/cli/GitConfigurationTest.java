package io.sallyport.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class GitConfigurationTest {

    @Test
    void git_speaks_http_1_1_by_variables() {
        assertThat(ClientEnvironment.gitConfiguration(Map.of()))
                .isEqualTo(Map.of(
                        "GIT_CONFIG_COUNT", "1", "GIT_CONFIG_KEY_0", "http.version", "GIT_CONFIG_VALUE_0", "HTTP/1.1"));
    }

    @Test
    void what_the_caller_has_set_stays() {
        Map<String, String> caller =
                Map.of("GIT_CONFIG_COUNT", "1", "GIT_CONFIG_KEY_0", "user.name", "GIT_CONFIG_VALUE_0", "a");

        assertThat(ClientEnvironment.gitConfiguration(caller))
                .isEqualTo(Map.of(
                        "GIT_CONFIG_COUNT", "2", "GIT_CONFIG_KEY_1", "http.version", "GIT_CONFIG_VALUE_1", "HTTP/1.1"));
    }

    @Test
    void a_version_of_the_callers_is_left_to_the_caller() {
        Map<String, String> caller =
                Map.of("GIT_CONFIG_COUNT", "1", "GIT_CONFIG_KEY_0", "HTTP.version", "GIT_CONFIG_VALUE_0", "HTTP/2");

        assertThat(ClientEnvironment.gitConfiguration(caller)).isEmpty();
    }
}

package io.sallyport.credential;

import static io.sallyport.credential.TestCredentials.BEARER;
import static io.sallyport.credential.TestCredentials.compiled;
import static io.sallyport.credential.TestCredentials.keys;
import static io.sallyport.credential.TestCredentials.problems;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.document.Problem;
import io.sallyport.http.Origin;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CredentialCompilerTest {

    private static final Map<String, Object> LOCAL = Map.of("kind", "local");

    @Test
    void a_document_becomes_a_credential_without_a_secret() {
        Credential credential =
                compiled(Map.of("kind", "file", "name", "github/token"), Map.of("kind", "header", "name", "X-Api-Key"));

        assertThat(credential.name()).isEqualTo("acme");
        assertThat(credential.blastRadius()).isEqualTo(BlastRadius.LOW);
        assertThat(credential.slots()).containsExactly("x-api-key");
        assertThat(credential.sourceKind()).isEqualTo("file");
        assertThat(credential.mayGoTo(Origin.parse("https://api.example.com").orElseThrow()))
                .isTrue();
        assertThat(credential.mayGoTo(Origin.parse("http://api.example.com").orElseThrow()))
                .isFalse();
        assertThat(credential.mayGoTo(
                        Origin.parse("https://api.example.com:8443").orElseThrow()))
                .isFalse();
    }

    @Test
    void the_version_changes_with_each_part_that_matters() {
        Map<String, Object> changed = new HashMap<>(keys(LOCAL, BEARER));
        changed.put("destinations", List.of("https://api.example.com", "https://other.example.com"));

        assertThat(List.of(
                        compiled(LOCAL, BEARER),
                        compiled(LOCAL, Map.of("kind", "basic", "user", "bot")),
                        compiled(Map.of("kind", "env", "name", "SALLYPORT_SECRET_A"), BEARER),
                        compiled(changed)))
                .extracting(Credential::version)
                .doesNotHaveDuplicates();
        assertThat(compiled(LOCAL, BEARER).version())
                .isEqualTo(compiled(LOCAL, BEARER).version());
    }

    @ParameterizedTest
    @ValueSource(strings = {"destinations", "source", "inject", "blast-radius"})
    void what_is_required_is_missed_by_name(String key) {
        Map<String, Object> keys = keys(LOCAL, BEARER);
        keys.remove(key);

        assertThat(problems(keys)).extracting(Problem::where).contains(key);
    }

    @Test
    void a_wildcard_needs_a_reason() {
        Map<String, Object> keys = keys(LOCAL, BEARER);
        keys.put("destinations", List.of("https://*.example.com"));
        assertThat(problems(keys)).extracting(Problem::where).containsExactly("wide");

        keys.put("wide", "one bucket a name");
        assertThat(compiled(keys).mayGoTo(Origin.parse("https://a.example.com").orElseThrow()))
                .isTrue();
    }

    @Test
    void kinds_that_are_not_built_say_so_and_what_is_allowed() {
        assertThat(problems(keys(Map.of("kind", "gcp-secret-manager"), BEARER)))
                .anySatisfy(problem ->
                        assertThat(problem.what()).contains("not built").contains("local, file, env"));
        assertThat(problems(keys(LOCAL, Map.of("kind", "body"))))
                .anySatisfy(problem ->
                        assertThat(problem.what()).contains("unknown").contains("bearer, basic, header, query"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"../x", "/etc/passwd", "a/../../x", "a//b", "./a", "a\\b", ""})
    void a_file_name_that_leaves_the_folder_is_refused(String name) {
        assertThat(problems(keys(Map.of("kind", "file", "name", name), BEARER)))
                .extracting(Problem::where)
                .contains("source.name");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PATH", "AWS_SECRET_ACCESS_KEY", "SALLYPORT_SECRET_", "SALLYPORT_SECRET_A B"})
    void only_variables_made_for_the_broker_are_read(String name) {
        assertThat(problems(keys(Map.of("kind", "env", "name", name), BEARER)))
                .anySatisfy(problem -> assertThat(problem.what()).contains("SALLYPORT_SECRET_"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Host",
                "content-length",
                "Transfer-Encoding",
                "CONNECTION",
                "Proxy-Authorization",
                "X-Forwarded-For",
                "X-HTTP-Method-Override",
                "Te",
                "Upgrade",
                "a b",
                "X:Y"
            })
    void fields_that_frame_or_route_the_message_are_never_injected(String name) {
        assertThat(problems(keys(LOCAL, Map.of("kind", "header", "name", name))))
                .extracting(Problem::where)
                .contains("inject.name");
    }

    @ParameterizedTest
    @ValueSource(strings = {"token", "{secret}{secret}", " {secret}", "{secret} ", "é{secret}"})
    void a_template_has_the_secret_exactly_once(String template) {
        assertThat(problems(keys(LOCAL, Map.of("kind", "header", "name", "X-Key", "template", template))))
                .extracting(Problem::where)
                .contains("inject.template");
    }

    @Test
    void a_basic_user_has_no_colon() {
        assertThat(problems(keys(LOCAL, Map.of("kind", "basic", "user", "a:b"))))
                .extracting(Problem::where)
                .contains("inject.user");
    }
}

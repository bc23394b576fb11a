package io.sallyport.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CredentialSlotsTest {

    private static CredentialSlots.Cleaned clean(String target, Fields fields) {
        return CredentialSlots.takeOff(Target.parse(target).orElseThrow(), fields, Set.of(), Set.of());
    }

    /** RW-24: the agent brings its own key, in every place at once. */
    @Test
    void all_that_the_agent_brings_is_taken_off_and_noted_by_name_alone() {
        Fields fields = Fields.of(
                "Accept",
                "*/*",
                "x-api-key",
                "mine",
                "api-key",
                "mine",
                "x-goog-api-key",
                "mine",
                "Cookie",
                "s=1",
                "Authorization",
                "Bearer a",
                "authorization",
                "Bearer b");
        var cleaned = clean("/echo?key=mine&api_key=mine&access_token=mine", fields);
        assertThat(cleaned.fields()).isEqualTo(Fields.of("Accept", "*/*"));
        assertThat(cleaned.target().text()).isEqualTo("/echo");
        assertThat(cleaned.removed())
                .containsExactly(
                        "key", "api-key", "access-token", "x-api-key", "x-goog-api-key", "cookie", "authorization");
        assertThat(cleaned.toString()).doesNotContain("mine");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-Api-Key",
                "x_api_key",
                "XAPIKEY",
                "x-acme-api-key",
                "AcmeAuthToken",
                "Private-Token",
                "JOB-TOKEN",
                "X-Amz-Security-Token",
                "x-access-token",
                "Proxy-Authorization",
                "X-Forwarded-Authorization",
                "Cookie",
                "Cookie2",
                "DPoP",
                "X-Vault-Token",
                "CF-Access-Client-Secret",
                "xi-api-key"
            })
    void a_credential_field_goes_in_every_spelling(String name) {
        assertThat(clean("/", Fields.of(name, "mine")).fields()).isEqualTo(Fields.EMPTY);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Host",
                "Accept",
                "Content-Type",
                "Content-Length",
                "User-Agent",
                "Idempotency-Key",
                "X-CSRF-Token",
                "X-Atlassian-Token",
                "X-GitHub-Api-Version",
                "anthropic-version",
                "OpenAI-Organization",
                "x-amz-date",
                "x-amz-content-sha256",
                "X-Goog-User-Project",
                "If-None-Match",
                "Range",
                "Git-Protocol",
                "X-Stainless-Lang",
                "Sec-WebSocket-Key",
                "Expect",
                "traceparent",
                "x-ms-version",
                "Notion-Version",
                "Access-Control-Request-Headers"
            })
    void an_ordinary_field_stays(String name) {
        Fields fields = Fields.of(name, "x");
        assertThat(clean("/", fields).fields()).isSameAs(fields);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "a=1&key=mine&b=2, a=1&b=2",
                "key=mine&a=1, a=1",
                "a=1&key=mine, a=1",
                "key=1&key=2&a=1&Key=3, a=1",
                "a=1;key=mine;b=2, a=1;b=2",
                "a=1&&key=mine&&b, a=1&&&b",
                "key, -",
                "key[]=mine&key%5B0%5D=mine&a, a",
                "api%5fkey=mine&a=1, a=1",
                "%20api.key=mine&+key=mine&a=1, a=1",
                "X-Amz-Signature=x&X-Amz-Date=y, X-Amz-Date=y",
                "page_token=p&pageToken=p&continuation-token=c&code=x, page_token=p&pageToken=p&continuation-token=c&code=x",
                "q=key&sort=token=1, q=key&sort=token=1",
            })
    void a_credential_parameter_goes_in_every_spelling_and_multiplicity(String query, String left) {
        assertThat(clean("/x?" + query, Fields.EMPTY).target().query()).isEqualTo(left);
    }

    @Test
    void a_target_without_credentials_is_left_alone() {
        Target target = Target.parse("/x?a=1&b=%2F").orElseThrow();
        var cleaned = CredentialSlots.takeOff(target, Fields.EMPTY, Set.of(), Set.of());
        assertThat(cleaned.target()).isSameAs(target);
        assertThat(cleaned.removed()).isEmpty();
    }

    @Test
    void what_the_scope_keeps_stays_unless_the_rule_fills_it() {
        Target target = Target.parse("/x?key=1").orElseThrow();
        Fields fields = Fields.of("Cookie", "a=1", "Key", "2");
        var kept = CredentialSlots.takeOff(target, fields, Set.of("key", "cookie"), Set.of());
        assertThat(kept.target()).isSameAs(target);
        assertThat(kept.fields()).isSameAs(fields);
        var filled = CredentialSlots.takeOff(target, fields, Set.of("key"), Set.of("key"));
        assertThat(filled.target().text()).isEqualTo("/x");
        assertThat(filled.fields()).isEqualTo(Fields.EMPTY);
    }

    /** RW-24: a slot that only this rule knows. */
    @Test
    void the_rules_own_slot_is_emptied_whatever_its_name() {
        var cleaned = CredentialSlots.takeOff(
                Target.parse("/x?appid=mine&a=1").orElseThrow(),
                Fields.of("X-Odd", "mine"),
                Set.of(),
                Set.of("x-odd", "appid"));
        assertThat(cleaned.target().text()).isEqualTo("/x?a=1");
        assertThat(cleaned.fields()).isEqualTo(Fields.EMPTY);
        assertThat(cleaned.removed()).containsExactly("appid", "x-odd");
    }

    @Test
    void the_page_lists_every_slot() throws Exception {
        String page = Files.readString(Path.of("docs/reference/credential-slots.md"));
        assertThat(Subprotocols.prefixes()).allMatch(prefix -> page.contains("`" + prefix + "`"));
        assertThat(Subprotocols.announcing()).allMatch(element -> page.contains("`" + element + "`"));
        assertThat(CredentialSlots.fieldNames()).allMatch(name -> page.contains("`" + name + "`"));
        assertThat(CredentialSlots.parameterNames()).allMatch(name -> page.contains("`" + name + "`"));
        assertThat(CredentialSlots.endings()).allMatch(name -> page.contains("`" + name + "`"));
    }
}

package io.sallyport.identity;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.identity.Verification.Accepted;
import io.sallyport.identity.Verification.Rejected;
import io.sallyport.identity.Verification.Unavailable;
import io.sallyport.net.GuardedClient;
import io.sallyport.testing.TestIssuer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Discovery of keys through the guarded client. */
class IssuerKeysTest {

    private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
    private static final TestIssuer ISSUER = TestIssuer.at("https://issuer.example/tenant", "https://broker.example");
    private static final TestIssuer OTHER = TestIssuer.at("https://other.example", "https://broker.example");

    private final Map<String, String> pages = new HashMap<>(Map.of(
            "https://issuer.example/tenant/.well-known/openid-configuration",
            "{\"issuer\":\"https://issuer.example/tenant\",\"jwks_uri\":\"https://keys.example/jwks\"}",
            "https://keys.example/jwks",
            ISSUER.jwks()));
    private final List<GuardedClient.Call> calls = new ArrayList<>();
    private final GuardedClient client = call -> {
        calls.add(call);
        String page = pages.get(call.uri().toString());
        if (page == null) {
            throw new IOException("404 from " + call.uri());
        }
        return page.getBytes(StandardCharsets.UTF_8);
    };
    private final AtomicLong nanos = new AtomicLong();
    private final Verifiers verifiers = new Verifiers(client, Clock.fixed(NOW, ZoneOffset.UTC), nanos::get);

    @Test
    void keys_are_discovered_from_the_issuer() {
        Identities identities = verifiers.over(List.of(TestIdentities.discovered("cluster", ISSUER)));
        assertThat(calls).isEmpty();
        assertThat(identities.verify(ISSUER.token("agent", NOW))).isInstanceOf(Accepted.class);
        assertThat(calls)
                .extracting(call -> call.uri().toString())
                .containsExactly(
                        "https://issuer.example/tenant/.well-known/openid-configuration", "https://keys.example/jwks");
    }

    @Test
    void a_discovery_document_of_another_issuer_is_not_believed() {
        pages.replaceAll((uri, page) ->
                page.replace("\"issuer\":\"https://issuer.example", "\"issuer\":\"https://evil.example"));
        unavailable(verifiers.over(List.of(TestIdentities.discovered("cluster", ISSUER))), "another issuer");
    }

    @Test
    void keys_are_never_fetched_in_the_clear() {
        pages.replaceAll((uri, page) -> page.replace("https://keys", "http://keys"));
        unavailable(verifiers.over(List.of(TestIdentities.discovered("cluster", ISSUER))), "jwks_uri");
        assertThat(calls).hasSize(1);
    }

    @Test
    void an_issuer_that_is_down_says_so_and_others_go_on() {
        pages.clear();
        Identities identities = verifiers.over(
                List.of(TestIdentities.discovered("cluster", ISSUER), TestIdentities.fixed("other", OTHER)));
        unavailable(identities, "404");
        assertThat(identities.verify(OTHER.token("agent", NOW))).isInstanceOf(Accepted.class);
    }

    @Test
    void a_reload_that_leaves_an_identity_as_it_was_keeps_its_keys() {
        Identity identity = TestIdentities.discovered("cluster", ISSUER);
        verifiers.over(List.of(identity)).verify(ISSUER.token("agent", NOW));
        pages.clear();
        Identities again = verifiers.over(
                List.of(TestIdentities.discovered("cluster", ISSUER), TestIdentities.fixed("other", OTHER)));
        assertThat(again.verify(ISSUER.token("agent", NOW))).isInstanceOf(Accepted.class);
        assertThat(calls).hasSize(2);
    }

    @Test
    void the_token_for_the_issuer_is_read_anew_at_each_fetch(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("token"), "one\n");
        Identity plain = TestIdentities.discovered("cluster", ISSUER);
        Identity identity = new Identity(
                plain.name(),
                plain.issuer(),
                plain.audiences(),
                plain.isolation(),
                plain.algorithms(),
                plain.skew(),
                plain.keys(),
                null,
                List.of(),
                file);
        Identities identities = verifiers.over(List.of(identity));
        identities.verify(ISSUER.token("agent", NOW));
        Files.writeString(file, "two\n");
        nanos.addAndGet(FetchedKeys.FRESH.toNanos());
        identities.verify(ISSUER.token("agent", NOW));
        assertThat(calls).extracting(GuardedClient.Call::bearer).containsExactly("one", "one", "two", "two");
    }

    @Test
    void a_key_that_the_issuer_does_not_have_is_a_refusal() {
        Identities identities = verifiers.over(List.of(TestIdentities.discovered("cluster", ISSUER)));
        assertThat(identities.verify(ISSUER.rotated("k9").token("agent", NOW))).isInstanceOf(Rejected.class);
    }

    private static void unavailable(Identities identities, String cause) {
        assertThat(identities.verify(ISSUER.token("agent", NOW)))
                .isInstanceOfSatisfying(
                        Unavailable.class,
                        unavailable -> assertThat(unavailable.cause()).contains(cause));
    }
}

package io.sallyport.identity;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.document.Compiled;
import io.sallyport.document.Keys;
import io.sallyport.document.Problem;
import io.sallyport.testing.TestIssuer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.Condition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an identity document may say. */
class IdentityCompilerTest {

    private static final TestIssuer ISSUER = TestIssuer.at("https://issuer.example", "https://broker.example");

    @TempDir
    private Path folder;

    private final Map<String, Object> document = new LinkedHashMap<>(Map.of(
            "sallyport", "v1",
            "identity", "ci",
            "kind", "static",
            "issuer", ISSUER.issuer,
            "audience", ISSUER.audience,
            "isolation", "container",
            "jwks", Map.of("file", "jwks.json")));

    @BeforeEach
    void keys() throws IOException {
        Files.writeString(folder.resolve("jwks.json"), ISSUER.jwks());
    }

    @Test
    void a_static_identity_compiles() {
        Identity identity = compiled();
        assertThat(identity.issuer()).isEqualTo(ISSUER.issuer);
        assertThat(identity.audiences()).containsExactly(ISSUER.audience);
        assertThat(identity.isolation()).isEqualTo(Isolation.CONTAINER);
        assertThat(identity.skew()).isEqualTo(Duration.ofSeconds(30));
        assertThat(identity.algorithms()).contains("RS256", "ES256").noneMatch(name -> name.startsWith("HS"));
        assertThat(identity.keys()).isInstanceOf(KeyOrigin.Fixed.class);
    }

    @Test
    void an_oidc_identity_discovers_its_keys() {
        oidc();
        document.put("audience", List.of("a", "b"));
        document.put("trust", "ca.pem");
        document.put("token-file", "/var/run/token");
        Identity identity = compiled();
        assertThat(identity.keys()).isEqualTo(new KeyOrigin.Discovered());
        assertThat(identity.audiences()).containsExactlyInAnyOrder("a", "b");
        assertThat(identity.trust()).isEqualTo(folder.resolve("ca.pem"));
        assertThat(identity.tokenFile()).isEqualTo(Path.of("/var/run/token"));
    }

    @Test
    void an_oidc_identity_may_name_its_keys_or_bring_them() {
        oidc();
        document.put("jwks", Map.of("url", "https://keys.example/jwks"));
        assertThat(compiled().keys()).isInstanceOf(KeyOrigin.At.class);
        document.put("jwks", Map.of("file", "jwks.json"));
        assertThat(compiled().keys()).isInstanceOf(KeyOrigin.Fixed.class);
        document.put("jwks", Map.of("file", "jwks.json", "url", "https://keys.example/jwks"));
        rejected("jwks", "one of them");
    }

    @Test
    void a_kind_that_is_not_built_says_which_are() {
        document.put("kind", "kubernetes");
        rejected("kind", "not built; allowed: static, oidc");
        document.put("kind", "saml");
        rejected("kind", "allowed: static, oidc");
    }

    @Test
    void what_is_required_is_required() {
        for (String key : List.of("kind", "issuer", "audience", "isolation", "jwks")) {
            Object kept = document.remove(key);
            rejected(key, "required");
            document.put(key, kept);
        }
    }

    @Test
    void symmetric_algorithms_are_not_allowed() {
        document.put("algorithms", List.of("RS256", "HS256"));
        rejected("algorithms[1]", "allowed: ES256");
        document.put("algorithms", List.of("none"));
        rejected("algorithms[0]", "allowed: ES256");
    }

    @Test
    void the_skew_is_at_most_a_minute() {
        document.put("skew", "61s");
        rejected("skew", "60s");
        document.put("skew", "1min");
        assertThat(compiled().skew()).isEqualTo(Duration.ofSeconds(60));
    }

    @Test
    void an_issuer_is_not_asked_over_plain_http() {
        oidc();
        for (String issuer : List.of(
                "http://issuer.example",
                "issuer.example",
                "ftp://issuer.example",
                "https://u:p@issuer.example",
                "https://issuer.example?x=1",
                "https://")) {
            document.put("issuer", issuer);
            rejected("issuer", "https");
        }
        document.put("issuer", "http://127.0.0.1:9000");
        assertThat(compiled().issuer()).isEqualTo("http://127.0.0.1:9000");
    }

    @Test
    void a_key_file_holds_public_keys_alone() throws IOException {
        Files.writeString(folder.resolve("jwks.json"), "{\"keys\":[" + ISSUER.key.toJSONString() + "]}");
        rejected("jwks.file", "private");
        Files.writeString(folder.resolve("jwks.json"), "{\"keys\":[{\"kty\":\"oct\",\"k\":\"c2VjcmV0\"}]}");
        rejected("jwks.file", "symmetric");
        Files.writeString(folder.resolve("jwks.json"), "{\"keys\":[]}");
        rejected("jwks.file", "no key");
        Files.writeString(folder.resolve("jwks.json"), "secret: 1");
        rejected("jwks.file", "no JSON Web Key Set");
        Files.delete(folder.resolve("jwks.json"));
        rejected("jwks.file", "can't be read");
    }

    @Test
    void what_only_a_fetch_needs_is_an_error_where_nothing_is_fetched() {
        document.put("trust", "ca.pem");
        rejected("trust", "no use");
    }

    @Test
    void unknown_keys_are_errors() {
        document.put("isolaton", "container");
        rejected("isolaton", "unknown");
    }

    @Test
    void two_identities_of_one_issuer_share_no_audience() {
        Identity one = TestIdentities.fixed("one", ISSUER);
        Identity two = TestIdentities.fixed("two", ISSUER);
        assertThat(IdentityCompiler.crossCheck(List.of(one, two), null)).containsOnlyKeys("two");
        Identity elsewhere = TestIdentities.fixed("three", TestIssuer.at("https://other.example", ISSUER.audience));
        assertThat(IdentityCompiler.crossCheck(List.of(one, elsewhere), null)).isEmpty();
    }

    @Test
    void the_broker_itself_is_no_identity_provider() {
        Identity own = TestIdentities.fixed("own", TestIssuer.at("http://localhost:8080", ISSUER.audience));
        assertThat(IdentityCompiler.crossCheck(List.of(own), "http://localhost:8080"))
                .containsOnlyKeys("own")
                .hasValueSatisfying(new Condition<>(
                        problem -> problem.where().equals("issuer")
                                && problem.what().contains("sallyport.issuer"),
                        "a problem of the issuer"));
        assertThat(IdentityCompiler.crossCheck(List.of(own), "http://localhost:8090"))
                .isEmpty();
    }

    private void oidc() {
        document.put("kind", "oidc");
        document.remove("jwks");
    }

    private Compiled<Identity> compile() {
        return IdentityCompiler.compile("ci", Keys.of(document), folder);
    }

    private Identity compiled() {
        return switch (compile()) {
            case Compiled.Ok<Identity>(Identity identity) -> identity;
            case Compiled.Rejected<Identity>(List<Problem> problems) -> throw new AssertionError(problems);
        };
    }

    private void rejected(String where, String what) {
        assertThat(compile())
                .isInstanceOfSatisfying(
                        Compiled.Rejected.class,
                        rejected -> assertThat(((Compiled.Rejected<?>) rejected).problems())
                                .anySatisfy(problem -> {
                                    assertThat(problem.where()).isEqualTo(where);
                                    assertThat(problem.what()).contains(what);
                                }));
    }
}

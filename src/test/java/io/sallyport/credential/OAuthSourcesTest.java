package io.sallyport.credential;

import static io.sallyport.credential.TestCredentials.BEARER;
import static io.sallyport.credential.TestCredentials.compiled;
import static io.sallyport.credential.TestCredentials.keys;
import static io.sallyport.credential.TestCredentials.problems;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.oauth2.sdk.JWTBearerGrant;
import com.nimbusds.oauth2.sdk.TokenRequest;
import com.nimbusds.oauth2.sdk.auth.ClientAuthenticationMethod;
import io.sallyport.credential.source.Fetched;
import io.sallyport.credential.source.SecretSource;
import io.sallyport.credential.source.SourceFault;
import io.sallyport.credential.source.SourceTools;
import io.sallyport.document.Keys;
import io.sallyport.testing.TestClock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Client credentials and signed assertions, at an issuer that keeps the RFCs. */
class OAuthSourcesTest {

    private static final Map<String, Object> SECRET = Map.of("kind", "env", "name", "SALLYPORT_SECRET_CLIENT");

    @TempDir
    Path folder;

    private final TestClock clock = new TestClock();
    private final FakeIssuer issuer = new FakeIssuer(clock);
    private SourceTools tools;

    @BeforeEach
    void setUp() {
        tools = TestSources.tools(issuer, clock, folder, Map.of("SALLYPORT_SECRET_CLIENT", FakeIssuer.SECRET)::get);
    }

    private static Map<String, Object> document(Object... more) {
        Map<String, Object> source = new HashMap<>(Map.of(
                "kind",
                "oauth-client-credentials",
                "token-endpoint",
                FakeIssuer.TOKEN.toString(),
                "client-id",
                FakeIssuer.CLIENT,
                "client-secret",
                SECRET));
        for (int i = 0; i < more.length; i += 2) {
            source.put((String) more[i], more[i + 1]);
        }
        return source;
    }

    private Fetched.Given given(Map<String, Object> source) throws SourceFault {
        return (Fetched.Given) TestSources.fetched(compiled(source, BEARER), null, tools);
    }

    private String text(Map<String, Object> source) {
        return TestSources.text(compiled(source, BEARER), null, tools);
    }

    private KeyPair write(String name, String algorithm, int size) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
        generator.initialize(size);
        KeyPair keys = generator.generateKeyPair();
        write(name, pem(keys));
        issuer.key = keys.getPublic();
        return keys;
    }

    private static String pem(KeyPair keys) {
        return "-----BEGIN PRIVATE KEY-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'})
                        .encodeToString(keys.getPrivate().getEncoded())
                + "\n-----END PRIVATE KEY-----\n";
    }

    private void write(String name, String text) throws Exception {
        Files.writeString(folder.resolve(name), text);
        Files.setPosixFilePermissions(folder.resolve(name), PosixFilePermissions.fromString("rw-------"));
    }

    @ParameterizedTest
    @CsvSource({"client-secret-basic, client_secret_basic", "client-secret-post, client_secret_post"})
    void a_client_proves_itself_by_its_secret_and_gets_a_token(String method, String registered) {
        assertThat(text(document(
                        "client-auth",
                        method,
                        "scopes",
                        List.of("read", "write"),
                        "resources",
                        List.of("https://api.example.com/v1"),
                        "audience",
                        "api")))
                .isEqualTo("Qm7xZt9vKr3-access-1");

        TokenRequest request = issuer.asked().getFirst();
        assertThat(request.getClientAuthentication().getMethod())
                .isEqualTo(ClientAuthenticationMethod.parse(registered));
        assertThat(request.getScope()).hasToString("read write");
        assertThat(request.getResources()).extracting(Object::toString).containsExactly("https://api.example.com/v1");
        assertThat(request.getCustomParameter("audience")).containsExactly("api");
    }

    @ParameterizedTest
    @CsvSource({"RSA, 2048, RS256", "EC, 256, ES256", "EC, 384, ES384"})
    void a_client_proves_itself_by_what_it_signs(String algorithm, int size, String signed) throws Exception {
        write("key.pem", algorithm, size);

        assertThat(text(signing())).isEqualTo("Qm7xZt9vKr3-access-1");

        SignedJWT assertion = ((com.nimbusds.oauth2.sdk.auth.PrivateKeyJWT)
                        issuer.asked().getFirst().getClientAuthentication())
                .getClientAssertion();
        assertThat(assertion.getHeader().getAlgorithm().getName()).isEqualTo(signed);
        assertThat(assertion.getHeader().getKeyID()).isEqualTo("k1");
        JWTClaimsSet claims = assertion.getJWTClaimsSet();
        assertThat(claims.getIssuer()).isEqualTo(claims.getSubject()).isEqualTo(FakeIssuer.CLIENT);
        assertThat(claims.getJWTID()).isNotBlank();
    }

    private static Map<String, Object> signing() {
        Map<String, Object> source = document("client-auth", "private-key-jwt", "key-id", "k1");
        source.remove("client-secret");
        source.put("private-key", Map.of("kind", "file", "name", "key.pem"));
        return source;
    }

    @Test
    void a_key_that_is_none_or_too_short_is_said_without_a_word_of_it() throws Exception {
        write("key.pem", "s3cr3t-that-is-no-key");
        assertThat(text(signing())).isEqualTo("failed: its private-key holds no plain private key in PEM");

        write("key.pem", "RSA", 1024);
        assertThat(text(signing())).startsWith("failed: its private-key is of a kind that issuers refuse");

        write("key.pem", "-----BEGIN PRIVATE KEY-----\ns3cr3t!\n-----END PRIVATE KEY-----\n");
        assertThat(text(signing()))
                .startsWith("failed: its private-key can't be read as PEM")
                .doesNotContain("s3cr3t");
    }

    @Test
    void a_token_is_used_for_a_little_less_than_it_lives() throws SourceFault {
        issuer.expiresIn = 3600;
        assertThat(given(document()).lives()).isEqualTo(Duration.ofSeconds(3570));
        issuer.expiresIn = 60;
        assertThat(given(document()).lives()).isEqualTo(Duration.ofSeconds(54));
        issuer.expiresIn = 400_000_000;
        assertThat(given(document()).lives()).isLessThanOrEqualTo(Duration.ofDays(1));
    }

    @Test
    void one_whose_life_nobody_says_is_used_for_as_long_as_the_document_says() throws SourceFault {
        issuer.expiresIn = 0;
        assertThat(given(document()).lives()).isEqualTo(Duration.ofMinutes(5));
        assertThat(given(document("expires-in", "20s")).lives()).isEqualTo(Duration.ofSeconds(20));
    }

    @Test
    void a_token_of_another_type_is_none() {
        issuer.type = "DPoP";
        assertThat(text(document())).isEqualTo("failed: its token endpoint gave a token of another type than Bearer");
        issuer.type = "bearer";
        assertThat(text(document())).startsWith("Qm7xZt9vKr3-access-");
    }

    @Test
    void a_token_is_given_back_where_the_document_says_so() throws Exception {
        Fetched.Given given = given(document("revocation", FakeIssuer.REVOCATION.toString()));
        given.revoker().revoke(tools);
        assertThat(issuer.revoked()).containsExactly("Qm7xZt9vKr3-access-1");

        assertThat(given(document()).revoker()).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "401, invalid_client, DENIED, does not take this client",
        "400, invalid_client, DENIED, does not take this client",
        "400, unauthorized_client, DENIED, unauthorized_client",
        "400, invalid_scope, DENIED, invalid_scope",
        "400, invalid_target, DENIED, invalid_target",
        "400, invalid_request, BAD, invalid_request",
        "400, unsupported_grant_type, BAD, unsupported_grant_type",
        "200, incorrect_client_credentials, DENIED, does not take this client",
        "403, of-its-own, DENIED, (403)",
        "404, of-its-own, BAD, (404)",
        "302, of-its-own, BAD, (302)",
        "500, of-its-own, DOWN, (500)"
    })
    void a_refusal_says_what_is_to_be_done_and_never_the_issuers_own_words(
            int status, String error, SourceFault.Kind kind, String words) {
        issuer.answer(status, "{\"error\":\"" + error + "\",\"error_description\":\"near c1ient\"}");

        SourceFault fault = fault(document());

        assertThat(fault.kind()).isEqualTo(kind);
        assertThat(fault.cause()).contains(words).doesNotContain("near", "c1ient", "of-its-own");
    }

    private SourceFault fault(Map<String, Object> source) {
        try {
            throw new AssertionError(given(source));
        } catch (SourceFault fault) {
            return fault;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Qm7xZt9vKr3-access-9", "[]", "{}", "{\"access_token\":7}", "{\"access_token\":\"t\"}"})
    void an_answer_that_is_no_token_is_said_and_not_repeated(String content) {
        issuer.answer(200, content, "Content-Type", "application/json");

        SourceFault fault = fault(document());

        assertThat(fault.kind()).isEqualTo(SourceFault.Kind.BAD);
        assertThat(fault.cause())
                .isEqualTo("its token endpoint gave an answer that is no token (RFC 6749 section 5.1)");
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 503})
    void an_issuer_that_asks_to_wait_is_left_alone_until_then(int status) {
        issuer.answer(status, "", "Retry-After", "120");
        assertThat(fault(document()).kind()).isEqualTo(SourceFault.Kind.DOWN);

        assertThat(fault(document()).cause()).isEqualTo("its token endpoint has asked to wait");
        assertThat(issuer.asked()).hasSize(1);

        clock.pass(Duration.ofSeconds(121));
        assertThat(text(document())).startsWith("Qm7xZt9vKr3-access-");
    }

    @Test
    void an_issuer_without_an_answer_is_down_and_nothing_of_the_request_is_said() {
        issuer.trouble(FakeIssuer.Trouble.UNSENT, FakeIssuer.Trouble.ANSWER_LOST);

        assertThat(text(document())).isEqualTo("failed: its token endpoint gave no answer (ConnectException)");
        assertThat(text(document())).isEqualTo("failed: its token endpoint gave no answer (IOException)");
    }

    @Test
    void a_client_secret_that_is_not_there_is_said_with_its_key() {
        tools = TestSources.tools(issuer, clock, folder, name -> null);

        assertThat(text(document()))
                .isEqualTo("failed: its client-secret: the environment has no SALLYPORT_SECRET_CLIENT");
        assertThat(issuer.asked()).isEmpty();
    }

    @Test
    void a_google_service_account_signs_for_its_scopes_and_for_whom_it_stands() throws Exception {
        KeyPair keys = write("unused.pem", "RSA", 2048);
        write(
                "account.json",
                "{\"type\":\"service_account\",\"client_email\":\"bot@acme.iam.example\",\"private_key_id\":\"k7\","
                        + "\"token_uri\":\"https://evil.test/token\",\"private_key\":\""
                        + pem(keys).replace("\n", "\\n") + "\"}");
        Map<String, Object> source = Map.of(
                "kind", "oauth-jwt-bearer",
                "token-endpoint", FakeIssuer.TOKEN.toString(),
                "service-account", Map.of("kind", "file", "name", "account.json"),
                "scopes", List.of("https://www.googleapis.com/auth/drive.readonly"),
                "subject", "kim@acme.example");

        assertThat(text(source)).isEqualTo("Qm7xZt9vKr3-access-1");

        TokenRequest request = issuer.asked().getFirst();
        SignedJWT assertion = (SignedJWT) ((JWTBearerGrant) request.getAuthorizationGrant()).getJWTAssertion();
        assertThat(assertion.getHeader().getKeyID()).isEqualTo("k7");
        assertThat(assertion.getJWTClaimsSet().getIssuer()).isEqualTo("bot@acme.iam.example");
        assertThat(assertion.getJWTClaimsSet().getSubject()).isEqualTo("kim@acme.example");
        assertThat(assertion.getJWTClaimsSet().getStringClaim("scope"))
                .isEqualTo("https://www.googleapis.com/auth/drive.readonly");
        assertThat(request.getScope()).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            value = {
                "no json s3cr3t|its service-account is no JSON",
                "{\"private_key\":\"s3cr3t\"}|its service-account has no client_email; allowed: the key file of one, in JSON",
                "{\"client_email\":\"a\",\"private_key\":\"s3cr3t\"}|its service-account holds no plain private key in PEM"
            },
            delimiter = '|',
            quoteCharacter = '\'')
    void a_service_account_that_is_none_is_said_without_a_word_of_it(String text, String cause) throws Exception {
        write("account.json", text);
        Map<String, Object> source = Map.of(
                "kind", "oauth-jwt-bearer",
                "token-endpoint", FakeIssuer.TOKEN.toString(),
                "service-account", Map.of("kind", "file", "name", "account.json"));

        assertThat(text(source)).isEqualTo("failed: " + cause);
    }

    @Test
    void an_assertion_of_another_issuer_speaks_for_itself_where_no_subject_is_named() throws Exception {
        write("key.pem", "EC", 256);
        Map<String, Object> source = Map.of(
                "kind", "oauth-jwt-bearer",
                "token-endpoint", FakeIssuer.TOKEN.toString(),
                "private-key", Map.of("kind", "file", "name", "key.pem"),
                "issuer", "bot",
                "scopes", List.of("read"));

        assertThat(text(source)).isEqualTo("Qm7xZt9vKr3-access-1");

        TokenRequest request = issuer.asked().getFirst();
        JWTClaimsSet claims =
                ((SignedJWT) ((JWTBearerGrant) request.getAuthorizationGrant()).getJWTAssertion()).getJWTClaimsSet();
        assertThat(claims.getSubject()).isEqualTo("bot");
        assertThat(request.getScope()).hasToString("read");
    }

    @Test
    void a_scope_may_ask_for_fewer_scopes_and_never_for_more() throws SourceFault {
        SecretSource source =
                ((CompiledCredential) compiled(document("scopes", List.of("read", "write")), BEARER)).source();

        Keys fewer = Keys.of(Map.of("scopes", List.of("read")));
        Optional<SecretSource> narrowed = source.narrowed(fewer);
        assertThat(narrowed.orElseThrow().equals(source)).isFalse();
        assertThat(narrowed.orElseThrow().toString()).isNotEqualTo(source.toString());

        Keys more = Keys.of(Map.of("scopes", List.of("read", "delete")));
        assertThat(source.narrowed(more)).isEmpty();
        assertThat(more.compiled(() -> "").toString()).contains("delete").contains("allowed: some of [read, write]");
    }

    @Test
    void what_a_document_may_not_say_is_refused_with_what_is_allowed() {
        assertThat(problems(keys(document("token-endpoint", "http://issuer.test/token"), BEARER)))
                .singleElement()
                .asString()
                .contains("source.token-endpoint")
                .contains("allowed: an https URL");
        assertThat(problems(keys(document("scopes", List.of("a b")), BEARER)).toString())
                .contains("allowed: one without spaces");
        assertThat(problems(keys(document("client-auth", "none"), BEARER)).toString())
                .contains("is for refresh tokens of public clients");
        assertThat(problems(keys(document("client-secret", "in-the-document"), BEARER))
                        .toString())
                .contains("source.client-secret")
                .contains("allowed: a mapping");
        assertThat(problems(keys(document("client-secret", Map.of("kind", "local")), BEARER))
                        .toString())
                .contains("allowed: file, env");
        assertThat(problems(keys(document("expires-in", "1s"), BEARER)).toString())
                .contains("allowed: 10s to 1d");
    }

    @Test
    void nothing_that_prints_a_source_or_its_answer_prints_a_secret() throws SourceFault {
        Fetched.Given given = given(document());

        assertThat(given.toString() + compiled(document(), BEARER) + tools).doesNotContain("Qm7xZt9vKr3", "c1ient");
        assertThat(new String(given.material().part("secret").orElseThrow().bytes(), StandardCharsets.UTF_8))
                .isEqualTo("Qm7xZt9vKr3-access-1");
    }
}

package io.sallyport.identity;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.EncryptionMethod;
import com.nimbusds.jose.JWEAlgorithm;
import com.nimbusds.jose.JWEHeader;
import com.nimbusds.jose.JWEObject;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSAEncrypter;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.util.Base64URL;
import io.sallyport.identity.Verification.Accepted;
import io.sallyport.identity.Verification.Rejected;
import io.sallyport.net.GuardedClient;
import io.sallyport.testing.TestIssuer;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Algorithm confusion, audiences and times: what must not make a workload. */
class VerificationTest {

    private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
    private static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);
    private static final TestIssuer ISSUER = TestIssuer.at("https://issuer.example", "https://broker.example");

    private final List<URI> called = new ArrayList<>();
    private final GuardedClient network = call -> {
        called.add(call.uri());
        throw new IOException("nobody is there");
    };
    private final Identities identities =
            new Verifiers(network, CLOCK, () -> 0).over(List.of(TestIdentities.fixed("ci", ISSUER)));

    @Test
    void a_good_token_names_its_workload() {
        Verification verification = identities.verify(ISSUER.token("agent-1", NOW));
        assertThat(verification)
                .isEqualTo(new Accepted(new Verified(
                        new Principal("ci", "agent-1"),
                        Isolation.CONTAINER,
                        NOW,
                        NOW.plusSeconds(300),
                        ISSUER.issuer,
                        null)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "None", "NONE", "nOnE", ""})
    void an_unsigned_token_is_refused(String algorithm) {
        refused(encode("{\"alg\":\"" + algorithm + "\"}") + "." + claims() + ".", "");
        refused(encode("{\"alg\":\"" + algorithm + "\",\"kid\":\"k1\"}") + "." + claims() + ".AAAA", "");
    }

    @Test
    void the_public_key_is_no_shared_secret() throws Exception {
        byte[] der = ISSUER.key.toRSAPublicKey().getEncoded();
        String pem = "-----BEGIN PUBLIC KEY-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der) + "\n-----END PUBLIC KEY-----\n";
        for (byte[] secret : List.of(der, pem.getBytes(StandardCharsets.UTF_8))) {
            JWSObject forged = new JWSObject(
                    new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("k1").build(), new Payload(payload()));
            forged.sign(new MACSigner(secret));
            refused(forged.serialize(), "algorithm");
        }
    }

    @Test
    void keys_and_addresses_in_the_header_are_not_looked_at() {
        TestIssuer attacker = TestIssuer.at(ISSUER.issuer, ISSUER.audience);
        for (String kid : List.of("k1", "k2", "../../dev/null", "x' OR '1'='1")) {
            JWSHeader header = new JWSHeader.Builder(JWSAlgorithm.RS256)
                    .keyID(kid)
                    .jwk(attacker.key.toPublicJWK())
                    .jwkURL(URI.create("https://attacker.example/keys"))
                    .x509CertURL(URI.create("https://attacker.example/cert"))
                    .build();
            refused(attacker.signed(header, new Payload(payload())), "");
        }
        assertThat(called).isEmpty();
    }

    @Test
    void a_key_of_another_issuer_does_not_do() {
        TestIssuer other = TestIssuer.at("https://other.example", ISSUER.audience);
        Identities both = new Verifiers(network, CLOCK, () -> 0)
                .over(List.of(TestIdentities.fixed("ci", ISSUER), TestIdentities.fixed("other", other)));
        String crossed = other.token("agent-1", NOW, claims -> claims.put("iss", ISSUER.issuer));
        assertThat(both.verify(crossed)).isInstanceOf(Rejected.class);
        assertThat(both.verify(other.token("agent-1", NOW))).isInstanceOf(Accepted.class);
    }

    @Test
    void a_critical_header_that_is_not_understood_refuses() {
        refused(signed("{\"alg\":\"RS256\",\"kid\":\"k1\",\"crit\":[\"x\"],\"x\":1}"), "critical");
        refused(signed("{\"alg\":\"RS256\",\"kid\":\"k1\",\"b64\":false}"), "critical");
    }

    @Test
    void a_token_of_another_type_is_no_proof_of_a_workload() {
        for (String type : List.of("dpop+jwt", "logout+jwt", "secevent+jwt")) {
            refused(signed("{\"alg\":\"RS256\",\"kid\":\"k1\",\"typ\":\"" + type + "\"}"), "type");
        }
        assertThat(identities.verify(signed("{\"alg\":\"RS256\",\"kid\":\"k1\",\"typ\":\"at+jwt\"}")))
                .isInstanceOf(Accepted.class);
    }

    @Test
    void a_claim_twice_is_refused() {
        String twice = payload().replace("\"sub\":\"agent-1\"", "\"sub\":\"agent-1\",\"sub\":\"admin\"");
        refused(ISSUER.signed(header(), new Payload(twice)), "JSON");
        refused(signed("{\"alg\":\"none\",\"alg\":\"RS256\",\"kid\":\"k1\"}"), "JSON");
    }

    @Test
    void an_encrypted_token_is_refused() throws Exception {
        JWEObject encrypted = new JWEObject(
                new JWEHeader(JWEAlgorithm.RSA_OAEP_256, EncryptionMethod.A256GCM), new Payload(payload()));
        encrypted.encrypt(new RSAEncrypter(ISSUER.key));
        refused(encrypted.serialize(), "5 parts");
    }

    @Test
    void a_huge_token_is_refused_unread() {
        refused(ISSUER.token("agent-1", NOW, claims -> claims.put("x", "a".repeat(2_000_000))), "larger");
    }

    @Test
    void a_signature_of_zeros_is_refused() throws Exception {
        ECKey key = new ECKeyGenerator(Curve.P_256).keyID("e1").generate();
        Identities identities = new Verifiers(network, CLOCK, () -> 0)
                .over(List.of(TestIdentities.identity(
                        "ci", ISSUER, new KeyOrigin.Fixed(new JWKSet(key.toPublicJWK()).toString()))));
        JWSObject good = new JWSObject(
                new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("e1").build(), new Payload(payload()));
        good.sign(new ECDSASigner(key));
        assertThat(identities.verify(good.serialize())).isInstanceOf(Accepted.class);
        String unsigned = good.serialize().substring(0, good.serialize().lastIndexOf('.') + 1);
        assertThat(identities.verify(unsigned + Base64URL.encode(new byte[64]))).isInstanceOf(Rejected.class);
        assertThat(identities.verify(unsigned)).isInstanceOf(Rejected.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "...", "a.b.c", "e30.e30.", "e30.W10.AA", "\u0000", "é.é.é"})
    void garbage_is_refused(String garbage) {
        refused(garbage, "");
    }

    @Test
    void the_audience_is_exact_and_never_missing() {
        refused(with("aud", null), "audience");
        refused(with("aud", "other"), "audience");
        refused(with("aud", ISSUER.audience + "/"), "audience");
        refused(with("aud", List.of()), "audience");
        refused(with("aud", List.of(1)), "audience");
        accepted(with("aud", List.of(ISSUER.audience)));
    }

    @Test
    void a_list_with_another_audience_passes_only_when_it_was_issued_to_us() {
        List<String> two = List.of("other", ISSUER.audience);
        refused(with("aud", two), "audience");
        refused(ISSUER.token("agent-1", NOW, claims -> claims.putAll(Map.of("aud", two, "azp", "other"))), "audience");
        accepted(ISSUER.token("agent-1", NOW, claims -> claims.putAll(Map.of("aud", two, "azp", ISSUER.audience))));
    }

    @Test
    void the_issuer_is_exact() {
        refused(with("iss", ISSUER.issuer + "/"), "issuer");
        refused(with("iss", ISSUER.issuer.toUpperCase(java.util.Locale.ROOT)), "issuer");
        refused(with("iss", null), "issuer");
    }

    @ParameterizedTest
    @CsvSource({
        "nbf, 1, true",
        "nbf, 29, true",
        "nbf, 61, false",
        "nbf, 600, false",
        "iat, 1, true",
        "iat, 29, true",
        "iat, 61, false",
        "iat, 600, false",
        "exp, -1, true",
        "exp, -29, true",
        "exp, -30, false",
        "exp, -61, false",
        "exp, -120, false"
    })
    void a_time_within_the_skew_passes_and_none_beyond(String claim, int seconds, boolean passes) {
        Verification verification = identities.verify(with(claim, NOW.getEpochSecond() + seconds));
        assertThat(verification).isInstanceOf(passes ? Accepted.class : Rejected.class);
    }

    @Test
    void the_end_is_a_number_and_never_missing() {
        refused(with("exp", null), "no exp");
        refused(with("exp", String.valueOf(NOW.getEpochSecond() + 60)), "NumericDate");
        refused(with("exp", 1e300), "NumericDate");
        refused(with("nbf", "now"), "NumericDate");
        accepted(with("exp", 4_070_908_800L));
    }

    @Test
    void a_subject_is_needed() {
        refused(with("sub", null), "sub");
        refused(with("sub", ""), "sub");
        refused(with("sub", 7), "sub");
        refused(with("sub", "agent\n1"), "sub");
        refused(with("sub", "a".repeat(513)), "sub");
    }

    @Test
    void a_token_that_says_more_than_can_be_kept_is_refused() {
        refused(with("cnf", Map.of("jkt", "x")), "cnf");
        refused(with("act", Map.of("sub", "other")), "act");
        refused(with("may_act", Map.of("sub", "x", "client_id", "y")), "may_act");
    }

    @Test
    void may_act_leaves_room_for_its_actor_alone() {
        Verified person = verified(with("may_act", Map.of("sub", "agent-1")));
        assertThat(person.letsActFor(verified(ISSUER.token("agent-1", NOW)))).isTrue();
        assertThat(person.letsActFor(verified(ISSUER.token("agent-2", NOW)))).isFalse();
        Verified foreign = verified(with("may_act", Map.of("sub", "agent-1", "iss", "https://other.example")));
        assertThat(foreign.letsActFor(verified(ISSUER.token("agent-1", NOW)))).isFalse();
    }

    @Test
    void an_algorithm_that_the_document_does_not_name_is_refused() {
        Identity identity = TestIdentities.fixed("ci", ISSUER);
        Identities picky = new Verifiers(network, CLOCK, () -> 0)
                .over(List.of(new Identity(
                        identity.name(),
                        identity.issuer(),
                        identity.audiences(),
                        identity.isolation(),
                        java.util.Set.of("ES256"),
                        identity.skew(),
                        identity.keys(),
                        null,
                        List.of(),
                        null)));
        assertThat(picky.verify(ISSUER.token("agent-1", NOW))).isInstanceOf(Rejected.class);
    }

    @Test
    void no_cause_quotes_the_token() {
        String token = ISSUER.token("agent-1", NOW, claims -> claims.put("exp", 1));
        assertThat(identities.verify(token).toString()).doesNotContain(token.substring(0, 20), "eyJ");
        assertThat(identities.verify("secret-that-is-no-token").toString()).doesNotContain("secret");
    }

    @Test
    void a_token_of_a_trusted_issuer_is_told_from_garbage() {
        assertThat(identities.issued(ISSUER.token("agent-1", NOW))).isTrue();
        assertThat(identities.issued("garbage")).isFalse();
    }

    private void refused(String token, String cause) {
        assertThat(identities.verify(token))
                .isInstanceOfSatisfying(
                        Rejected.class, rejected -> assertThat(rejected.cause()).contains(cause));
    }

    private void accepted(String token) {
        assertThat(identities.verify(token)).isInstanceOf(Accepted.class);
    }

    private Verified verified(String token) {
        return ((Accepted) identities.verify(token)).verified();
    }

    private static String with(String claim, Object value) {
        return ISSUER.token("agent-1", NOW, claims -> {
            claims.remove(claim);
            if (value != null) {
                claims.put(claim, value);
            }
        });
    }

    /** A good signature of the issuer over a header of the test's own. */
    private static String signed(String header) {
        try {
            String input = encode(header) + "." + claims();
            java.security.Signature signature = java.security.Signature.getInstance("SHA256withRSA");
            signature.initSign(ISSUER.key.toRSAPrivateKey());
            signature.update(input.getBytes(StandardCharsets.US_ASCII));
            return input + "." + Base64URL.encode(signature.sign());
        } catch (java.security.GeneralSecurityException | com.nimbusds.jose.JOSEException fault) {
            throw new IllegalStateException(fault);
        }
    }

    private static JWSHeader header() {
        return new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("k1").build();
    }

    private static String payload() {
        return "{\"iss\":\"" + ISSUER.issuer + "\",\"aud\":\"" + ISSUER.audience + "\",\"sub\":\"agent-1\",\"exp\":"
                + (NOW.getEpochSecond() + 60) + "}";
    }

    private static String claims() {
        return encode(payload());
    }

    private static String encode(String json) {
        return Base64URL.encode(json).toString();
    }
}

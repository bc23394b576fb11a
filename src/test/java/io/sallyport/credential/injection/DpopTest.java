package io.sallyport.credential.injection;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.SignedJWT;
import io.sallyport.credential.Injected;
import io.sallyport.credential.source.Material;
import io.sallyport.http.Fields;
import io.sallyport.http.Framing;
import io.sallyport.http.Origin;
import io.sallyport.http.RequestHead;
import io.sallyport.http.ResponseHead;
import io.sallyport.http.Target;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A proof of a key for each sending (RFC 9449). */
class DpopTest {

    private static final String TOKEN = "Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU";
    private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");

    private final ECKey key;
    private final Injector injector;
    private final RequestHead asked = new RequestHead(
            "GET",
            Origin.parse("https://resource.example.org:8443").orElseThrow(),
            Target.parse("/protected/a?q=1").orElseThrow(),
            Fields.of("Host", "resource.example.org:8443", "Authorization", "DPoP mine", "DPoP", "mine"),
            new Framing.None(),
            false);

    DpopTest() throws Exception {
        key = new ECKeyGenerator(Curve.P_256).generate();
        injector = new Dpop(Material.SECRET).injector(material(key.toJSONString()), text -> {
            throw new AssertionError("no placeholder here");
        });
    }

    private static Material material(String key) {
        return Material.of(Map.of("secret", TOKEN.getBytes(UTF_8), "private-key", key.getBytes(UTF_8)));
    }

    private Placement placement() {
        return injector.placement(Clock.fixed(NOW, ZoneOffset.UTC));
    }

    private RequestHead put(Placement placement) {
        return ((Injected.Done) placement.head(asked, asked.withFields(Fields.EMPTY))).head();
    }

    private static SignedJWT proof(RequestHead head) throws Exception {
        assertThat(head.fields().all("DPoP")).hasSize(1);
        return SignedJWT.parse(head.fields().first("DPoP").orElseThrow());
    }

    @Test
    void a_proof_names_the_method_the_target_the_time_and_the_token_and_shows_the_key() throws Exception {
        Placement one = placement();
        RequestHead sent = one.stamp(put(one));

        assertThat(sent.fields().all("Authorization")).containsExactly("DPoP " + TOKEN);
        SignedJWT proof = proof(sent);
        assertThat(proof.getHeader().getType().getType()).isEqualTo("dpop+jwt");
        assertThat(proof.getHeader().getJWK()).isEqualTo(key.toPublicJWK());
        assertThat(proof.getHeader().getJWK().isPrivate()).isFalse();
        assertThat(proof.verify(new ECDSAVerifier(key.toECPublicKey()))).isTrue();
        var claims = proof.getJWTClaimsSet();
        assertThat(claims.getStringClaim("htm")).isEqualTo("GET");
        assertThat(claims.getStringClaim("htu")).isEqualTo("https://resource.example.org:8443/protected/a");
        assertThat(claims.getIssueTime().toInstant()).isEqualTo(NOW);
        assertThat(claims.getStringClaim("ath"))
                .isEqualTo(Base64.getUrlEncoder()
                        .withoutPadding()
                        .encodeToString(MessageDigest.getInstance("SHA-256").digest(TOKEN.getBytes(UTF_8))));
        assertThat(claims.getClaims()).doesNotContainKey("nonce");
        assertThat(one.scrubbed()).containsExactly(proof.serialize().getBytes(UTF_8));
    }

    @Test
    void each_sending_has_a_proof_of_its_own() throws Exception {
        Placement one = placement();
        RequestHead put = put(one);
        assertThat(proof(one.stamp(put)).getJWTClaimsSet().getJWTID())
                .isNotEqualTo(proof(one.stamp(put)).getJWTClaimsSet().getJWTID());
    }

    /** RFC 9449 section 8: the challenge and any later answer say which nonce counts next. */
    @Test
    void the_nonce_that_the_destination_said_last_is_in_the_next_proof() throws Exception {
        Placement one = placement();
        one.stamp(put(one));
        one.answered(new ResponseHead(
                401,
                "",
                Fields.of("WWW-Authenticate", "DPoP error=\"use_dpop_nonce\"", "DPoP-Nonce", "eyJ7S_zG.1"),
                new Framing.None(),
                false));
        Placement next = placement();
        assertThat(proof(next.stamp(put(next))).getJWTClaimsSet().getStringClaim("nonce"))
                .isEqualTo("eyJ7S_zG.1");
        next.answered(new ResponseHead(200, "", Fields.of("DPoP-Nonce", "second"), new Framing.None(), false));
        Placement last = placement();
        assertThat(proof(last.stamp(put(last))).getJWTClaimsSet().getStringClaim("nonce"))
                .isEqualTo("second");
    }

    @Test
    void without_a_private_key_of_the_curve_it_is_unfit_and_the_cause_says_nothing_of_it() throws Exception {
        Dpop dpop = new Dpop(Material.SECRET);
        assertThat(dpop.problem(material(key.toJSONString()))).isEmpty();
        assertThat(dpop.problem(Material.of(TOKEN.getBytes(UTF_8))))
                .hasValueSatisfying(cause -> assertThat(cause).contains("private-key"));
        for (String other : new String[] {
            key.toPublicJWK().toJSONString(),
            new ECKeyGenerator(Curve.P_384).generate().toJSONString(),
            "{\"kty\":\"oct\",\"k\":\"AAAAAAAAAAAAAAAAAAAAAA\"}",
            "no key at all"
        }) {
            assertThat(dpop.problem(material(other)))
                    .hasValueSatisfying(
                            cause -> assertThat(cause).contains("P-256").doesNotContain("no key at all"));
        }
    }
}

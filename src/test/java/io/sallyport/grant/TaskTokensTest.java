package io.sallyport.grant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import io.sallyport.identity.Principal;
import io.sallyport.testing.TestStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a task token says, and which tokens are ours. */
class TaskTokensTest {

    @RegisterExtension
    final TestStore store = new TestStore();

    private final TestTime time = new TestTime();
    private TestGrants room;

    @BeforeEach
    void open() {
        room = TestGrants.on(store, time);
    }

    private SignedJWT minted(Grant grant) throws Exception {
        return SignedJWT.parse(room.tokens().mint(grant));
    }

    private JWKSet published() throws Exception {
        return JWKSet.parse(room.tokens().jwks());
    }

    @Test
    void a_token_is_an_rfc_9068_access_token_that_the_published_keys_verify() throws Exception {
        Grant grant = TestGrants.with(draft -> draft.scopes = Set.of("read", "pull"));
        SignedJWT token = minted(grant);
        assertThat(token.getHeader().getType().toString()).isEqualTo("at+jwt");
        assertThat(token.getHeader().getAlgorithm()).isEqualTo(JWSAlgorithm.ES256);
        ECKey key = published().getKeyByKeyId(token.getHeader().getKeyID()).toECKey();
        assertThat(token.verify(new ECDSAVerifier(key))).isTrue();

        JWTClaimsSet claims = token.getJWTClaimsSet();
        assertThat(claims.getClaims().keySet())
                .containsExactlyInAnyOrder("iss", "aud", "sub", "client_id", "jti", "task", "iat", "exp", "scope");
        assertThat(claims.getIssuer()).isEqualTo(TestGrants.ISSUER);
        assertThat(claims.getAudience()).containsExactly(TestGrants.ISSUER);
        assertThat(claims.getJWTID()).isEqualTo(grant.jti());
        assertThat(claims.getStringClaim("task")).isEqualTo(grant.task());
        assertThat(claims.getStringClaim("scope")).isEqualTo("site-fixer:pull site-fixer:read");
        assertThat(claims.getIssueTime()).isEqualTo(Date.from(grant.openedAt()));
        assertThat(claims.getExpirationTime()).isEqualTo(Date.from(grant.expiresAt()));
    }

    @Test
    void a_workload_that_acts_for_itself_is_subject_and_client() throws Exception {
        JWTClaimsSet claims = minted(TestGrants.active()).getJWTClaimsSet();
        assertThat(claims.getSubject()).isEqualTo("cluster/site-fixer");
        assertThat(claims.getStringClaim("client_id")).isEqualTo("cluster/site-fixer");
        assertThat(claims.getClaim("act")).isNull();
    }

    @Test
    void on_behalf_of_a_person_the_workload_is_the_actor() throws Exception {
        Grant grant = TestGrants.with(draft -> draft.person = new Principal("staff", "ada"));
        JWTClaimsSet claims = minted(grant).getJWTClaimsSet();
        assertThat(claims.getSubject()).isEqualTo("staff/ada");
        assertThat(claims.getStringClaim("client_id")).isEqualTo("cluster/site-fixer");
        assertThat(claims.getJSONObjectClaim("act")).isEqualTo(Map.of("sub", "cluster/site-fixer"));
    }

    @Test
    void the_current_actor_stands_outermost_and_the_earlier_ones_within() throws Exception {
        Grant root = room.open(TestGrants.with(draft -> draft.person = new Principal("staff", "ada")));
        Grant helper =
                room.open(TestGrants.childOf(root, draft -> draft.workload = new Principal("cluster", "helper")));
        Grant narrower = room.open(TestGrants.childOf(helper));
        JWTClaimsSet claims = minted(narrower).getJWTClaimsSet();
        assertThat(claims.getSubject()).isEqualTo("staff/ada");
        assertThat(claims.getStringClaim("client_id")).isEqualTo("cluster/helper");
        assertThat(claims.getJSONObjectClaim("act"))
                .isEqualTo(Map.of("sub", "cluster/helper", "act", Map.of("sub", "cluster/site-fixer")));
    }

    @Test
    void a_workload_that_hands_on_its_own_task_stays_the_subject() throws Exception {
        Grant root = room.open(TestGrants.active());
        Grant helper =
                room.open(TestGrants.childOf(root, draft -> draft.workload = new Principal("cluster", "helper")));
        JWTClaimsSet claims = minted(helper).getJWTClaimsSet();
        assertThat(claims.getSubject()).isEqualTo("cluster/site-fixer");
        assertThat(claims.getJSONObjectClaim("act")).isEqualTo(Map.of("sub", "cluster/helper"));
    }

    @Test
    void a_token_never_exceeds_one_and_a_half_kibibytes_and_leaves_the_scopes_out_first() throws Exception {
        Set<String> many = new TreeSet<>(
                IntStream.range(0, 200).mapToObj(i -> "scope-number-" + i).toList());
        Grant grant = TestGrants.with(draft -> {
            draft.scopes = many;
            draft.person = new Principal("staff", "ada");
        });
        String token = room.tokens().mint(grant);
        assertThat(token.length()).isLessThanOrEqualTo(1536);
        JWTClaimsSet claims = SignedJWT.parse(token).getJWTClaimsSet();
        assertThat(claims.getClaim("scope")).isNull();
        assertThat(claims.getClaim("act")).isNotNull();
        assertThat(room.tokens().jtiOf(token)).contains(grant.jti());
    }

    @Test
    void where_the_chain_of_actors_does_not_fit_the_current_one_is_kept() throws Exception {
        Grant root = room.open(TestGrants.with(draft -> draft.workload = new Principal("cluster", "a".repeat(200))));
        Grant next = room.open(TestGrants.childOf(
                root, draft -> draft.workload = new Principal("cluster", "b".repeat(200))));
        Grant last = room.open(TestGrants.childOf(
                next, draft -> draft.workload = new Principal("cluster", "c".repeat(200))));
        JWTClaimsSet claims = minted(last).getJWTClaimsSet();
        assertThat(claims.getSubject()).isEqualTo("cluster/" + "a".repeat(200));
        assertThat(claims.getJSONObjectClaim("act")).isEqualTo(Map.of("sub", "cluster/" + "c".repeat(200)));
    }

    @Test
    void a_subject_that_can_never_fit_is_a_fault() {
        Grant grant = TestGrants.with(draft -> draft.workload = new Principal("cluster", "s".repeat(1_000)));
        assertThatThrownBy(() -> room.tokens().mint(grant)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void the_jti_is_read_from_our_own_tokens_only_expired_or_not() throws Exception {
        Grant grant = TestGrants.active();
        String token = room.tokens().mint(grant);
        time.pass(Duration.ofDays(30));
        assertThat(room.tokens().jtiOf(token)).contains(grant.jti());
        assertThat(room.tokens().jtiOf(token)).as("from the cache").contains(grant.jti());

        SignedJWT ours = SignedJWT.parse(token);
        ECKey stranger = new ECKeyGenerator(Curve.P_256)
                .keyID(ours.getHeader().getKeyID())
                .generate();
        assertThat(room.tokens().jtiOf(signed(ours.getHeader(), ours.getJWTClaimsSet(), stranger)))
                .isEmpty();
        assertThat(room.tokens().jtiOf(new PlainJWT(ours.getJWTClaimsSet()).serialize()))
                .isEmpty();
        assertThat(room.tokens().jtiOf("")).isEmpty();
        assertThat(room.tokens().jtiOf("a.b.c")).isEmpty();
        assertThat(room.tokens().jtiOf("x".repeat(100_000))).isEmpty();
        assertThat(room.tokens().jtiOf(token.substring(0, token.length() - 4))).isEmpty();
    }

    @Test
    void another_issuer_audience_or_type_under_our_key_is_not_ours() throws Exception {
        Grant grant = TestGrants.active();
        SignedJWT ours = minted(grant);
        ECKey key = signingKey();
        JWTClaimsSet claims = ours.getJWTClaimsSet();
        assertThat(room.tokens().jtiOf(signed(ours.getHeader(), claims, key))).contains(grant.jti());

        JWTClaimsSet otherIssuer =
                new JWTClaimsSet.Builder(claims).issuer("http://localhost:8081").build();
        JWTClaimsSet moreAudiences = new JWTClaimsSet.Builder(claims)
                .audience(List.of(TestGrants.ISSUER, "https://elsewhere.example"))
                .build();
        JWSHeader plainType =
                new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(key.getKeyID()).build();
        assertThat(room.tokens().jtiOf(signed(ours.getHeader(), otherIssuer, key)))
                .isEmpty();
        assertThat(room.tokens().jtiOf(signed(ours.getHeader(), moreAudiences, key)))
                .isEmpty();
        assertThat(room.tokens().jtiOf(signed(plainType, claims, key))).isEmpty();
    }

    /** The private key as it rests in the database, unsealed. */
    private ECKey signingKey() throws Exception {
        String kid = published().getKeys().getFirst().getKeyID();
        byte[] sealed = store.readers().read(connection -> {
            try (var query = connection.prepareStatement("select sealed from signing_key where kid = ?")) {
                query.setString(1, kid);
                return query.executeQuery().getBytes(1);
            }
        });
        assertThat(new String(sealed, StandardCharsets.ISO_8859_1)).doesNotContain("\"d\"", "kty");
        return ECKey.parse(new String(store.seal().open(sealed, "signing-key/" + kid), StandardCharsets.UTF_8));
    }

    private static String signed(JWSHeader header, JWTClaimsSet claims, ECKey key) throws Exception {
        SignedJWT jwt = new SignedJWT(header, claims);
        jwt.sign(new ECDSASigner(key));
        return jwt.serialize();
    }

    @Test
    void published_keys_have_no_private_members() throws Exception {
        assertThat(published().getKeys()).hasSize(1).noneMatch(key -> key.isPrivate());
        assertThat(room.tokens().jwks()).doesNotContain("\"d\"");
    }

    @Test
    void keys_survive_a_restart() throws Exception {
        String token = room.tokens().mint(TestGrants.active());
        String before = room.tokens().jwks();
        store.reopen();
        open();
        assertThat(room.tokens().jwks()).isEqualTo(before);
        assertThat(room.tokens().jtiOf(token)).isPresent();
    }

    @Test
    void after_a_rotation_old_and_new_key_are_published_until_the_last_old_token_is_dead() throws Exception {
        Grant old = room.open(TestGrants.active());
        SignedJWT before = minted(old);
        String kid = room.keys().rotate();
        SignedJWT after = minted(TestGrants.with(draft -> draft.expires = TestTime.START.plus(Duration.ofHours(2))));

        assertThat(after.getHeader().getKeyID())
                .isEqualTo(kid)
                .isNotEqualTo(before.getHeader().getKeyID());
        for (int restarts = 0; restarts < 2; restarts++) {
            assertThat(published().getKeys())
                    .extracting(key -> key.getKeyID())
                    .containsExactlyInAnyOrder(kid, before.getHeader().getKeyID());
            assertThat(room.tokens().jtiOf(before.serialize())).contains(old.jti());
            assertThat(room.tokens().jtiOf(after.serialize())).isPresent();
            store.reopen();
            open();
        }
        time.pass(Duration.ofMinutes(15).minusMillis(1));
        assertThat(published().getKeys()).hasSize(2);
        time.pass(Duration.ofMillis(1));
        assertThat(published().getKeys()).extracting(key -> key.getKeyID()).containsExactly(kid);
        assertThat(minted(TestGrants.active()).getHeader().getKeyID()).isEqualTo(kid);
    }

    @Test
    void the_private_half_of_a_retired_key_is_destroyed() throws Exception {
        room.keys().rotate();
        List<byte[]> rows = store.readers().read(connection -> {
            try (var query = connection
                    .createStatement()
                    .executeQuery("select kid, sealed from signing_key where retired_at is not null")) {
                List<byte[]> found = new java.util.ArrayList<>();
                while (query.next()) {
                    found.add(store.seal().open(query.getBytes("sealed"), "signing-key/" + query.getString("kid")));
                }
                return found;
            }
        });
        assertThat(rows).hasSize(1);
        assertThat(ECKey.parse(new String(rows.getFirst(), StandardCharsets.UTF_8))
                        .isPrivate())
                .isFalse();
    }
}

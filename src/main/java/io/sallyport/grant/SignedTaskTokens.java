package io.sallyport.grant;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.text.ParseException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Task tokens as RFC 9068 access tokens, signed with ES256. Whether the grant that one names still stands is never in the token. */
final class SignedTaskTokens implements TaskTokens {

    /** What a client's header buffers take without complaint. */
    static final int LARGEST = 1536;

    /** Tokens whose signature has been checked; enough for every live token of a large broker, at about 150 bytes each. */
    static final int MOST_REMEMBERED = 100_000;

    private static final JOSEObjectType AT_JWT = new JOSEObjectType("at+jwt");

    private final JdbcSigningKeys keys;
    private final String issuer;
    private final Function<Grant, @Nullable Grant> parentOf;
    private volatile @Nullable Beginnings beginnings;

    /** @param of the keys as they were: another list after a rotation */
    private record Beginnings(List<SigningKey> of, List<String> texts) {}

    private final Cache<TokenDigest, String> verified =
            Caffeine.newBuilder().maximumSize(MOST_REMEMBERED).build();

    /** @param parentOf the standing parent of a grant; null for a task's first */
    SignedTaskTokens(JdbcSigningKeys keys, String issuer, Function<Grant, @Nullable Grant> parentOf) {
        this.keys = keys;
        this.issuer = issuer;
        this.parentOf = parentOf;
    }

    /** What does not fit stays in the grant, and introspection tells it: first the scopes, then the chain of earlier actors. */
    @Override
    public String mint(Grant grant) {
        TokenClaims claims = TokenClaims.of(grant, parentOf, issuer);
        for (JWTClaimsSet set : List.of(claims.whole(), claims.withoutScope(), claims.withoutEarlierActors())) {
            String token = signed(set, grant);
            if (token.length() <= LARGEST) {
                return token;
            }
        }
        throw new IllegalArgumentException(
                "the subject of workload or person is too long for a task token of " + LARGEST + " bytes");
    }

    private String signed(JWTClaimsSet claims, Grant grant) {
        SigningKey key = keys.current();
        SignedJWT jwt = new SignedJWT(header(key), claims);
        try {
            jwt.sign(key.signerUntil(grant.expiresAt()));
        } catch (JOSEException e) {
            throw new IllegalStateException("key " + key.kid() + " can't sign", e);
        }
        return jwt.serialize();
    }

    private static JWSHeader header(SigningKey key) {
        return new JWSHeader.Builder(JWSAlgorithm.ES256)
                .type(AT_JWT)
                .keyID(key.kid())
                .build();
    }

    @Override
    public List<String> beginnings() {
        List<SigningKey> all = keys.all();
        Beginnings known = beginnings;
        if (known == null || known.of() != all) {
            known = new Beginnings(
                    all,
                    all.stream().map(key -> header(key).toBase64URL() + ".").toList());
            beginnings = known;
        }
        return known.texts();
    }

    @Override
    public String jwks() {
        return keys.published().toString(true);
    }

    @Override
    public Optional<String> jtiOf(String token) {
        if (token.length() > LARGEST) {
            return Optional.empty();
        }
        TokenDigest digest = TokenDigest.of(token);
        String known = verified.getIfPresent(digest);
        if (known != null) {
            return Optional.of(known);
        }
        Optional<String> jti = verify(token);
        jti.ifPresent(value -> verified.put(digest, value)); // only what verified: garbage can't push out what is good
        return jti;
    }

    private Optional<String> verify(String token) {
        try {
            SignedJWT jwt = SignedJWT.parse(token);
            JWSHeader header = jwt.getHeader();
            SigningKey key = keys.byId(header.getKeyID());
            if (key == null
                    || !AT_JWT.equals(header.getType())
                    || !JWSAlgorithm.ES256.equals(header.getAlgorithm())
                    || !jwt.verify(key.verifier())) {
                return Optional.empty();
            }
            JWTClaimsSet claims = jwt.getJWTClaimsSet();
            boolean ours = issuer.equals(claims.getIssuer()) && List.of(issuer).equals(claims.getAudience());
            return ours ? Optional.ofNullable(claims.getJWTID()) : Optional.empty();
        } catch (ParseException | JOSEException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}

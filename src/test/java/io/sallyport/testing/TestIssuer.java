package io.sallyport.testing;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** An identity provider: one RSA key, and tokens that are good unless a test spoils them. */
public final class TestIssuer {

    public final String issuer;
    public final String audience;
    public final RSAKey key;

    private TestIssuer(String issuer, String audience, RSAKey key) {
        this.issuer = issuer;
        this.audience = audience;
        this.key = key;
    }

    public static TestIssuer at(String issuer, String audience) {
        return new TestIssuer(issuer, audience, newKey("k1"));
    }

    /** The same issuer after it has changed its key. */
    public TestIssuer rotated(String keyId) {
        return new TestIssuer(issuer, audience, newKey(keyId));
    }

    /** The public keys, as JSON. */
    public String jwks() {
        return new JWKSet(key.toPublicJWK()).toString();
    }

    /** A good token: issued now, ends in five minutes. */
    public String token(String subject, Instant now) {
        return token(subject, now, claims -> {});
    }

    public String token(String subject, Instant now, Consumer<Map<String, Object>> spoil) {
        Map<String, Object> claims = new LinkedHashMap<>();
        claims.put("iss", issuer);
        claims.put("aud", audience);
        claims.put("sub", subject);
        claims.put("iat", now.getEpochSecond());
        claims.put("nbf", now.getEpochSecond());
        claims.put("exp", now.getEpochSecond() + 300);
        spoil.accept(claims);
        JWSHeader header = new JWSHeader.Builder(JWSAlgorithm.RS256)
                .keyID(key.getKeyID())
                .type(JOSEObjectType.JWT)
                .build();
        return signed(header, new Payload(claims));
    }

    /** Whatever header and content a test wants, under this issuer's key. */
    public String signed(JWSHeader header, Payload payload) {
        try {
            JWSObject object = new JWSObject(header, payload);
            object.sign(new RSASSASigner(key));
            return object.serialize();
        } catch (JOSEException fault) {
            throw new IllegalStateException(fault);
        }
    }

    private static RSAKey newKey(String keyId) {
        try {
            return new RSAKeyGenerator(2048).keyID(keyId).generate();
        } catch (JOSEException fault) {
            throw new IllegalStateException(fault);
        }
    }
}

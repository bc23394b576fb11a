package io.sallyport.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.KeyOperation;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.util.Base64URL;
import java.security.Provider;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Which key may verify which algorithm, and whether it does. The key decides, never the token's header alone (RFC 8725 section 3.1): an RSA
 * key has no symmetric reading, a curve has one algorithm, and keys or addresses of keys in the header are not looked at.
 */
final class Signature {

    /** All that an identity may name: asymmetric, and in the JDK. */
    static final SortedSet<String> ALGORITHMS = Collections.unmodifiableSortedSet(
            new TreeSet<>(Set.of("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512")));

    private static final Map<String, Curve> CURVES =
            Map.of("ES256", Curve.P_256, "ES384", Curve.P_384, "ES512", Curve.P_521);

    private static final int LEAST_RSA_BITS = 2048;

    private Signature() {}

    static boolean fits(JWK key, Jws token) {
        return idFits(key, token.keyId())
                && (key.getAlgorithm() == null || key.getAlgorithm().getName().equals(token.algorithm()))
                && (key.getKeyUse() == null || key.getKeyUse().equals(KeyUse.SIGNATURE))
                && (key.getKeyOperations() == null || key.getKeyOperations().contains(KeyOperation.VERIFY))
                && typeFits(key, token.algorithm());
    }

    private static boolean idFits(JWK key, String keyId) {
        return keyId.isEmpty() || keyId.equals(key.getKeyID());
    }

    private static boolean typeFits(JWK key, String algorithm) {
        return switch (key) {
            case RSAKey rsa -> !algorithm.startsWith("ES") && rsa.size() >= LEAST_RSA_BITS;
            case ECKey ec -> ec.getCurve().equals(CURVES.get(algorithm));
            default -> false;
        };
    }

    /** @param key that {@link #fits} */
    static boolean verifies(JWK key, Jws token) {
        try {
            JWSVerifier verifier = switch (key) {
                case RSAKey rsa -> new RSASSAVerifier(rsa.toRSAPublicKey());
                case ECKey ec -> curve(ec);
                default -> throw new IllegalArgumentException("no key of ours: " + key.getKeyType());
            };
            JWSHeader header = new JWSHeader(new JWSAlgorithm(token.algorithm()));
            return verifier.verify(header, token.signingInput(), Base64URL.encode(token.signature()));
        } catch (JOSEException notOfThisKey) {
            return false;
        }
    }

    private static JWSVerifier curve(ECKey key) throws JOSEException {
        ECDSAVerifier verifier = new ECDSAVerifier(key.toECPublicKey());
        Provider fastest = SignatureProvider.fastest();
        if (fastest != null) {
            verifier.getJCAContext().setProvider(fastest);
        }
        return verifier;
    }
}

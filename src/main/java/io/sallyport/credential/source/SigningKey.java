package io.sallyport.credential.source;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.RSAPrivateKey;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.jspecify.annotations.Nullable;

/** A private key that the broker proves itself with in signed assertions: RSA of 2048 bits or more (RS256), P-256 (ES256) or P-384 (ES384). */
final class SigningKey {

    private static final int SHORTEST_RSA = 2048;

    private final PrivateKey key;
    private final JWSAlgorithm algorithm;

    private SigningKey(PrivateKey key, JWSAlgorithm algorithm) {
        this.key = key;
        this.algorithm = algorithm;
    }

    /**
     * @param pem one plain private key, as PKCS#8 or as OpenSSL wrote them before
     * @param what it is, for the cause, as in {@code private-key}
     * @throws SourceFault of kind BAD, with nothing of the text
     */
    static SigningKey read(byte[] pem, String what) throws SourceFault {
        try (PEMParser parts =
                new PEMParser(new InputStreamReader(new ByteArrayInputStream(pem), StandardCharsets.US_ASCII))) {
            for (Object part = parts.readObject(); part != null; part = parts.readObject()) {
                PrivateKeyInfo key = switch (part) {
                    case PrivateKeyInfo plain -> plain;
                    case PEMKeyPair pair -> pair.getPrivateKeyInfo();
                    default -> null;
                };
                if (key != null) {
                    return of(new JcaPEMKeyConverter().getPrivateKey(key), what);
                }
            }
        } catch (IOException | RuntimeException e) {
            // Its message may quote the text, and the text holds a key.
            throw SourceFault.bad(
                    "its " + what + " can't be read as PEM (" + e.getClass().getSimpleName() + ")");
        }
        throw SourceFault.bad("its " + what + " holds no plain private key in PEM");
    }

    private static SigningKey of(PrivateKey key, String what) throws SourceFault {
        JWSAlgorithm algorithm = switch (key) {
            case RSAPrivateKey rsa when rsa.getModulus().bitLength() >= SHORTEST_RSA -> JWSAlgorithm.RS256;
            case ECPrivateKey curve -> algorithm(Curve.forECParameterSpec(curve.getParams()));
            default -> null;
        };
        if (algorithm == null) {
            throw SourceFault.bad("its " + what
                    + " is of a kind that issuers refuse; allowed: RSA of 2048 bits or more, P-256, P-384");
        }
        return new SigningKey(key, algorithm);
    }

    private static @Nullable JWSAlgorithm algorithm(@Nullable Curve curve) {
        return Curve.P_256.equals(curve) ? JWSAlgorithm.ES256 : Curve.P_384.equals(curve) ? JWSAlgorithm.ES384 : null;
    }

    /** @param keyId {@code kid} of the header; null for none */
    SignedJWT sign(JWTClaimsSet claims, @Nullable String keyId) {
        try {
            SignedJWT signed = new SignedJWT(
                    new JWSHeader.Builder(algorithm)
                            .type(com.nimbusds.jose.JOSEObjectType.JWT)
                            .keyID(keyId)
                            .build(),
                    claims);
            signed.sign(signer());
            return signed;
        } catch (JOSEException e) {
            throw new IllegalStateException("a key that was read can sign (" + algorithm + ")");
        }
    }

    private JWSSigner signer() throws JOSEException {
        return key instanceof ECPrivateKey curve ? new ECDSASigner(curve) : new RSASSASigner(key);
    }

    /** Some providers print a private key in full. */
    @Override
    public String toString() {
        return "SigningKey[" + algorithm + "]";
    }
}

package io.sallyport.grant;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.jwk.ECKey;
import io.sallyport.identity.SignatureProvider;
import java.security.Provider;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** One key with its signer (while it signs) and verifier, and until when a token of it can live. */
final class SigningKey {

    private final ECKey publicKey;
    private final @Nullable JWSSigner signer;
    private final JWSVerifier verifier;
    private final AtomicLong lastExpiry;

    /**
     * @param key with its private half while it signs, without once it is retired
     * @param lastExpiryMillis of the tokens signed before, as far as is known
     */
    SigningKey(ECKey key, long lastExpiryMillis) {
        this.publicKey = key.toPublicJWK();
        this.lastExpiry = new AtomicLong(lastExpiryMillis);
        Provider fastest = SignatureProvider.fastest();
        try {
            ECDSAVerifier checking = new ECDSAVerifier(publicKey);
            ECDSASigner signing = key.isPrivate() ? new ECDSASigner(key) : null;
            if (fastest != null) {
                checking.getJCAContext().setProvider(fastest);
                if (signing != null) {
                    signing.getJCAContext().setProvider(fastest);
                }
            }
            this.verifier = checking;
            this.signer = signing;
        } catch (JOSEException e) {
            throw new IllegalStateException("signing key " + key.getKeyID() + " is not an EC key on P-256", e);
        }
    }

    String kid() {
        return publicKey.getKeyID();
    }

    ECKey publicKey() {
        return publicKey;
    }

    JWSVerifier verifier() {
        return verifier;
    }

    /** Notes the token's end before it signs, so that the key is never withdrawn before the token is dead. */
    JWSSigner signerUntil(Instant expiry) {
        if (signer == null) {
            throw new IllegalStateException("key " + kid() + " is retired");
        }
        lastExpiry.accumulateAndGet(expiry.toEpochMilli(), Math::max);
        return signer;
    }

    long lastExpiry() {
        return lastExpiry.get();
    }
}

package io.sallyport.proxy.tls;

import java.io.IOException;
import java.math.BigInteger;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPrivateKeySpec;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.sec.ECPrivateKey;

/** Keys of authorities as they rest: PKCS#8. */
final class PrivateKeys {

    private PrivateKeys() {}

    /** @param encoded zeroed afterwards */
    static PrivateKey read(byte[] encoded) {
        try {
            return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(encoded));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("an authority's key can't be read", e);
        } finally {
            Arrays.fill(encoded, (byte) 0);
        }
    }

    /** @throws GeneralSecurityException for a kind of key that certificates of TLS servers are not signed with */
    static PrivateKey read(PrivateKeyInfo key) throws GeneralSecurityException, IOException {
        if (key.getPrivateKeyAlgorithm().getAlgorithm().equals(PKCSObjectIdentifiers.rsaEncryption)) {
            return KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(key.getEncoded()));
        }
        ASN1Encodable named = key.getPrivateKeyAlgorithm().getParameters();
        if (named == null) {
            throw new InvalidKeySpecException("a key without its curve");
        }
        // By its parts: what OpenSSL writes beside the number (RFC 5915 section 3, both optional), not every Java reads.
        AlgorithmParameters curve = AlgorithmParameters.getInstance("EC");
        curve.init(named.toASN1Primitive().getEncoded());
        BigInteger number = ECPrivateKey.getInstance(key.parsePrivateKey()).getKey();
        return KeyFactory.getInstance("EC")
                .generatePrivate(new ECPrivateKeySpec(number, curve.getParameterSpec(ECParameterSpec.class)));
    }
}

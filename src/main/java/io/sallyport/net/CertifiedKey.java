package io.sallyport.net;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECKey;
import java.security.interfaces.RSAKey;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPrivateKeySpec;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.openssl.PEMEncryptedKeyPair;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.pkcs.PKCS8EncryptedPrivateKeyInfo;

/**
 * A certificate with those above it and its private key, as PEM texts hold them (RFC 7468). The order of the chain is the text's; whether
 * each is signed by the next is for whoever uses it.
 *
 * @param chain the key's own certificate first
 */
public record CertifiedKey(List<X509Certificate> chain, PrivateKey key) {

    private static final int SHORTEST_RSA = 2048;
    private static final int SHORTEST_CURVE = 256;

    public CertifiedKey {
        chain = List.copyOf(chain);
    }

    /** What a text holds, or why it can't be used. */
    public sealed interface Read {
        record Fit(CertifiedKey held) implements Read {}

        /** @param reason a sentence's end, with nothing of the key */
        record Unfit(String reason) implements Read {}
    }

    public static Read read(byte[] pem) {
        List<X509Certificate> chain = new ArrayList<>();
        List<PrivateKey> keys = new ArrayList<>();
        try (PEMParser parts =
                new PEMParser(new InputStreamReader(new ByteArrayInputStream(pem), StandardCharsets.US_ASCII))) {
            for (Object part = parts.readObject(); part != null; part = parts.readObject()) {
                switch (part) {
                    case X509CertificateHolder certificate -> chain.add(certificate(certificate));
                    case PrivateKeyInfo key -> keys.add(key(key));
                    case PEMKeyPair pair -> keys.add(key(pair.getPrivateKeyInfo()));
                    case PEMEncryptedKeyPair ignored -> {
                        return encrypted();
                    }
                    case PKCS8EncryptedPrivateKeyInfo ignored -> {
                        return encrypted();
                    }
                    // Older tools write the curve in front of the key.
                    default -> {}
                }
            }
        } catch (IOException | GeneralSecurityException e) {
            // Its message may quote the text, and the text holds a key.
            return new Read.Unfit("can't be read as PEM (" + e.getClass().getSimpleName() + ")");
        }
        return fit(chain, keys);
    }

    private static Read fit(List<X509Certificate> chain, List<PrivateKey> keys) {
        if (chain.isEmpty() || keys.size() != 1) {
            return new Read.Unfit(
                    "holds " + chain.size() + " certificates and " + keys.size()
                            + " private keys; allowed: the certificate, those above it in order, and its one private key, in PEM");
        }
        CertifiedKey held = new CertifiedKey(chain, keys.getFirst());
        if (held.tooShort()) {
            return new Read.Unfit(
                    "has a " + held.key.getAlgorithm()
                            + " key that others refuse; allowed: RSA of 2048 bits or more, or a curve of 256 bits or more (P-256, P-384)");
        }
        return held.matches()
                ? new Read.Fit(held)
                : new Read.Unfit("has a private key that is not that of its first certificate, "
                        + chain.getFirst().getSubjectX500Principal().getName());
    }

    private static Read encrypted() {
        return new Read.Unfit("has an encrypted private key; allowed: a plain one that its owner alone can read");
    }

    private static X509Certificate certificate(X509CertificateHolder holder)
            throws IOException, GeneralSecurityException {
        return (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(holder.getEncoded()));
    }

    private static PrivateKey key(PrivateKeyInfo key) throws IOException, GeneralSecurityException {
        if (key.getPrivateKeyAlgorithm().getAlgorithm().equals(PKCSObjectIdentifiers.rsaEncryption)) {
            return KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(key.getEncoded()));
        }
        ASN1Encodable named = key.getPrivateKeyAlgorithm().getParameters();
        if (named == null) {
            throw new InvalidKeySpecException("neither RSA nor on a named curve");
        }
        // By its parts: what OpenSSL writes beside the number (RFC 5915 section 3) not every Java reads.
        AlgorithmParameters curve = AlgorithmParameters.getInstance("EC");
        curve.init(named.toASN1Primitive().getEncoded());
        BigInteger number = ECPrivateKey.getInstance(key.parsePrivateKey()).getKey();
        return KeyFactory.getInstance("EC")
                .generatePrivate(new ECPrivateKeySpec(number, curve.getParameterSpec(ECParameterSpec.class)));
    }

    private boolean tooShort() {
        return switch (key) {
            case RSAKey rsa -> rsa.getModulus().bitLength() < SHORTEST_RSA;
            case ECKey curve -> curve.getParams().getOrder().bitLength() < SHORTEST_CURVE;
            default -> true;
        };
    }

    /** Whether what the key signs, the certificate verifies. */
    private boolean matches() {
        try {
            Signature signature = Signature.getInstance(key instanceof RSAKey ? "SHA256withRSA" : "SHA256withECDSA");
            byte[] text = chain.getFirst().getEncoded();
            signature.initSign(key);
            signature.update(text);
            byte[] signed = signature.sign();
            signature.initVerify(chain.getFirst().getPublicKey());
            signature.update(text);
            return signature.verify(signed);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    /** Names the certificate only: some providers print a private key in full. */
    @Override
    public String toString() {
        return "CertifiedKey[" + chain.getFirst().getSubjectX500Principal() + "]";
    }
}

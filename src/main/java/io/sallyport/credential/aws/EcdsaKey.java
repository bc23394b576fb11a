package io.sallyport.credential.aws;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPrivateKeySpec;
import java.security.spec.ECPublicKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import org.bouncycastle.jce.ECNamedCurveTable;
import org.jspecify.annotations.Nullable;

/**
 * Version 4a: a key pair on P-256 that the access key determines (NIST SP 800-108 in counter mode; a candidate beyond the curve's order is
 * passed over). A number of Java's can't be zeroed: the private key goes with the garbage.
 */
final class EcdsaKey implements SigningKey {

    private static final String CURVE = "secp256r1";
    private static final String SCHEME = "SHA256withECDSA";
    private static final ECParameterSpec P256 = p256();
    private static final BigInteger GREATEST = P256.getOrder().subtract(BigInteger.TWO);

    /** The counter is one octet, and its last value is not used. */
    private static final int LAST_COUNTER = 254;

    private final BigInteger scalar;
    private final PrivateKey privateKey;
    private @Nullable PublicKey publicKey;

    private EcdsaKey(BigInteger scalar) {
        this.scalar = scalar;
        try {
            this.privateKey = KeyFactory.getInstance("EC").generatePrivate(new ECPrivateKeySpec(scalar, P256));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has P-256", e);
        }
    }

    static EcdsaKey derive(AccessKey access) {
        byte[] prefix = "AWS4A".getBytes(StandardCharsets.US_ASCII);
        byte[] secret = access.secret();
        byte[] input = Arrays.copyOf(prefix, prefix.length + secret.length);
        System.arraycopy(secret, 0, input, prefix.length, secret.length);
        try {
            for (int counter = 1; counter <= LAST_COUNTER; counter++) {
                byte[] candidate = Sha256.hmac(input, fixedInput(access.id(), counter));
                BigInteger number = new BigInteger(1, candidate);
                Arrays.fill(candidate, (byte) 0);
                if (number.compareTo(GREATEST) <= 0) {
                    return new EcdsaKey(number.add(BigInteger.ONE));
                }
            }
        } finally {
            Arrays.fill(input, (byte) 0);
        }
        throw new IllegalStateException("no key can be derived from this access key");
    }

    /** The first block, the label, a zero, the context, and the key's length in bits. */
    private static byte[] fixedInput(String id, int counter) {
        byte[] label = Algorithm.ECDSA.label().getBytes(StandardCharsets.US_ASCII);
        byte[] context = id.getBytes(StandardCharsets.UTF_8);
        byte[] input = new byte[4 + label.length + 1 + context.length + 1 + 4];
        input[3] = 1;
        System.arraycopy(label, 0, input, 4, label.length);
        System.arraycopy(context, 0, input, 5 + label.length, context.length);
        input[input.length - 5] = (byte) counter;
        input[input.length - 2] = 1;
        return input;
    }

    @Override
    public Algorithm algorithm() {
        return Algorithm.ECDSA;
    }

    @Override
    public String sign(String stringToSign) {
        try {
            Signature signature = Signature.getInstance(SCHEME);
            signature.initSign(privateKey);
            signature.update(stringToSign.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java signs with P-256", e);
        }
    }

    @Override
    public boolean verifies(String stringToSign, String signature) {
        try {
            Signature verifier = Signature.getInstance(SCHEME);
            verifier.initVerify(publicKey());
            verifier.update(stringToSign.getBytes(StandardCharsets.UTF_8));
            return verifier.verify(HexFormat.of().parseHex(signature));
        } catch (SignatureException | IllegalArgumentException e) {
            // Not the form of a signature at all.
            return false;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java verifies with P-256", e);
        }
    }

    /** Asked of keys that are no secret: those that agents sign with. */
    PublicKey publicKey() throws GeneralSecurityException {
        PublicKey known = publicKey;
        if (known == null) {
            var point = ECNamedCurveTable.getParameterSpec(CURVE)
                    .getG()
                    .multiply(scalar)
                    .normalize();
            ECPoint affine = new ECPoint(
                    point.getAffineXCoord().toBigInteger(),
                    point.getAffineYCoord().toBigInteger());
            known = KeyFactory.getInstance("EC").generatePublic(new ECPublicKeySpec(affine, P256));
            publicKey = known;
        }
        return known;
    }

    @Override
    public void close() {
        // See above.
    }

    private static ECParameterSpec p256() {
        try {
            AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
            parameters.init(new ECGenParameterSpec(CURVE));
            return parameters.getParameterSpec(ECParameterSpec.class);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has P-256", e);
        }
    }
}

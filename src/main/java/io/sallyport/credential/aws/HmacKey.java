package io.sallyport.credential.aws;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;

/** Version 4: a chain of HMACs over day, region, service and a constant. */
final class HmacKey implements SigningKey {

    private final byte[] key;

    private HmacKey(byte[] key) {
        this.key = key;
    }

    static HmacKey derive(AccessKey access, CredentialScope scope) {
        byte[] prefix = "AWS4".getBytes(StandardCharsets.US_ASCII);
        byte[] secret = access.secret();
        byte[] first = Arrays.copyOf(prefix, prefix.length + secret.length);
        System.arraycopy(secret, 0, first, prefix.length, secret.length);
        byte[] day = step(first, scope.date());
        byte[] region = step(day, scope.regions());
        byte[] service = step(region, scope.service());
        return new HmacKey(step(service, "aws4_request"));
    }

    /** The key of each step is of no use after it. */
    private static byte[] step(byte[] key, String message) {
        byte[] next = Sha256.hmac(key, message);
        Arrays.fill(key, (byte) 0);
        return next;
    }

    @Override
    public Algorithm algorithm() {
        return Algorithm.HMAC;
    }

    @Override
    public String sign(String stringToSign) {
        return HexFormat.of().formatHex(Sha256.hmac(key, stringToSign));
    }

    @Override
    public boolean verifies(String stringToSign, String signature) {
        return MessageDigest.isEqual(
                sign(stringToSign).getBytes(StandardCharsets.US_ASCII), signature.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        Arrays.fill(key, (byte) 0);
    }
}

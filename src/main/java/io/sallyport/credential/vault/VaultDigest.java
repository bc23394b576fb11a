package io.sallyport.credential.vault;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Tells one content from the next under a key that only this process has: a plain hash of a secret could be guessed at, and a version's
 * number says nothing when a secret was deleted and written anew.
 */
record VaultDigest(String hex) {

    private static final SecretKeySpec KEY = key();

    private static SecretKeySpec key() {
        byte[] random = new byte[32];
        new SecureRandom().nextBytes(random);
        return new SecretKeySpec(random, "HmacSHA256");
    }

    static VaultDigest of(Map<String, byte[]> parts) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(KEY);
            new TreeMap<>(parts).forEach((name, bytes) -> {
                mac.update((name + " " + bytes.length + " ").getBytes(UTF_8));
                mac.update(bytes);
            });
            return new VaultDigest(HexFormat.of().formatHex(mac.doFinal()));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has HmacSHA256", e);
        }
    }
}

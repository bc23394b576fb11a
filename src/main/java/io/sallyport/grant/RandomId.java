package io.sallyport.grant;

import java.security.SecureRandom;
import java.util.Base64;

/** Names that nobody can guess, with a prefix that says what they name: {@code task_…}, {@code grant_…}. */
public final class RandomId {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int BYTES = 18; // 144 bits: 24 characters of base64url without padding

    private RandomId() {}

    /** @param prefix lower-case letters, as in {@code task} */
    public static String of(String prefix) {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return prefix + "_" + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}

package io.sallyport.credential.injection;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What many have for a secret, and what turns up in good data: neither keeps anybody out, and masking it would destroy the data. */
final class CommonSecrets {

    private static final int FEWEST_CHARACTERS = 5;

    private static final List<String> WORDS = List.of(
            "password",
            "passw0rd",
            "passwort",
            "changeme",
            "change-me",
            "change_me",
            "secret",
            "topsecret",
            "default",
            "letmein",
            "welcome",
            "admin",
            "administrator",
            "example",
            "undefined",
            "placeholder",
            "your-api-key",
            "your_api_key",
            "yourapikey",
            "api-key",
            "api_key",
            "apikey",
            "access-token",
            "access_token",
            "bearer",
            "token",
            "testtest",
            "test",
            "production",
            "development",
            "localhost",
            "username",
            "sunshine",
            "iloveyou",
            "trustno1");

    private static final List<String> ROWS = List.of(
            "01234567890123456789",
            "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz",
            "qwertyuiopasdfghjklzxcvbnm",
            "qwertzuiopasdfghjklyxcvbnm",
            "azertyuiopqsdfghjklmwxcvbn",
            "1qaz2wsx3edc4rfv5tgb6yhn7ujm",
            "1q2w3e4r5t6y7u8i9o0p",
            "0123456789abcdef0123456789abcdef");

    private CommonSecrets() {}

    /** What kind of thing is wrong with it, as in {@code "has …"}; null for nothing. */
    static @Nullable String problem(byte[] secret) {
        if (different(secret) < FEWEST_CHARACTERS) {
            return "has fewer than " + FEWEST_CHARACTERS + " different characters: it would be masked in good data";
        }
        String folded = new String(secret, StandardCharsets.US_ASCII).toLowerCase(Locale.ROOT);
        boolean row = ROWS.stream().anyMatch(all -> all.contains(folded) || all.contains(backwards(folded)));
        return row || WORDS.contains(word(folded))
                ? "is one that many have: it keeps nobody out, and would be masked in good data"
                : null;
    }

    private static long different(byte[] secret) {
        return new String(secret, StandardCharsets.US_ASCII).chars().distinct().count();
    }

    /** Without the digits and the punctuation that people put behind a word. */
    private static String word(String folded) {
        int end = folded.length();
        while (end > 0 && !Character.isLetter(folded.charAt(end - 1)) && !WORDS.contains(folded.substring(0, end))) {
            end--;
        }
        return folded.substring(0, end);
    }

    private static String backwards(String text) {
        return new StringBuilder(text).reverse().toString();
    }
}

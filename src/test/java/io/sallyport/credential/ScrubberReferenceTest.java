package io.sallyport.credential;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The scrubber against a slow reference that tries every way to spell each form, at each byte. */
class ScrubberReferenceTest {

    private static final String ALPHABET = "ab\\%&/+ <1=";
    private static final Map<Character, List<String>> WAYS = new HashMap<>();

    @Test
    void random_content_in_random_pieces_is_masked_as_the_reference_masks_it() {
        Random random = new Random(42);
        for (int round = 0; round < 400; round++) {
            String secret = secret(random);
            String content = content(random, secret);
            String expected = reference(secret, content);

            assertThat(inPieces(random, secret, content))
                    .as("round %d, secret %s, content %s", round, secret, content)
                    .isEqualTo(expected);
        }
    }

    /** Few letters and all the characters that spell, so that matches overlap and nearly happen all the time. */
    private static String secret(Random random) {
        StringBuilder secret = new StringBuilder();
        int length = 8 + random.nextInt(4);
        while (secret.length() < length) {
            secret.append(ALPHABET.charAt(random.nextInt(random.nextBoolean() ? 3 : ALPHABET.length())));
        }
        return secret.toString();
    }

    private static String content(Random random, String secret) {
        StringBuilder content = new StringBuilder();
        int pieces = 1 + random.nextInt(5);
        for (int piece = 0; piece < pieces; piece++) {
            content.append(
                    switch (random.nextInt(7)) {
                        case 0 -> secret;
                        case 1 -> secret.substring(0, random.nextInt(secret.length()));
                        case 2 -> secret.substring(random.nextInt(secret.length()));
                        case 3 -> spelled(random, secret);
                        case 4 ->
                            Base64.getEncoder()
                                    .encodeToString(ScrubberTest.bytes("xy".substring(random.nextInt(3)) + secret));
                        case 5 -> HexFormat.of().formatHex(ScrubberTest.bytes(secret));
                        default ->
                            String.valueOf(ALPHABET.charAt(random.nextInt(ALPHABET.length())))
                                    .repeat(random.nextInt(4));
                    });
        }
        return content.toString();
    }

    private static String spelled(Random random, String secret) {
        StringBuilder spelled = new StringBuilder();
        for (char c : secret.toCharArray()) {
            spelled.append(
                    switch (random.nextInt(6)) {
                        case 0 -> "%%%02x".formatted((int) c);
                        case 1 -> "\\u%04X".formatted((int) c);
                        case 2 -> "&#%d;".formatted((int) c);
                        case 3 -> Character.isLetterOrDigit(c) ? "" + c : "\\" + c;
                        default -> "" + c;
                    });
        }
        return spelled.toString();
    }

    private static String inPieces(Random random, String secret, String content) {
        byte[] bytes = ScrubberTest.bytes(content);
        Scrubber scrubber = new MaskingScrubber(new ShapeSet(SecretShapes.of(ScrubberTest.bytes(secret))));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int at = 0;
        while (at < bytes.length) {
            int length = Math.min(random.nextInt(12), bytes.length - at);
            ByteBuffer passed = scrubber.push(ByteBuffer.wrap(bytes, at, length), false);
            out.write(passed.array(), passed.arrayOffset() + passed.position(), passed.remaining());
            at += length;
        }
        ByteBuffer passed = scrubber.push(ByteBuffer.allocate(0), true);
        out.write(passed.array(), passed.arrayOffset() + passed.position(), passed.remaining());
        return out.toString(StandardCharsets.ISO_8859_1);
    }

    private static String reference(String secret, String content) {
        char[] masked = content.toCharArray();
        for (List<String> form : forms(secret)) {
            for (int start = 0; start < content.length(); start++) {
                int end = longest(form, content, start);
                if (end > 0) {
                    Arrays.fill(masked, start, end, '*');
                }
            }
        }
        return new String(masked);
    }

    private static int longest(List<String> places, String content, int start) {
        Set<Integer> ends = Set.of(start);
        for (String place : places) {
            Set<Integer> further = new TreeSet<>();
            for (int at : ends) {
                for (char c : place.toCharArray()) {
                    waysOf(c).stream()
                            .filter(way -> startsWith(content, at, way))
                            .forEach(way -> further.add(at + way.length()));
                }
            }
            ends = further;
        }
        return ends.stream().mapToInt(end -> end).max().orElse(-1);
    }

    /** Escapes are read without regard to case, the character itself with. */
    private static boolean startsWith(String content, int at, String way) {
        return content.regionMatches(way.length() > 2, at, way, 0, way.length());
    }

    private static List<List<String>> forms(String secret) {
        List<List<String>> forms = new ArrayList<>();
        forms.add(secret.chars().mapToObj(c -> c == ' ' ? " +" : "" + (char) c).toList());
        String hex = HexFormat.of().formatHex(ScrubberTest.bytes(secret));
        forms.add(hex.chars()
                .mapToObj(c -> (char) c + ("" + (char) c).toUpperCase(Locale.ROOT))
                .toList());
        for (int offset = 0; offset < 3; offset++) {
            forms.add(base64Places(secret, offset));
        }
        return forms;
    }

    /** By encoding the secret between all neighbours that matter, instead of by counting bits. */
    private static List<String> base64Places(String secret, int offset) {
        List<StringBuilder> places = new ArrayList<>();
        int after = (6 - (offset + secret.length()) % 3) % 3;
        for (int neighbour = 0; neighbour < 256; neighbour++) {
            byte[] whole = new byte[offset + secret.length() + after];
            Arrays.fill(whole, (byte) neighbour);
            System.arraycopy(ScrubberTest.bytes(secret), 0, whole, offset, secret.length());
            String encoded = Base64.getEncoder().encodeToString(whole);
            String part = encoded.substring(8 * offset / 6, (8 * (offset + secret.length()) - 1) / 6 + 1);
            for (int i = 0; i < part.length(); i++) {
                if (places.size() <= i) {
                    places.add(new StringBuilder());
                }
                char c = part.charAt(i);
                String both = c == '+' ? "+-" : c == '/' ? "/_" : "" + c;
                if (places.get(i).indexOf(both) < 0) {
                    places.get(i).append(both);
                }
            }
        }
        return places.stream().map(StringBuilder::toString).toList();
    }

    private static List<String> waysOf(char c) {
        return WAYS.computeIfAbsent(c, ScrubberReferenceTest::allWaysOf);
    }

    private static List<String> allWaysOf(char c) {
        List<String> ways = new ArrayList<>(List.of("" + c));
        for (String format : List.of("%%%02x", "\\u%04x", "\\x%02x")) {
            ways.add(format.formatted((int) c));
        }
        for (String prefix : List.of("&#", "&#x")) {
            String digits = prefix.equals("&#") ? "" + (int) c : Integer.toHexString(c);
            for (int zeros = 0; prefix.length() + zeros + digits.length() + 1 <= 10; zeros++) {
                ways.add(prefix + "0".repeat(zeros) + digits + ";");
            }
        }
        if (!Character.isLetterOrDigit(c) && c > ' ') {
            ways.add("\\" + c);
        }
        if (c == '&' || c == '<') {
            ways.add(c == '&' ? "&amp;" : "&lt;");
        }
        return ways;
    }
}

package io.sallyport.credential;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * An agent that can have text of its choice sent back, in pieces of its choice, sees what is held back. It gains nothing: what it sees is
 * the same for every secret of that length.
 */
class ScrubberOracleTest {

    private static final String SECRET = "ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8";

    private static MaskingScrubber scrubber(String user, String secret) {
        byte[] bytes = ScrubberTest.bytes(secret);
        return new MaskingScrubber(new ShapeSet(
                user.isEmpty()
                        ? SecretShapes.of(bytes)
                        : SecretShapes.ofBasic(bytes, ScrubberTest.bytes(user + ":" + secret))));
    }

    /** How many bytes pass with each piece. */
    private static List<Integer> seen(Scrubber scrubber, List<byte[]> pieces) {
        return pieces.stream()
                .map(piece -> scrubber.push(ByteBuffer.wrap(piece), false).remaining())
                .toList();
    }

    @Test
    void two_hundred_and_fifty_six_probes_a_byte_tell_which_bytes_are_printable_and_nothing_of_the_secret() {
        for (String spelled : List.of("plain", "base64", "hex", "percent")) {
            for (int known = 0; known < SECRET.length(); known++) {
                Map<Integer, List<Integer>> byClass = new TreeMap<>();
                for (int guess = 0; guess < 256; guess++) {
                    byte[] probe = ScrubberTest.bytes(
                            "stored: " + spelled(SECRET.substring(0, known), spelled) + (char) guess);
                    List<Integer> seen = seen(scrubber("", SECRET), List.of(probe, new byte[0]));
                    assertThat(byClass.computeIfAbsent(classOf(guess), c -> seen))
                            .as("%s, %d known, then %d", spelled, known, guess)
                            .isEqualTo(seen);
                }
            }
        }
    }

    private static int classOf(int b) {
        return b < ' ' || b > '~' ? 0 : Spelling.begins((byte) b) ? 1 : 2;
    }

    private static String spelled(String part, String how) {
        byte[] bytes = ScrubberTest.bytes(part);
        return switch (how) {
            case "base64" -> Base64.getEncoder().withoutPadding().encodeToString(bytes);
            case "hex" -> HexFormat.of().formatHex(bytes);
            case "percent" -> HexFormat.of().withPrefix("%").formatHex(bytes);
            default -> part;
        };
    }

    /**
     * A clock tells no more than what is held back does: content of seven right characters in each eight, in every order and spelling, is
     * looked at no more closely than any other.
     */
    @Test
    void no_byte_is_looked_at_more_closely_for_what_is_right_of_it() {
        Random random = new Random(7);
        Search search = new Search(new ShapeSet(SecretShapes.of(ScrubberTest.bytes(SECRET))));
        for (String spelled : List.of("plain", "base64", "hex", "percent")) {
            String whole = spelled(SECRET, spelled);
            int unit = spelled.equals("percent") ? 3 : 1;
            StringBuilder content = new StringBuilder();
            while (content.length() < 100_000) {
                int from = random.nextInt(whole.length() / unit - 7) * unit;
                content.append(whole, from, from + 7 * unit).append('.');
            }
            byte[] bytes = ScrubberTest.bytes(content.toString());
            search.find(bytes, 0, bytes.length);
            assertThat(search.followed()).as(spelled).isZero();
        }
        byte[] echo = ScrubberTest.bytes("x" + SECRET + " " + spelled(SECRET, "percent"));
        search.find(echo, 0, echo.length);
        assertThat(search.followed()).isPositive();
        assertThat(search.occurrences(0, echo.length)).isEqualTo(2);
    }

    @Test
    void what_passes_and_when_is_the_same_for_every_secret_of_that_length() {
        Random random = new Random(5);
        for (int round = 0; round < 2_000; round++) {
            int length = 8 + random.nextInt(40);
            String user = random.nextInt(3) == 0 ? "user-" + round : "";
            String guessed = secret(random, length);
            String other = secret(random, length);
            List<byte[]> pieces = pieces(random, guessed);

            assertThat(seen(scrubber(user, guessed), pieces))
                    .as("round %d, %s and %s", round, guessed, other)
                    .isEqualTo(seen(scrubber(user, other), pieces));
        }
    }

    private static String secret(Random random, int length) {
        return random.ints(length, '!', '~' + 1)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /** Beginnings, ends and the whole of the secret in every spelling, line ends and noise, cut anywhere. */
    private static List<byte[]> pieces(Random random, String secret) {
        StringBuilder content = new StringBuilder();
        for (int part = random.nextInt(8); part >= 0; part--) {
            String taken = secret.substring(0, random.nextInt(secret.length() + 1));
            content.append(
                    switch (random.nextInt(6)) {
                        case 0 -> spelled(taken, "base64");
                        case 1 -> spelled(taken, "hex");
                        case 2 -> spelled(taken, "percent");
                        case 3 -> "\n";
                        case 4 -> secret(random, random.nextInt(200));
                        default -> taken;
                    });
        }
        List<byte[]> pieces = new ArrayList<>();
        for (int at = 0; at < content.length(); ) {
            int until = Math.min(content.length(), at + 1 + random.nextInt(60));
            pieces.add(ScrubberTest.bytes(content.substring(at, until)));
            at = until;
        }
        return pieces;
    }
}

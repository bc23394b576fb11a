package io.sallyport.credential;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScrubberTest {

    private static final String PLAIN = "ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8";
    private static final String HARD = "p/a+s s\"w<o>r&d\\%41'=~?{}|^`end";

    private static Scrubber scrubber(String... secrets) {
        List<Shape> shapes = new ArrayList<>();
        for (String secret : secrets) {
            shapes.addAll(SecretShapes.of(bytes(secret)));
        }
        return new MaskingScrubber(new ShapeSet(shapes));
    }

    private static Scrubber basicScrubber(String user, String secret) {
        return new MaskingScrubber(new ShapeSet(SecretShapes.ofBasic(bytes(secret), bytes(user + ":" + secret))));
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String scrubbed(Scrubber scrubber, String content) {
        return StandardCharsets.ISO_8859_1
                .decode(scrubber.push(ByteBuffer.wrap(bytes(content)), true))
                .toString();
    }

    private static String stars(int count) {
        return "*".repeat(count);
    }

    @ParameterizedTest
    @ValueSource(strings = {PLAIN, HARD})
    void every_form_of_a_secret_is_masked_whole_and_what_stands_around_it_is_untouched(String secret) {
        forms(secret).forEach((form, echoed) -> {
            String content = "{\"seen\": <" + echoed + ">}";
            Scrubber scrubber = scrubber(secret);

            assertThat(scrubbed(scrubber, content)).as(form).isEqualTo("{\"seen\": <" + stars(echoed.length()) + ">}");
            assertThat(scrubber.masked()).as(form).isTrue();
            assertThat(scrubber(secret).text(content))
                    .as(form)
                    .isEqualTo("{\"seen\": <" + stars(echoed.length()) + ">}");
        });
    }

    private static Map<String, String> forms(String secret) {
        Map<String, String> forms = new LinkedHashMap<>();
        String percent = URLEncoder.encode(secret, StandardCharsets.US_ASCII);
        forms.put("raw", secret);
        forms.put("form-encoded", percent);
        forms.put("percent, lower hex", lowerEscapes(percent));
        forms.put("percent, space as %20", percent.replace("+", "%20"));
        forms.put("percent, every character, upper", each(secret, "%%%02X"));
        forms.put("percent, every character, lower", each(secret, "%%%02x"));
        forms.put("JSON, least", secret.replace("\\", "\\\\").replace("\"", "\\\""));
        forms.put(
                "JSON with \\/",
                secret.replace("\\", "\\\\").replace("\"", "\\\"").replace("/", "\\/"));
        forms.put("JSON, every character, lower", each(secret, "\\u%04x"));
        forms.put("JSON, every character, upper", each(secret, "\\u%04X"));
        forms.put(
                "JSON, HTML-safe",
                secret.replace("\\", "\\\\")
                        .replace("\"", "\\\"")
                        .replace("<", "\\u003c")
                        .replace(">", "\\u003E")
                        .replace("&", "\\u0026"));
        forms.put("backslash x", each(secret, "\\x%02x"));
        forms.put(
                "HTML, named",
                secret.replace("&", "&amp;")
                        .replace("<", "&lt;")
                        .replace(">", "&gt;")
                        .replace("\"", "&quot;")
                        .replace("'", "&apos;"));
        forms.put("HTML, decimal", each(secret, "&#%d;"));
        forms.put("HTML, hex", each(secret, "&#x%X;"));
        forms.put("HTML, padded", each(secret, "&#%05d;"));
        forms.put("hex, lower", HexFormat.of().formatHex(bytes(secret)));
        forms.put("hex, upper", HexFormat.of().withUpperCase().formatHex(bytes(secret)));
        return forms;
    }

    private static String each(String secret, String format) {
        StringBuilder all = new StringBuilder();
        secret.chars().forEach(c -> all.append(format.formatted(c)));
        return all.toString();
    }

    private static String lowerEscapes(String percent) {
        StringBuilder lower = new StringBuilder(percent);
        for (int i = percent.indexOf('%'); i >= 0; i = percent.indexOf('%', i + 1)) {
            lower.replace(i, i + 3, percent.substring(i, i + 3).toLowerCase(Locale.ROOT));
        }
        return lower.toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {PLAIN, HARD, "12345678"})
    void base64_at_every_offset_in_both_alphabets_with_and_without_padding_shows_no_bit_of_the_secret(String secret) {
        Random random = new Random(7);
        for (int before = 0; before < 6; before++) {
            for (int after = 0; after < 4; after++) {
                byte[] around = new byte[before + secret.length() + after];
                random.nextBytes(around);
                System.arraycopy(bytes(secret), 0, around, before, secret.length());
                for (Base64.Encoder encoder : List.of(
                        Base64.getEncoder(),
                        Base64.getEncoder().withoutPadding(),
                        Base64.getUrlEncoder(),
                        Base64.getUrlEncoder().withoutPadding())) {
                    String encoded = encoder.encodeToString(around);
                    int first = 8 * before / 6;
                    int last = (8 * (before + secret.length()) - 1) / 6;
                    String expected =
                            encoded.substring(0, first) + stars(last + 1 - first) + encoded.substring(last + 1);
                    assertThat(scrubbed(scrubber(secret), encoded)).isEqualTo(expected);
                }
            }
        }
    }

    @Test
    void base64_that_was_encoded_again_for_json_or_a_form_is_masked() {
        String secret = "??????>>>>>>secret";
        String base64 = Base64.getEncoder().encodeToString(bytes(secret));
        assertThat(base64).contains("/");

        for (String echoed :
                List.of(base64.replace("/", "\\/"), base64.replace("/", "%2F"), base64.replace("/", "\\u002f"))) {
            assertThat(scrubbed(scrubber(secret), "\"" + echoed + "\""))
                    .isEqualTo("\"" + stars(echoed.length()) + "\"");
        }
    }

    @Test
    void the_pair_of_basic_is_masked_in_base64_at_every_offset_and_encoded_once_more() {
        String pair = "deploy-bot:" + PLAIN;
        String wire = Base64.getEncoder().encodeToString(bytes(pair));
        Scrubber scrubber = basicScrubber("deploy-bot", PLAIN);

        assertThat(scrubbed(scrubber, "Authorization: Basic " + wire)
                        .replace("*", "")
                        .replace("=", ""))
                .isEqualTo("Authorization: Basic ");
        for (String before : List.of("", "x", "xx")) {
            String shifted = Base64.getEncoder().withoutPadding().encodeToString(bytes(before + pair));
            assertThat(scrubbed(basicScrubber("deploy-bot", PLAIN), shifted)
                            .replace("*", "")
                            .length())
                    .isLessThan(4);
            String again = Base64.getEncoder().withoutPadding().encodeToString(bytes(before + wire));
            assertThat(scrubbed(basicScrubber("deploy-bot", PLAIN), again)
                            .replace("*", "")
                            .length())
                    .isLessThan(6);
        }
        assertThat(scrubbed(basicScrubber("deploy-bot", PLAIN), HexFormat.of().formatHex(bytes(wire))))
                .startsWith(stars(80));
    }

    @Test
    void an_encoder_that_escapes_at_random_is_followed() {
        Random random = new Random(11);
        String[] formats = {"%%%02x", "%%%02X", "\\u%04x", "\\x%02x", "&#%d;", "&#x%x;"};
        for (int round = 0; round < 500; round++) {
            StringBuilder echoed = new StringBuilder();
            for (char c : HARD.toCharArray()) {
                echoed.append(
                        random.nextBoolean()
                                ? String.valueOf(c)
                                : formats[random.nextInt(formats.length)].formatted((int) c));
            }
            assertThat(scrubbed(scrubber(HARD), "[" + echoed + "]")).isEqualTo("[" + stars(echoed.length()) + "]");
        }
    }

    @Test
    void of_two_secrets_where_one_contains_the_other_the_longer_is_masked_whole() {
        String longer = PLAIN + "-and-more";

        assertThat(scrubbed(scrubber(PLAIN, longer), "<" + longer + ">")).isEqualTo("<" + stars(longer.length()) + ">");
        assertThat(scrubbed(scrubber(longer, PLAIN), "<" + PLAIN + "-and->"))
                .isEqualTo("<" + stars(PLAIN.length()) + "-and->");
        assertThat(scrubbed(scrubber("inside-it", "all-inside-it-all"), "all-inside-it-all"))
                .isEqualTo(stars(17));
    }

    @Test
    void two_secrets_that_overlap_in_the_content_are_both_masked() {
        assertThat(scrubbed(scrubber("abcdefgh", "efghijkl"), "-abcdefghijkl-")).isEqualTo("-" + stars(12) + "-");
    }

    @Test
    void upper_case_and_utf_16_are_not_masked_as_the_reference_says() {
        String upper = PLAIN.toUpperCase(Locale.ROOT);
        String wide = new String(PLAIN.getBytes(StandardCharsets.UTF_16LE), StandardCharsets.ISO_8859_1);

        assertThat(scrubbed(scrubber(PLAIN), upper)).isEqualTo(upper);
        assertThat(scrubbed(scrubber(PLAIN), wide)).isEqualTo(wide);
    }

    @Test
    void a_masked_json_text_still_parses() {
        String json = "{\"a\": \"" + HARD.replace("\\", "\\\\").replace("\"", "\\\"") + "\", \"b\": 1}";

        var tree = tools.jackson.databind.json.JsonMapper.shared().readTree(scrubbed(scrubber(HARD), json));

        assertThat(tree.get("a").asString()).matches("\\*+");
        assertThat(tree.get("b").asInt()).isOne();
    }

    @Test
    void a_secret_cut_in_two_at_any_place_is_never_visible_and_the_length_stays_right() {
        forms(HARD).forEach((form, echoed) -> {
            String content = "before " + echoed + " after";
            for (int cut = 0; cut <= content.length(); cut++) {
                String out = pushed(scrubber(HARD), content, cut);
                assertThat(out).as(form + " cut at " + cut).isEqualTo("before " + stars(echoed.length()) + " after");
            }
        });
    }

    @Test
    void a_secret_that_comes_byte_by_byte_is_never_visible() {
        forms(HARD).forEach((form, echoed) -> {
            String content = "before " + echoed + " after";
            int[] cuts = new int[content.length()];
            for (int i = 0; i < cuts.length; i++) {
                cuts[i] = i;
            }
            assertThat(pushed(scrubber(HARD), content, cuts))
                    .as(form)
                    .isEqualTo("before " + stars(echoed.length()) + " after");
        });
    }

    @Test
    void everything_before_the_tail_goes_on_at_once_and_the_tail_waits_for_the_next_bytes() {
        Scrubber scrubber = scrubber(PLAIN);
        String start = PLAIN.substring(0, 5);
        // The longest form is hexadecimal, two digits for each byte.
        int tail = 2 * PLAIN.length() - 1;
        String before = "x".repeat(200);

        assertThat(text(scrubber.push(ByteBuffer.wrap(bytes(before + start)), false)))
                .isEqualTo("x".repeat(205 - tail));
        assertThat(text(scrubber.push(ByteBuffer.allocate(0), false))).isEmpty();
        assertThat(text(scrubber.push(ByteBuffer.wrap(bytes("!\n\n")), false)))
                .isEqualTo("x".repeat(tail - 5) + start + "!\n\n");
        assertThat(scrubber.masked()).isFalse();
    }

    @Test
    void what_can_stand_in_no_form_of_any_secret_ends_the_tail() {
        for (String end : List.of("\n", "\r", "\t", "\0", "\u0007", "\u007f", "é")) {
            Scrubber scrubber = scrubber(PLAIN);
            assertThat(text(scrubber.push(ByteBuffer.wrap(bytes(PLAIN.substring(0, 9) + end)), false)))
                    .isEqualTo(PLAIN.substring(0, 9) + end);
        }
    }

    @Test
    void escapes_make_the_tail_longer_and_no_more_than_ten_bytes_a_place() {
        String escapes = "&#x0041;".repeat(1000);

        assertThat(text(scrubber(PLAIN).push(ByteBuffer.wrap(bytes(escapes)), false)))
                .hasSize(escapes.length() - (10 * 2 * PLAIN.length() - 1));
        assertThat(text(scrubber(PLAIN).push(ByteBuffer.wrap(bytes("x".repeat(200) + "%")), false)))
                .hasSize(201 - (2 * PLAIN.length() - 1 + 9));
    }

    @Test
    void an_event_that_ends_in_no_look_alike_is_not_held_back_at_all() {
        Scrubber scrubber = scrubber(PLAIN);

        for (String event :
                List.of("data: {\"delta\": \"he\\\"llo\"}\n\n", ": ping\n\n", "data: 100% &amp; more\n\n")) {
            assertThat(text(scrubber.push(ByteBuffer.wrap(bytes(event)), false)))
                    .isEqualTo(event);
        }
    }

    @Test
    void at_the_end_nothing_stays_held_back() {
        Scrubber scrubber = scrubber(PLAIN);
        String start = PLAIN.substring(0, PLAIN.length() - 1);

        assertThat(text(scrubber.push(ByteBuffer.wrap(bytes(start)), false))).isEmpty();
        assertThat(text(scrubber.push(ByteBuffer.allocate(0), true))).isEqualTo(start);
    }

    @Test
    void content_in_direct_and_read_only_buffers_is_scrubbed_and_the_callers_bytes_are_left_alone() {
        byte[] content = bytes("x" + PLAIN + "y");
        ByteBuffer direct =
                ByteBuffer.allocateDirect(content.length).put(content).flip();
        ByteBuffer offset = ByteBuffer.wrap(
                ("##" + "x" + PLAIN + "y" + "##").getBytes(StandardCharsets.US_ASCII), 2, content.length);
        ByteBuffer sliced = offset.slice();
        for (ByteBuffer buffer : List.of(
                direct, ByteBuffer.wrap(content).asReadOnlyBuffer(), offset, sliced, ByteBuffer.wrap(content))) {
            assertThat(text(scrubber(PLAIN).push(buffer, true))).isEqualTo("x" + stars(PLAIN.length()) + "y");
            assertThat(buffer.hasRemaining()).isFalse();
        }
        assertThat(content).isEqualTo(bytes("x" + PLAIN + "y"));
    }

    @Test
    void a_secret_of_backslashes_or_of_one_letter_takes_no_exponential_time() {
        for (String secret : List.of("\\".repeat(40), "a".repeat(200), "%25".repeat(12))) {
            String out = scrubbed(scrubber(secret), secret.repeat(10));
            assertThat(out).matches("\\*+");
        }
    }

    @Test
    void good_data_is_left_alone() {
        Random random = new Random(3);
        byte[] binary = new byte[1 << 20];
        random.nextBytes(binary);
        for (byte[] content : List.of(
                binary, Base64.getEncoder().encode(binary), bytes(HexFormat.of().formatHex(binary)))) {
            Scrubber scrubber = scrubber("s3cr3t!8", PLAIN, HARD);
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            for (int at = 0; at < content.length; ) {
                int length = Math.min(1 + random.nextInt(20_000), content.length - at);
                append(out, scrubber.push(ByteBuffer.wrap(content, at, length), at + length == content.length));
                at += length;
            }
            assertThat(out.toByteArray()).isEqualTo(content);
            assertThat(scrubber.masked()).isFalse();
        }
    }

    @Test
    void a_field_value_beyond_ascii_keeps_its_other_characters() {
        assertThat(scrubber(PLAIN).text("naïve 日本 " + PLAIN + " é"))
                .isEqualTo("naïve 日本 " + stars(PLAIN.length()) + " é");
        assertThat(scrubber(PLAIN).text("")).isEmpty();
    }

    private static String pushed(Scrubber scrubber, String content, int... cuts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int at = 0;
        for (int cut : cuts) {
            append(out, scrubber.push(ByteBuffer.wrap(bytes(content.substring(at, cut))), false));
            at = cut;
        }
        append(out, scrubber.push(ByteBuffer.wrap(bytes(content.substring(at))), true));
        return out.toString(StandardCharsets.ISO_8859_1);
    }

    private static void append(ByteArrayOutputStream out, ByteBuffer passed) {
        while (passed.hasRemaining()) {
            out.write(passed.get());
        }
    }

    private static String text(ByteBuffer passed) {
        return StandardCharsets.ISO_8859_1.decode(passed).toString();
    }
}

package io.sallyport.credential;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.grant.TestGrants;
import io.sallyport.grant.TestTime;
import io.sallyport.testing.TestStore;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Task tokens in what leaves and in what comes back, whatever they are wrapped in and however the bytes are cut. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TokenMarksTest {

    private final TestStore store = TestStore.started();
    private final TestGrants grants = TestGrants.on(store, new TestTime());
    private final TokenMarks marks = new TokenMarks(grants.tokens());
    private final String token = grants.tokens().mint(TestGrants.active());
    private final String secretPart = token.substring(token.indexOf('.') + 1);

    @AfterAll
    void close() {
        store.close();
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(ISO_8859_1));
    }

    private List<String> wrapped(String token) {
        return List.of(
                token,
                "token=" + token + "&x=1",
                "{\"t\":\"" + token + "\"}",
                "Basic " + base64("task:" + token),
                "Basic " + base64("a:" + token),
                base64("ab:" + token),
                HexFormat.of().formatHex(token.getBytes(ISO_8859_1)),
                token.chars().mapToObj(c -> String.format("%%%02X", c)).collect(Collectors.joining()));
    }

    @Test
    void a_token_is_told_in_every_wrapping() {
        for (String text : wrapped(token)) {
            assertThat(marks.in(text)).as(text).isTrue();
        }
    }

    @Test
    void what_is_no_token_of_this_broker_is_none() {
        for (String other : List.of(
                "",
                "eyJ",
                token.substring(0, 40),
                secretPart,
                "eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9." + secretPart,
                "x".repeat(5000))) {
            assertThat(marks.in(other)).as(other).isFalse();
        }
    }

    @Test
    void tokens_of_a_retired_key_and_of_the_next_one_are_told_too() {
        String before = token;
        grants.keys().rotate();
        String after = grants.tokens().mint(TestGrants.active());
        assertThat(after.substring(0, after.indexOf('.'))).isNotEqualTo(before.substring(0, before.indexOf('.')));
        assertThat(marks.in(before)).isTrue();
        assertThat(marks.in(after)).isTrue();
    }

    @Test
    void a_content_is_clean_until_the_beginning_is_whole_however_it_is_cut() {
        Random random = new Random(7);
        for (String text : wrapped(token)) {
            byte[] content = ("before " + text + " behind").getBytes(ISO_8859_1);
            for (int run = 0; run < 50; run++) {
                TokenMarks.Watch watch = marks.watch();
                boolean seen = false;
                ByteArrayOutputStream passed = new ByteArrayOutputStream();
                for (int at = 0; at < content.length && !seen; ) {
                    int length = Math.min(content.length - at, 1 + random.nextInt(run < 10 ? 3 : 200));
                    ByteBuffer piece = piece(content, at, length, run % 2 == 0);
                    seen = watch.sees(piece);
                    assertThat(piece.remaining()).isEqualTo(length);
                    if (!seen) {
                        passed.write(content, at, length);
                    }
                    at += length;
                }
                assertThat(seen).as(text).isTrue();
                assertThat(passed.toString(ISO_8859_1)).doesNotContain(secretPart.substring(0, 40));
            }
        }
    }

    private static ByteBuffer piece(byte[] content, int from, int length, boolean direct) {
        return direct
                ? ByteBuffer.allocateDirect(length).put(content, from, length).flip()
                : ByteBuffer.wrap(content, from, length).slice();
    }

    @Test
    void an_answer_is_masked_and_nothing_of_it_waits() {
        Random random = new Random(11);
        for (String text : wrapped(token)) {
            String whole = "before {" + text + "} behind, " + text;
            byte[] content = whole.getBytes(ISO_8859_1);
            for (int run = 0; run < 50; run++) {
                Scrubber scrubber = marks.over(new PassingScrubber());
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                for (int at = 0; at < content.length; ) {
                    int length = Math.min(content.length - at, 1 + random.nextInt(run < 10 ? 3 : 200));
                    ByteBuffer passed = scrubber.push(piece(content, at, length, run % 2 == 0), false);
                    // As many as came: a stream whose peer waits for them must not stall.
                    assertThat(passed.remaining()).isEqualTo(length);
                    byte[] bytes = new byte[length];
                    passed.get(bytes);
                    out.writeBytes(bytes);
                    at += length;
                }
                String answer = out.toString(ISO_8859_1);
                assertThat(answer).startsWith("before {").contains("} behind, ").hasSameSizeAs(whole);
                assertThat(answer.substring(answer.indexOf("} behind"))).matches(masked("} behind, ", text));
                assertThat(answer).doesNotContain(tailOf(text));
                assertThat(scrubber.masked()).isTrue();
            }
        }
    }

    /** The end of what was wrapped: the signature, in whatever coding. */
    private static String tailOf(String wrapped) {
        String bare = wrapped.replaceAll("&x=1$|\"}$", "");
        return bare.substring(bare.length() - 60);
    }

    private static String masked(String before, String text) {
        return java.util.regex.Pattern.quote(before) + "[^*]{0,280}\\*+.{0,8}";
    }

    @Test
    void a_text_is_masked_from_the_beginning_of_the_token_to_its_end() {
        Scrubber scrubber = marks.over(new PassingScrubber());
        assertThat(scrubber.text("see " + token + " there")).isEqualTo("see " + "*".repeat(token.length()) + " there");
        assertThat(scrubber.text("nothing here")).isEqualTo("nothing here");
    }

    @Test
    void what_is_clean_goes_on_as_it_came() {
        byte[] clean = new byte[64 * 1024];
        new Random(3).nextBytes(clean);
        ByteBuffer piece = ByteBuffer.wrap(clean);
        ByteBuffer passed = marks.over(new PassingScrubber()).push(piece, true);
        assertThat(passed.array()).isSameAs(clean);
        assertThat(Arrays.equals(passed.array(), clean)).isTrue();
    }
}

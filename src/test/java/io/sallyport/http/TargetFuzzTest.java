package io.sallyport.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.Fuzzing;
import java.net.URI;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A target that is taken has one form, which is its own form, and means the same to a parser that is not ours (the JDK's). */
class TargetFuzzTest {

    private static final List<String> PARTS = List.of(
            "/", "//", ".", "..", "%2e", "%2E%2e", "%2f", "%2F", "%5c", "\\", "%25", "%252e", "%00", "%0d%0a", "%7e",
            "%41", "a", "v1", "~", "-", "_", ";", ";a=b", "..;", ":", "@", "!", "$", "&", "'", "(", ")", "*", "+", ",",
            "=", "?", "?q=1", "#", "%", "%4", "%zz", " ", "\t", "\u0000", "\u007f", "\u00e9", "\uff0e", "|", "\"", "<",
            "^", "`", "{", "[");

    @Test
    void a_canonical_form_is_its_own_and_hides_no_other_path() {
        int[] taken = {0};
        long tried = Fuzzing.run(seed -> {
            Random random = new Random(seed);
            StringBuilder raw = new StringBuilder("/");
            for (int i = random.nextInt(8); i >= 0; i--) {
                raw.append(PARTS.get(random.nextInt(PARTS.size())));
            }
            if (Target.parse(raw.toString()) instanceof Parsed.Valid<Target>(Target target)) {
                taken[0]++;
                String text = target.text();
                assertThat(Target.parse(text)).as(raw.toString()).isEqualTo(Parsed.valid(target));
                assertThat(text).as(raw.toString()).matches("/[\\x21-\\x7e]*").doesNotContain("#", "\\");
                int query = text.indexOf('?');
                String path = query < 0 ? text : text.substring(0, query);
                for (String segment : path.split("/", -1)) {
                    String plain = segment.replaceAll(";.*", "").replaceAll("(?i)%2e", ".");
                    assertThat(plain).as(raw.toString()).isNotIn(".", "..");
                }
                assertReadAlike(text);
            }
        });
        assertThat(taken[0]).as("targets that were taken, of %d", tried).isGreaterThan((int) (tried / 50));
    }

    /** Where the JDK reads it at all: it knows fewer characters than the grammar's neighbours use. */
    private static void assertReadAlike(String text) {
        URI read;
        try {
            read = URI.create("http://h" + text);
        } catch (IllegalArgumentException stricter) {
            return;
        }
        assertThat(read.getRawPath() + (read.getRawQuery() == null ? "" : "?" + read.getRawQuery()))
                .isEqualTo(text);
        if (!text.contains("//")) {
            assertThat(read.normalize().getRawPath()).isEqualTo(read.getRawPath());
        }
    }
}

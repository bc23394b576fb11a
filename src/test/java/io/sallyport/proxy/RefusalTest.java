package io.sallyport.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.policy.Denial;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RefusalTest {

    @ParameterizedTest
    @EnumSource
    void whatever_a_policy_says_is_on_the_closed_list(Denial denial) {
        RefusalError twin = RefusalError.ofPolicy(denial.error());
        assertThat(twin.text()).isEqualTo(denial.error());
        assertThat(twin.status()).isEqualTo(denial.malformed() ? 400 : 403);
    }

    @ParameterizedTest
    @EnumSource
    void every_error_is_documented(RefusalError error) throws Exception {
        assertThat(Files.readString(Path.of("docs/reference/refusals.md")))
                .contains("| `" + error.text() + "` | " + error.status() + " |");
    }

    /** Scripts rely on the list: what is said to be on it has to be. */
    @Test
    void every_documented_error_is_one() throws Exception {
        List<String> documented = Pattern.compile("(?m)^\\| `([a-z0-9_]+)` \\| [0-9]{3} \\|")
                .matcher(Files.readString(Path.of("docs/reference/refusals.md")))
                .results()
                .map(row -> row.group(1))
                .toList();
        assertThat(documented)
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(RefusalError.values())
                        .map(RefusalError::text)
                        .toList());
    }

    @Test
    void the_content_is_json_whatever_the_reason_says() {
        Refusal refusal = Refusal.of(RefusalError.MALFORMED, "a \"quote\", a \\ and a \u2028")
                .entered(7);
        assertThat(new String(RefusalText.content(refusal), StandardCharsets.UTF_8))
                .isEqualTo("{\"error\":\"malformed\",\"reason\":\"a \\\"quote\\\", a \\\\ and a"
                        + " \\u2028\",\"scope\":null,\"hint\":\""
                        + RefusalError.MALFORMED.hint() + "\",\"ledger\":\"7\"}\n");
    }

    /** RFC 9651: a client that can't read the field shows nothing of it. */
    @Test
    void the_reason_is_a_string_of_a_field_whatever_it_says() {
        Refusal refusal = Refusal.of(RefusalError.MALFORMED, "a \"quote\", a \\, a \u2028\r\n");
        assertThat(RefusalText.fields(refusal).first("Proxy-Status"))
                .contains("sallyport; error=http_request_error; details="
                        + "\"malformed: a \\\"quote\\\", a \\\\, a ???\"");
        assertThat(RefusalText.fields(Refusal.of(RefusalError.MALFORMED, "\"".repeat(10_000)))
                        .first("Proxy-Status")
                        .orElseThrow())
                .hasSizeLessThan(1000)
                .endsWith("\\\"\"");
    }

    @Test
    void retry_after_is_rounded_up_to_whole_seconds() {
        Refusal refusal = Refusal.of(RefusalError.RATE, "r").after(Duration.ofMillis(1001));
        assertThat(RefusalText.fields(refusal).first("Retry-After")).contains("2");
    }
}

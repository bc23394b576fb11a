package io.sallyport.credential.injection;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How a secret is spelled in each place: golden values. */
class EncodingsTest {

    private static String of(String text, UnaryOperator<byte[]> encoding) {
        return new String(encoding.apply(text.getBytes(ISO_8859_1)), ISO_8859_1);
    }

    /** What Python's urllib.parse.quote(text, safe="") gives, and quote(text, safe="!$&'()*+,=:@"), and quote_plus(text, safe="*"). */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "abcXYZ019-._~|abcXYZ019-._~|abcXYZ019-._~|abcXYZ019-._%7E",
                "a b+c/d?e#f%g|a%20b%2Bc%2Fd%3Fe%23f%25g|a%20b+c%2Fd%3Fe%23f%25g|a+b%2Bc%2Fd%3Fe%23f%25g",
                "!$&'()*,=:@;|%21%24%26%27%28%29%2A%2C%3D%3A%40%3B|!$&'()*,=:@%3B|%21%24%26%27%28%29*%2C%3D%3A%40%3B",
                "\"<>[]\\^{}|%22%3C%3E%5B%5D%5C%5E%7B%7D|%22%3C%3E%5B%5D%5C%5E%7B%7D|%22%3C%3E%5B%5D%5C%5E%7B%7D",
                "..%2F..|..%252F..|..%252F..|..%252F.."
            })
    void in_a_query_a_segment_and_a_form(String text, String query, String segment, String form) {
        assertThat(of(text, Encodings::query)).isEqualTo(query);
        assertThat(of(text, Encodings::segment)).isEqualTo(segment);
        assertThat(of(text, Encodings::form)).isEqualTo(form);
        assertThat(Encodings.decoded(query, false)).isEqualTo(text);
        assertThat(Encodings.decoded(segment, false)).isEqualTo(text);
        assertThat(Encodings.decoded(form, true)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "a b;c,d\"e\\f%g=h|false|a%20b%3Bc%2Cd%22e%5Cf%25g=h",
                "!#$%&'()*+-./:<=>?@[]^_`{}~|true|!#$%25&'()*+-./:<=>?@[]^_`{}~"
            })
    void in_a_cookie(String text, boolean asItIs, String percent) {
        assertThat(Encodings.cookieOctets(text.getBytes(ISO_8859_1))).isEqualTo(asItIs);
        assertThat(of(text, Encodings::cookie)).isEqualTo(percent);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {"plain|\"plain\"", "a\"b\\c/d<e>|\"a\\\"b\\\\c/d<e>\""})
    void in_json(String text, String string) {
        assertThat(of(text, Encodings::json)).isEqualTo(string);
    }

    @ParameterizedTest
    @ValueSource(strings = {"%", "a%2", "a%zz", "%4"})
    void what_is_no_escape_stands_for_nothing(String text) {
        assertThat(Encodings.decoded(text, false)).isNull();
    }
}

package io.sallyport.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostNameTest {

    /** RW-65: one host, many spellings. */
    @ParameterizedTest
    @CsvSource({
        "api.up.test, api.up.test",
        "API.up.TEST, api.up.test",
        "api.up.test., api.up.test",
        "bücher.up.test, xn--bcher-kva.up.test",
        "BÜCHER.up.test, xn--bcher-kva.up.test",
        "XN--BCHER-KVA.up.test, xn--bcher-kva.up.test",
        "a_b.example.com, a_b.example.com",
        "api。up.test, api.up.test",
        "127.0.0.1, 127.0.0.1",
        "127.0.0.1., 127.0.0.1",
        "[::1], ::1",
        "[0:0:0:0:0:0:0:1], ::1",
        "2001:DB8::0:1, 2001:db8::1",
        "[2001:db8:0:0:1:0:0:1], 2001:db8::1:0:0:1",
        "[2001:db8:0:1:1:1:1:1], 2001:db8:0:1:1:1:1:1",
        "[1::], 1::",
        "[::], ::",
        "[::ffff:a9fe:a9fe], 169.254.169.254",
        "[::ffff:169.254.169.254], 169.254.169.254",
        "[64:ff9b::10.0.0.1], 64:ff9b::a00:1",
        "0x7f.example, 0x7f.example",
        "1.example, 1.example",
    })
    void each_spelling_has_one_canonical_form(String raw, String canonical) {
        assertThat(HostName.canonical(raw)).isEqualTo(Parsed.valid(canonical));
        assertThat(HostName.canonical(canonical)).isEqualTo(Parsed.valid(canonical));
    }

    @Test
    void a_letter_that_only_looks_the_same_is_another_host() {
        assertThat(HostName.canonical("аpi.up.test").orElseThrow())
                .startsWith("xn--")
                .isNotEqualTo("api.up.test");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "..",
                "a..b",
                "api.up.test..",
                ".a",
                "api.up.test%00.evil.test",
                "a b",
                "a\tb",
                "a/b",
                "a@b",
                "a\\b",
                "a\u0000b",
                "-a.test",
                "a-.test",
                "127.1",
                "2130706433",
                "0x7f.1",
                "0x7f000001",
                "127.0.0.01",
                "127.0.0.256",
                "1.2.3.4.5",
                "017700000001",
                "127.0.0.0x1",
                "0x",
                "a.0x",
                "foo.1",
                "[::1",
                "::1]",
                "[1.2.3.4]",
                "[fe80::1%eth0]",
                "[1:2]",
                "[1::2::3]",
                "[:::]",
                "[12345::]",
                "[::1.2.3]",
                "[1:2:3:4:5:6:7:8:9]",
                "[1:2:3:4:5:6:7::8:9]",
                "[::1]x",
                "[]",
                "faß.de",
                "℀.test",
                "a\u200db.test",
                "xn--a\u00ad.test?"
            })
    void what_resolvers_might_read_in_two_ways_is_malformed(String raw) {
        assertThat(HostName.canonical(raw)).isInstanceOf(Parsed.Malformed.class);
    }

    @Test
    void labels_end_at_63_and_names_at_253_characters() {
        assertThat(HostName.canonical("a".repeat(63) + ".test")).isInstanceOf(Parsed.Valid.class);
        assertThat(HostName.canonical("a".repeat(64) + ".test")).isInstanceOf(Parsed.Malformed.class);
        String longest = "a.".repeat(126) + "b";
        assertThat(HostName.canonical(longest + ".")).isEqualTo(Parsed.valid(longest));
        assertThat(HostName.canonical("a" + longest + ".")).isInstanceOf(Parsed.Malformed.class);
    }
}

package io.sallyport.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OriginTest {

    @ParameterizedTest
    @CsvSource({
        "https://api.github.com, https://api.github.com",
        "HTTPS://API.github.com.:443, https://api.github.com",
        "http://10.0.0.1:8080, http://10.0.0.1:8080",
        "http://a.test:80, http://a.test",
        "https://a.test:80, https://a.test:80",
        "https://[::1]:8443, https://[::1]:8443",
    })
    void an_origin_has_one_spelling(String text, String canonical) {
        assertThat(Origin.parse(text).orElseThrow()).hasToString(canonical);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "api.github.com",
                "ftp://a.test",
                "https://",
                "https://a.test/",
                "https://a.test/x",
                "https://a.test?x",
                "https://a.test#x",
                "https://user@a.test",
                "https://a.test:",
                "https://a.test:0",
                "https://a.test:65536",
                "https://a.test:+443",
                "https://a.test:0443",
                "https://::1",
                "https://a.test:1:2",
                "https://*.a.test",
                "https:\\\\a.test",
                "https://a.test\\@b.test"
            })
    void whatever_is_more_or_less_than_an_origin_is_malformed(String text) {
        assertThat(Origin.parse(text)).isInstanceOf(Parsed.Malformed.class);
    }

    @Test
    void a_host_field_must_be_there_once_in_http_11() {
        Authority fallback = new Authority("api.up.test", 443);
        assertThat(Authority.ofHostField(Fields.of("Host", "API.up.test:443"), false, fallback))
                .isEqualTo(Parsed.valid(fallback));
        assertThat(Authority.ofHostField(Fields.EMPTY, false, fallback)).isInstanceOf(Parsed.Malformed.class);
        assertThat(Authority.ofHostField(Fields.EMPTY, true, fallback)).isEqualTo(Parsed.valid(fallback));
        assertThat(Authority.ofHostField(Fields.of("Host", "a.test", "host", "a.test"), true, fallback))
                .isInstanceOf(Parsed.Malformed.class);
        assertThat(Authority.ofHostField(Fields.of("Host", "a.test, b.test"), false, fallback))
                .isInstanceOf(Parsed.Malformed.class);
        assertThat(Authority.ofHostField(Fields.of("Host", ""), false, fallback))
                .isInstanceOf(Parsed.Malformed.class);
    }

    @Test
    void an_authority_agrees_with_an_origin_when_its_absent_port_is_the_default() {
        Origin origin = Origin.parse("https://a.test").orElseThrow();
        assertThat(new Authority("a.test", 0).agreesWith(origin)).isTrue();
        assertThat(new Authority("a.test", 443).agreesWith(origin)).isTrue();
        assertThat(new Authority("a.test", 80).agreesWith(origin)).isFalse();
        assertThat(new Authority("b.test", 0).agreesWith(origin)).isFalse();
        assertThat(new Authority("a.test", 0)
                        .agreesWith(Origin.parse("https://a.test:8443").orElseThrow()))
                .isFalse();
    }

    @Test
    void connect_names_a_port() {
        assertThat(Authority.parseConnect("a.test:443")).isEqualTo(Parsed.valid(new Authority("a.test", 443)));
        assertThat(Authority.parseConnect("[::ffff:a9fe:a9fe]:80"))
                .isEqualTo(Parsed.valid(new Authority("169.254.169.254", 80)));
        assertThat(Authority.parseConnect("a.test")).isInstanceOf(Parsed.Malformed.class);
    }

    /** RW-65. */
    @Test
    void a_wildcard_is_one_whole_label_and_never_the_apex() {
        Destination wide =
                Destination.parse("https://*.blob.up.test", List.of()).orElseThrow();
        assertThat(wide).hasToString("https://*.blob.up.test");
        assertThat(wide.matchesHost("x.blob.up.test")).isTrue();
        for (String other : List.of(
                "blob.up.test",
                "x.y.blob.up.test",
                "xblob.up.test",
                ".blob.up.test",
                "x.blob.up.test.evil.test",
                "x.evilblob.up.test")) {
            assertThat(wide.matchesHost(other)).as(other).isFalse();
        }
    }

    /** RW-65. */
    @Test
    void an_exact_destination_is_that_host_scheme_and_port_alone() {
        Destination exact = Destination.parse("https://api.up.test", List.of()).orElseThrow();
        assertThat(exact.matches(Origin.parse("https://API.up.test.").orElseThrow()))
                .isTrue();
        for (String other : List.of(
                "https://evilapi.up.test",
                "https://api.up.test.evil.test",
                "https://api.up.test:8443",
                "http://api.up.test",
                "http://api.up.test:443")) {
            assertThat(exact.matches(Origin.parse(other).orElseThrow()))
                    .as(other)
                    .isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://*.com",
                "https://*.co.uk",
                "https://*.github.io",
                "https://*.internal",
                "https://*.foo.ck",
                "https://*.s3.amazonaws.com"
            })
    void a_wildcard_directly_below_a_public_suffix_is_refused(String text) {
        assertThat(Destination.parse(text, List.of())).isInstanceOf(Parsed.Malformed.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://a.*.test",
                "https://*a.up.test",
                "https://*.*.up.test",
                "https://*",
                "https://*.10.0.0.1",
                "*.up.test"
            })
    void a_star_elsewhere_is_refused(String text) {
        assertThat(Destination.parse(text, List.of("10.0.0.0/8"))).isInstanceOf(Parsed.Malformed.class);
    }

    @Test
    void an_address_as_host_needs_its_ranges_written_out() {
        assertThat(Destination.parse("https://10.1.0.5", List.of())).isInstanceOf(Parsed.Malformed.class);
        assertThat(Destination.parse("https://10.1.0.5", List.of("10.1.0.0/16")))
                .isInstanceOf(Parsed.Valid.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.0.0.0/0",
                "::/0",
                "10.1.0.5/16",
                "10.0.0.0/33",
                "10.0.0.0/",
                "10.0.0.0/08",
                "10.0.0",
                "ten",
                "fe80::1%1",
                "fc00::/6"
            })
    void a_range_that_names_nothing_or_everything_is_refused(String range) {
        assertThat(Destination.parse("https://up.test", List.of(range))).isInstanceOf(Parsed.Malformed.class);
    }
}

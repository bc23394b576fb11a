package io.sallyport.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TargetTest {

    @ParameterizedTest
    @CsvSource({
        "/, /",
        "/p%75blic/x, /public/x",
        "/%7euser/%41, /~user/A",
        "/a%2fb, /a%2Fb",
        "/a%3ab/%c3%a9, /a%3Ab/%C3%A9",
        "/a:b@c;d=1+2, /a:b@c;d=1+2",
        "/x?q=%61%2b+%2B, /x?q=a%2B+%2B",
        "/x?, /x?",
        "/x??y, /x??y",
        "/x?a=/../b, /x?a=/../b",
        "/...;/..a/.hidden/a..b, /...;/..a/.hidden/a..b",
        "/%2541, /%2541",
    })
    void a_target_has_one_canonical_form(String raw, String canonical) {
        Target target = Target.parse(raw).orElseThrow();
        assertThat(target.text()).isEqualTo(canonical);
        assertThat(Target.parse(canonical)).isEqualTo(Parsed.valid(target));
    }

    /** RW-18: dot segments, in any spelling, walk around a path rule. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/public/../secret",
                "/public/%2e%2e/secret",
                "/public/%2E./secret",
                "/public//../secret",
                "/public/..",
                "/.",
                "/./x",
                "/..;/x",
                "/..;a=b/x",
                "/.;/x",
                "/..%3B/x",
                "/..%3b..%2fx",
                "/api/v4/projects/mine%2F..%2Fother/x",
                "/a%5C..%5Cb",
                "/a%2f%2e%2e",
                "/%252e%252e/x",
                "/%25252e%25252e/x",
                "/a%252f..%252fb",
                "/a%2F.",
                "/%2e%2e"
            })
    void a_dot_segment_in_any_spelling_is_malformed(String raw) {
        assertThat(Target.parse(raw)).isInstanceOf(Parsed.Malformed.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "http://a.test/",
                "*",
                "/a b",
                "/a\tb",
                "/a\nb",
                "/a\u0000",
                "/a\u007f",
                "/é",
                "/a\\b",
                "/a#b",
                "/a%",
                "/a%4",
                "/a%zz",
                "/a%00b",
                "/x?a=%00",
                "/x?a=%g1",
                "/x?a\\b",
                "/x?a#b",
                "/a%%34%31"
            })
    void what_has_no_canonical_form_is_malformed(String raw) {
        assertThat(Target.parse(raw)).isInstanceOf(Parsed.Malformed.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/a%2Fb", "/a%2fb", "/a%5cb", "/a%2541", "/a%252Fb", "//a", "/a//b", "/a//"})
    void strict_paths_refuse_what_origins_read_differently(String raw) {
        assertThat(Target.parse(raw).orElseThrow().strictRefusal()).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/a", "/a/", "/a%20b", "/a%25", "/a%25zz", "/a?b=//&c=%2F%2541"})
    void strict_paths_take_the_rest(String raw) {
        assertThat(Target.parse(raw).orElseThrow().strictRefusal()).isEmpty();
    }

    /** RW-18: the last of its requests goes out byte for byte. */
    @Test
    void an_opaque_path_is_sent_as_it_came() {
        Target target = Target.parse("/api/v4/projects/group%2Fproj").orElseThrow();
        assertThat(target.text()).isEqualTo("/api/v4/projects/group%2Fproj");
        assertThat(target.segments()).containsExactly("api", "v4", "projects", "group%2Fproj");
    }

    @Test
    void random_targets_are_stable_once_canonical() {
        Random random = new Random(18);
        String alphabet = "/.%25eE2fF5cC;a~?=&+@";
        int valid = 0;
        for (int round = 0; round < 200_000; round++) {
            StringBuilder raw = new StringBuilder("/");
            for (int i = random.nextInt(14); i > 0; i--) {
                raw.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            if (Target.parse(raw.toString()) instanceof Parsed.Valid<Target>(Target target)) {
                valid++;
                assertThat(Target.parse(target.text())).isEqualTo(Parsed.valid(target));
                assertThat(oneDecoding(target.path())).isEqualTo(oneDecoding(pathOf(raw.toString())));
            }
        }
        assertThat(valid).isGreaterThan(20_000);
    }

    private static String pathOf(String raw) {
        int mark = raw.indexOf('?');
        return mark < 0 ? raw : raw.substring(0, mark);
    }

    /** What an origin that decodes once reads: canonical form must not change it. */
    private static String oneDecoding(String path) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < path.length(); i++) {
            if (path.charAt(i) == '%') {
                text.append((char) Integer.parseInt(path.substring(i + 1, i + 3), 16));
                i += 2;
            } else {
                text.append(path.charAt(i));
            }
        }
        return text.toString();
    }

    @Test
    void the_four_forms_of_a_request_line_belong_to_their_methods() {
        assertThat(RequestTarget.parse("GET", "/x").orElseThrow()).isInstanceOf(RequestTarget.OriginForm.class);
        assertThat(RequestTarget.parse("GET", "http://A.test?x").orElseThrow())
                .isEqualTo(new RequestTarget.AbsoluteForm(
                        Origin.parse("http://a.test").orElseThrow(),
                        Target.parse("/?x").orElseThrow()));
        assertThat(RequestTarget.parse("GET", "http://a.test:81").orElseThrow())
                .isEqualTo(new RequestTarget.AbsoluteForm(
                        Origin.parse("http://a.test:81").orElseThrow(),
                        Target.parse("/").orElseThrow()));
        assertThat(RequestTarget.parse("CONNECT", "a.test:443").orElseThrow())
                .isInstanceOf(RequestTarget.AuthorityForm.class);
        assertThat(RequestTarget.parse("OPTIONS", "*").orElseThrow()).isInstanceOf(RequestTarget.Asterisk.class);
        assertThat(RequestTarget.parse("GET", "*")).isInstanceOf(Parsed.Malformed.class);
        assertThat(RequestTarget.parse("CONNECT", "/x")).isInstanceOf(Parsed.Malformed.class);
        assertThat(RequestTarget.parse("GET", "a.test:443")).isInstanceOf(Parsed.Malformed.class);
        assertThat(RequestTarget.parse("GET", "http://u:p@a.test/")).isInstanceOf(Parsed.Malformed.class);
        assertThat(RequestTarget.parse("GET", "http://a.test/../x")).isInstanceOf(Parsed.Malformed.class);
    }
}

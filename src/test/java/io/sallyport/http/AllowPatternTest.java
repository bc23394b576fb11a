package io.sallyport.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AllowPatternTest {

    private static AllowPattern allow(String text) {
        return AllowPattern.parseAllow(text).orElseThrow();
    }

    private static AllowPattern never(String text) {
        return AllowPattern.parseNever(text).orElseThrow();
    }

    private static Target target(String raw) {
        return Target.parse(raw).orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({
        "GET /a/**, GET, /a/, true",
        "GET /a/**, GET, /a/b/c, true",
        "GET /a/**, GET, /a, false",
        "GET /**, GET, /, true",
        "GET /a, GET, /a/, false",
        "GET /a/, GET, /a, false",
        "GET /a/*, GET, /a/b, true",
        "GET /a/*, GET, /a/, false",
        "GET /a/*, GET, /a/b/c, false",
        "GET /a/*/c, GET, /a/b/c, true",
        "GET /v*.json, GET, /v1.json, true",
        "GET /v*.json, GET, /v.json, false",
        "GET /Repos, GET, /repos, false",
        "GET /a, GET, /a?x=1, true",
        "GET /a, HEAD, /a, true",
        "HEAD /a, GET, /a, false",
        "GET /a, get, /a, false",
        "GET /a, POST, /a, false",
        "'GET,POST /a', POST, /a, true",
        "* /a, PATCH, /a, true",
        "* /a, OPTIONS, /a, false",
        "* /a, FOO, /a, false",
        "* /a, TRACE, /a, false",
        "* /a, CONNECT, /a, false",
        "FOO /a, FOO, /a, true",
        "GET /%7euser, GET, /~user, true",
        "GET /a%2fb, GET, /a%2Fb, true",
        "GET /a*, GET, /a%2Fb, true",
        "GET /p/*, GET, /p/a%2Fb, true",
    })
    void a_pattern_matches_as_the_rules_say(String pattern, String method, String path, boolean matches) {
        assertThat(allow(pattern).matches(method, target(path))).isEqualTo(matches);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET",
                "GET  /a",
                "GET /a ",
                " GET /a",
                "get /a",
                "GET a",
                "GET,GET /a",
                "GET, POST /a",
                "*,GET /a",
                "GET,* /a",
                ", /a",
                "GET, /a",
                "TRACE /a",
                "CONNECT /a",
                "G*T /a",
                "GET /a**",
                "GET /**/a",
                "GET /**/**",
                "GET /a*b*",
                "GET //a",
                "GET /a//b",
                "GET /a/../b",
                "GET /a/%2e",
                "GET /{id}",
                "GET /a?b",
                "GET /[a]",
                "GET /(a)",
                "GET /a|b",
                "GET /!a",
                "GET /~a",
                "GET /^a",
                "GET /a$",
                "@readers",
                "GET @readers",
                "GET /é",
                "GET /a%",
                "GET /a\\b",
                "GET /a#b"
            })
    void what_is_ambiguous_or_reserved_is_an_error(String text) {
        assertThat(AllowPattern.parseAllow(text)).isInstanceOf(Parsed.Malformed.class);
    }

    /** RW-21: TRACE would hand the secret back; no pattern can name it, and none includes it. */
    @Test
    void trace_is_never_allowed() {
        assertThat(AllowPattern.parseAllow("TRACE /**")).isInstanceOf(Parsed.Malformed.class);
        assertThat(allow("* /**").matches("TRACE", target("/echo"))).isFalse();
        assertThat(allow("* /**").matches("OPTIONS", target("/echo"))).isFalse();
        assertThat(allow("* /**").matches("trace", target("/echo"))).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "* /**/settings/**, /repos/a/settings/hooks, true",
        "* /**/settings/**, /settings/hooks, true",
        "* /**/settings/**, /settings/, true",
        "* /**/settings/**, /settings, false",
        "* /**/settings/**, /x%2Fsettings/hooks, true",
        "* /**/settings/**, /x%252Fsettings/hooks, true",
        "* /**/settings/**, /x/settings%2Fhooks, true",
        "* /**/settings/**, /x//settings//hooks, true",
        "* /**/settings/**, /x/settings;a=b/hooks, true",
        "* /**/settings/**, /x/settings%3Ba=b/hooks, true",
        "* /**/settings/**, /x/;a/settings/hooks, true",
        "* /**/settings/**, /x/SETTINGS/hooks, true",
        "* /**/settings/**, /x%5Csettings/hooks, true",
        "* /**/settings/**, /x/s%2565ttings/hooks, true",
        "* /**/settings/**, /x/a;b%2Fsettings/hooks, true",
        "* /**/settings/**, /x/setting/hooks, false",
        "* /admin, //admin, true",
        "* /admin, /ADMIN;x, true",
        "* /admin, /admin/, false",
        "* /v1/models:delete, /v1/models%3Adelete, true",
        "* /v1/models%3Adelete, /v1/models:delete, true",
        "* /projects/a%2Fb/**, /projects/a%2fB/x, true",
        "* /projects/a%2Fb/**, /projects/a/b/x, true",
        "* /projects/*/x, /projects/a%2Fb/x, true",
        "* /projects/*/*/x, /projects/a%2Fb/x, true",
        "* /a/**/b/**/c, /a/b/b/x/c, true",
        "* /a/**/b/**/c, /a/x/b/c/c/d, false",
        "* /%E2%82%AC, /%e2%82%ac, true",
    })
    void never_holds_on_every_reading_of_the_path(String pattern, String path, boolean forbidden) {
        assertThat(never(pattern).matchesAnyReading("POST", PathReadings.of(target(path))))
                .isEqualTo(forbidden);
    }

    @Test
    void never_looks_at_methods_as_allow_does() {
        assertThat(never("DELETE /**").matchesAnyReading("GET", PathReadings.of(target("/a"))))
                .isFalse();
        assertThat(never("GET /**").matchesAnyReading("HEAD", PathReadings.of(target("/a"))))
                .isTrue();
    }

    @Test
    void the_more_precise_pattern_comes_first() {
        List<String> ordered = List.of(
                "GET /a/b", "* /a/b", "GET /a/b*", "GET /a/*", "* /a/*", "GET /a/**", "GET /*/b", "GET /**", "* /**");
        for (int i = 0; i < ordered.size(); i++) {
            for (int j = 0; j < ordered.size(); j++) {
                assertThat(Integer.signum(
                                AllowPattern.MOST_PRECISE_FIRST.compare(allow(ordered.get(i)), allow(ordered.get(j)))))
                        .as(ordered.get(i) + " against " + ordered.get(j))
                        .isEqualTo(Integer.compare(i, j));
            }
        }
        assertThat(AllowPattern.MOST_PRECISE_FIRST.compare(allow("GET /a*"), allow("HEAD /*b")))
                .isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "GET /a/*, GET /*/b, GET /a/b",
        "GET /a*, GET /*b, GET /axb",
        "GET /a*c, GET /ab*, GET /abxc",
        "GET /a/**, GET /a/b*/c, GET /a/bx/c",
        "'GET,POST /x', 'POST,PUT /x', POST /x",
        "* /x, HEAD /x, HEAD /x",
        "GET /**, GET /, GET /",
    })
    void an_overlap_is_shown_by_a_request_that_both_match(String one, String two, String example) {
        assertThat(allow(one).overlap(allow(two))).contains(example);
        assertThat(allow(two).overlap(allow(one))).contains(example);
    }

    @ParameterizedTest
    @CsvSource({
        "GET /a, POST /a",
        "GET /a, GET /b",
        "GET /a/**, GET /a",
        "GET /a*, GET /b*",
        "GET /*a, GET /*b",
        "GET /a*b, GET /ab",
        "GET /a/*, GET /a/"
    })
    void patterns_apart_do_not_overlap(String one, String two) {
        assertThat(allow(one).overlaps(allow(two))).isFalse();
    }

    @Test
    void overlap_is_asked_of_patterns_of_allow() {
        assertThatThrownBy(() -> never("* /**/a").overlap(allow("GET /a")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** A seeded crowd of patterns and paths over a tiny alphabet, so that they meet often. */
    @Test
    void patterns_agree_with_the_obvious_evaluator() {
        Random random = new Random(42);
        int hits = 0;
        for (int round = 0; round < 200_000; round++) {
            String pattern = pattern(random, true);
            String path = path(random);
            if (!(AllowPattern.parseNever("GET " + pattern)
                    instanceof Parsed.Valid<AllowPattern>(AllowPattern parsed))) {
                continue;
            }
            boolean expected = SlowMatcher.matches(pattern, path);
            assertThat(parsed.matches("GET", target(path)))
                    .as(pattern + " on " + path)
                    .isEqualTo(expected);
            hits += expected ? 1 : 0;
        }
        assertThat(hits).isGreaterThan(10_000);
    }

    @Test
    void an_overlap_is_found_exactly_where_some_path_meets_both() {
        Random random = new Random(7);
        List<String> paths = new ArrayList<>();
        for (int i = 0; i < 4_000; i++) {
            paths.add(path(random));
        }
        int found = 0;
        for (int round = 0; round < 3_000; round++) {
            if (AllowPattern.parseAllow("GET " + pattern(random, false))
                            instanceof Parsed.Valid<AllowPattern>(AllowPattern one)
                    && AllowPattern.parseAllow("GET " + pattern(random, false))
                            instanceof Parsed.Valid<AllowPattern>(AllowPattern two)) {
                var example = one.overlap(two);
                if (example.isPresent()) {
                    Target shown = target(example.get().substring(example.get().indexOf(' ') + 1));
                    assertThat(one.matches("GET", shown) && two.matches("GET", shown))
                            .as(one + " and " + two + ": " + example)
                            .isTrue();
                    found++;
                } else {
                    assertThat(paths)
                            .noneMatch(path -> one.matches("GET", target(path)) && two.matches("GET", target(path)));
                }
            }
        }
        assertThat(found).isGreaterThan(100);
    }

    @Test
    void never_matches_whatever_it_matches_as_sent_and_more() {
        Random random = new Random(3);
        for (int round = 0; round < 100_000; round++) {
            if (AllowPattern.parseNever("GET " + pattern(random, true))
                    instanceof Parsed.Valid<AllowPattern>(AllowPattern parsed)) {
                Target target = target(path(random));
                if (parsed.matches("GET", target)) {
                    assertThat(parsed.matchesAnyReading("GET", PathReadings.of(target)))
                            .as(parsed + " on " + target.path())
                            .isTrue();
                }
            }
        }
    }

    private static String pattern(Random random, boolean restAnywhere) {
        String[] parts = {"a", "b", "ab", "*", "a*", "*b", "a*b", restAnywhere ? "**" : "ba", "a%2Fb", ";a"};
        return joined(random, parts, restAnywhere || random.nextBoolean() ? "" : "/**");
    }

    private static String path(Random random) {
        return joined(random, new String[] {"a", "b", "ab", "ba", "aab", "", "a%2Fb", "b;a", ";a"}, "");
    }

    private static String joined(Random random, String[] parts, String end) {
        StringBuilder text = new StringBuilder();
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            text.append('/').append(parts[random.nextInt(parts.length)]);
        }
        return text.append(end).toString();
    }

    /** The rules, word by word and without a care for time. */
    private static final class SlowMatcher {

        static boolean matches(String pattern, String path) {
            return matches(
                    List.of(pattern.substring(1).split("/", -1)),
                    List.of(path.substring(1).split("/", -1)));
        }

        private static boolean matches(List<String> pattern, List<String> path) {
            if (pattern.isEmpty()) {
                return path.isEmpty();
            }
            List<String> rest = pattern.subList(1, pattern.size());
            if (!pattern.getFirst().equals("**")) {
                return !path.isEmpty()
                        && segment(pattern.getFirst(), path.getFirst())
                        && matches(rest, path.subList(1, path.size()));
            }
            if (rest.isEmpty()) {
                return !path.isEmpty();
            }
            for (int skip = 0; skip <= path.size(); skip++) {
                if (matches(rest, path.subList(skip, path.size()))) {
                    return true;
                }
            }
            return false;
        }

        private static boolean segment(String pattern, String text) {
            int star = pattern.indexOf('*');
            if (star < 0) {
                return pattern.equals(text);
            }
            return text.matches(java.util.regex.Pattern.quote(pattern.substring(0, star)) + ".+"
                    + java.util.regex.Pattern.quote(pattern.substring(star + 1)));
        }
    }
}

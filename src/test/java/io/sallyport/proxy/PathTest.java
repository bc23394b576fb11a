package io.sallyport.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.rules.RuleBooks;
import io.sallyport.testing.HopCase;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestOrigin;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RW-18: ways around a path rule, in a tunnel, in absolute form and at the gateway. What was judged is what is sent. */
class PathTest extends HopCase {

    @BeforeAll
    void documents() {
        StringBuilder text = new StringBuilder("""
                sallyport: v1
                policy: fixer
                owner: team@example.com
                reason: Reads what is public
                review-by: 2099-01-01
                who: [{identity: ci, subject: agent-1}]
                task: {ttl: 15min, uses: 10000, bytes-out: 1GiB, binding: address}
                scopes:
                """);
        scope(text, "public", "https://api.up.test:${tls}", "GET /public/**", "strict");
        scope(text, "projects", "https://api.up.test:${tls}", "GET /api/v4/projects/*", "opaque");
        scope(text, "public-plain", "http://plain.up.test:${plain}", "GET /public/**", "strict");
        scope(text, "projects-plain", "http://plain.up.test:${plain}", "GET /api/v4/projects/*", "opaque");
        hop.document("policies/fixer.yml", text.toString());
        assertThat(hop.reload()).isInstanceOf(RuleBooks.Reload.Swapped.class);
    }

    private static void scope(StringBuilder text, String name, String url, String allow, String paths) {
        text.append("  ").append(name).append(":\n    reason: Reads\n");
        text.append("    destination: {url: \"").append(url).append("\", addresses: [127.0.0.0/8]}\n");
        text.append("    allow: [\"").append(allow).append("\"]\n");
        text.append("    paths: ").append(paths).append("\n    credential: none\n");
    }

    private List<RawClient.Answer> everywhere(String path) {
        String token = hop.token("public", "projects", "public-plain", "projects-plain");
        String scope = path.startsWith("/api/") ? "projects" : "public";
        try (RawClient tunnel = hop.tunnel("api.up.test", token);
                RawClient absolute = hop.connect();
                RawClient gateway = hop.connect()) {
            return List.of(
                    tunnel.send(request("GET " + path)).read(),
                    absolute.send(text("GET http://" + hop.plainHost("plain.up.test") + path, "x", shows(token)))
                            .read(),
                    gateway.send(text("GET /gateway/fixer:" + scope + path, "x", "x-api-key: " + token))
                            .read());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/public/../secret",
                "/public/%2e%2e/secret",
                "/public/%2E./secret",
                "/public//../secret",
                "/public/..;/secret",
                "/public/.;x=1/secret",
                "/public/./x",
                "/public/..",
                "/public/%252e%252e/secret",
                "/public/..%2fsecret",
                "/public/..%5csecret",
                "/public/..\\secret",
                "/public/a%2Fb",
                "/public//x",
                "/public/%00",
                "/public/%zz",
                "/public/x#y",
                "/api/v4/projects/mine%2F..%2Fother/x",
                "/api/v4/projects/mine%2F..%2Fother",
                "/api/v4/projects/../x"
            })
    void a_path_that_somebody_could_read_otherwise_is_refused(String path) {
        assertThat(everywhere(path))
                .extracting(RawClient.Answer::status)
                .as(path)
                .allMatch(status -> status == 400 || status == 403);
        assertThat(hop.origin().received()).isEmpty();
        assertThat(hop.plainOrigin().received()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "/p%75blic/x, /public/x",
        "/public/%7ex%2Dy, /public/~x-y",
        "/public/a%c3%a9b, /public/a%C3%A9b",
        "/public/a+b;c=d@e:f, /public/a+b;c=d@e:f",
        "/api/v4/projects/group%2Fproj, /api/v4/projects/group%2Fproj",
        "/api/v4/projects/group%2fproj?a=%2f, /api/v4/projects/group%2Fproj?a=%2F"
    })
    void what_was_judged_is_what_is_sent(String asked, String sent) {
        assertThat(everywhere(asked)).extracting(RawClient.Answer::status).containsExactly(200, 200, 200);
        assertThat(hop.origin().received())
                .extracting(TestOrigin.Received::requestLine)
                .containsExactly("GET " + sent + " HTTP/1.1", "GET " + sent + " HTTP/1.1");
        assertThat(hop.plainOrigin().received())
                .extracting(TestOrigin.Received::requestLine)
                .containsExactly("GET " + sent + " HTTP/1.1");
        assertThat(hop.entries("used")).anyMatch(entry -> entry.contains("\"" + sent + "\""));
    }
}

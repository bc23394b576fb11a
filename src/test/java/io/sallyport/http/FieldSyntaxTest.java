package io.sallyport.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FieldSyntaxTest {

    @Test
    void a_line_is_a_name_a_colon_and_a_value_without_its_blanks() {
        assertThat(FieldSyntax.parseLine("X-A: \t b c \t")).isEqualTo(Parsed.valid(new Field("X-A", "b c")));
        assertThat(FieldSyntax.parseLine("X-A:")).isEqualTo(Parsed.valid(new Field("X-A", "")));
        assertThat(FieldSyntax.parseLine("X-A: a:b\u00e9\tc"))
                .isEqualTo(Parsed.valid(new Field("X-A", "a:b\u00e9\tc")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                " folded",
                "\tfolded: x",
                "no colon",
                ": no name",
                "a : b",
                "a b: c",
                "a\t: b",
                "a: b\u0000c",
                "a: b\rc",
                "a: b\nc",
                "a: \u0001",
                "a: \u007f",
                "é: a",
                "a: €",
                "(a): b",
                "a\u0000: b",
                "Content_Length: 5",
                "transfer_encoding: chunked",
                "Proxy_Authorization: x",
                ""
            })
    void a_line_that_parsers_read_in_two_ways_is_malformed(String line) {
        assertThat(FieldSyntax.parseLine(line)).isInstanceOf(Parsed.Malformed.class);
    }

    @Test
    void a_head_has_at_most_so_many_lines() {
        Field line = new Field("a", "b");
        assertThat(FieldSyntax.problem(Fields.of(Collections.nCopies(FieldSyntax.MAX_LINES, line))))
                .isEmpty();
        assertThat(FieldSyntax.problem(Fields.of(Collections.nCopies(FieldSyntax.MAX_LINES + 1, line))))
                .isPresent();
        assertThat(FieldSyntax.problem(Fields.of("a", "b", "c", "d\n"))).isPresent();
    }

    @Test
    void a_problem_never_quotes_the_value() {
        assertThat(FieldSyntax.problem(new Field("Authorization", "s3cret\n")).orElseThrow())
                .doesNotContain("s3cret");
    }

    /** RW-32. */
    @Test
    void what_belongs_to_one_connection_goes_no_further() {
        Fields fields = Fields.of(
                "Host",
                "api.up.test",
                "Connection",
                "close, authorization, x-api-key, host, content-length",
                "X-Hop",
                "1",
                "connection",
                "x-hop,",
                "Content-Length",
                "5",
                "Keep-Alive",
                "1",
                "TE",
                "trailers",
                "Trailer",
                "x",
                "Upgrade",
                "h2c",
                "HTTP2-Settings",
                "x",
                "Proxy-Authorization",
                "Basic x",
                "Proxy-Connection",
                "keep-alive",
                "Transfer-Encoding",
                "chunked",
                "x-api-key",
                "mine",
                "Accept",
                "*/*");
        assertThat(HopByHop.strip(fields))
                .isEqualTo(Fields.of("Host", "api.up.test", "Content-Length", "5", "Accept", "*/*"));
    }

    @Test
    void a_head_without_connection_keeps_its_fields() {
        Fields fields = Fields.of("Host", "a.test", "Accept", "*/*");
        assertThat(HopByHop.strip(fields)).isSameAs(fields);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-HTTP-Method-Override",
                "x-http-method",
                "X-Method-Override",
                "X_HTTP_Method_Override",
                "X-Original-URL",
                "X-Rewrite-URL"
            })
    void a_field_that_overrides_the_request_line_is_refused(String name) {
        assertThat(Overrides.in(
                        Fields.of("Accept", "*/*", name, "DELETE"),
                        Target.parse("/").orElseThrow()))
                .isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/x?_method=DELETE",
                "/x?a=1&%24httpMethod=DELETE",
                "/x?a;_METHOD=x",
                "/x?X-HTTP-Method-Override=PUT"
            })
    void a_parameter_that_overrides_the_method_is_refused(String target) {
        assertThat(Overrides.in(Fields.EMPTY, Target.parse(target).orElseThrow()))
                .isPresent();
    }

    @Test
    void an_ordinary_request_overrides_nothing() {
        assertThat(Overrides.in(
                        Fields.of("Accept", "*/*", "X-Request-Id", "1"),
                        Target.parse("/x?method=a&q=_method").orElseThrow()))
                .isEmpty();
    }
}

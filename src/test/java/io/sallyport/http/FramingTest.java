package io.sallyport.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FramingTest {

    private static Parsed<Framing> request(String... fields) {
        return Framing.ofRequest(Fields.of(fields), false);
    }

    @Test
    void a_request_has_no_content_one_length_or_chunks() {
        assertThat(request()).isEqualTo(Parsed.valid(new Framing.None()));
        assertThat(request("content-length", "0")).isEqualTo(Parsed.valid(new Framing.Length(0)));
        assertThat(request("Content-Length", "999999999999999999"))
                .isEqualTo(Parsed.valid(new Framing.Length(999999999999999999L)));
        assertThat(request("Transfer-Encoding", "Chunked")).isEqualTo(Parsed.valid(new Framing.Chunked()));
    }

    /** RW-40. */
    @Test
    void two_lengths_are_malformed() {
        assertThat(request("Content-Length", "4", "Transfer-Encoding", "chunked"))
                .isInstanceOf(Parsed.Malformed.class);
        assertThat(request("Transfer-Encoding", "chunked", "Content-Length", "4"))
                .isInstanceOf(Parsed.Malformed.class);
        assertThat(request("Content-Length", "0", "content-length", "40")).isInstanceOf(Parsed.Malformed.class);
        assertThat(request("Content-Length", "5", "Content-Length", "5")).isInstanceOf(Parsed.Malformed.class);
        assertThat(request("Transfer-Encoding", "chunked", "Transfer-Encoding", "chunked"))
                .isInstanceOf(Parsed.Malformed.class);
        assertThat(request("Transfer-Encoding", "", "Content-Length", "4")).isInstanceOf(Parsed.Malformed.class);
    }

    /** RW-40. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "+5",
                "-5",
                "5,5",
                "5 , 6",
                "5, 5",
                "05",
                "0x5",
                "5 ",
                " 5",
                "5.0",
                "٥",
                "1000000000000000000",
                "99999999999999999999",
                "5\t"
            })
    void an_odd_length_is_malformed(String value) {
        assertThat(request("Content-Length", value)).isInstanceOf(Parsed.Malformed.class);
        assertThat(Framing.ofResponse("GET", 200, Fields.of("Content-Length", value)))
                .isInstanceOf(Parsed.Malformed.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "gzip, chunked",
                "chunked, gzip",
                "chunked, chunked",
                "identity",
                "xchunked",
                "chunked;a=b",
                "chunked,",
                "\u000bchunked",
                "chunked\t"
            })
    void any_coding_but_chunked_alone_is_malformed(String value) {
        assertThat(request("Transfer-Encoding", value)).isInstanceOf(Parsed.Malformed.class);
    }

    @Test
    void http_10_has_no_chunks() {
        Fields chunked = Fields.of("Transfer-Encoding", "chunked");
        assertThat(Framing.ofRequest(chunked, true)).isInstanceOf(Parsed.Malformed.class);
        assertThat(Framing.ofResponse("GET", 200, chunked, true)).isInstanceOf(Parsed.Malformed.class);
    }

    /** RW-47. */
    @ParameterizedTest
    @CsvSource({"HEAD,200", "GET,100", "GET,103", "GET,204", "GET,304", "CONNECT,200"})
    void some_answers_have_no_content_whatever_their_fields_say(String method, int status) {
        for (Fields fields : new Fields[] {
            Fields.EMPTY, Fields.of("Content-Length", "1488324"), Fields.of("Transfer-Encoding", "chunked")
        }) {
            assertThat(Framing.ofResponse(method, status, fields)).isEqualTo(Parsed.valid(new Framing.None()));
        }
    }

    /** RW-47. */
    @Test
    void an_unsized_answer_ends_with_its_connection() {
        assertThat(Framing.ofResponse("GET", 200, Fields.EMPTY)).isEqualTo(Parsed.valid(new Framing.UntilClose()));
        assertThat(Framing.ofResponse("GET", 200, Fields.of("Content-Length", "3")))
                .isEqualTo(Parsed.valid(new Framing.Length(3)));
        assertThat(Framing.ofResponse("CONNECT", 403, Fields.of("Transfer-Encoding", "chunked")))
                .isEqualTo(Parsed.valid(new Framing.Chunked()));
    }
}

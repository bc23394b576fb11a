package io.sallyport.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.Http2AgentCase;
import io.sallyport.testing.Http2Frame;
import io.sallyport.testing.RawHttp2Client;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * PX-14 and the siblings of RW-40 in HTTP/2: what would be two requests behind us, or another one, is none. Each case is sent as raw frames;
 * what counts is what the origin, which speaks HTTP/1, received.
 */
class Http2GuardTest extends Http2AgentCase {

    private static final String SMUGGLED = "GET /v1/smuggled HTTP/1.1\r\nHost: x\r\n\r\n";

    private Map<String, String[]> malformedHeads() {
        String host = hop.host("api.up.test");
        Map<String, String[]> cases = new LinkedHashMap<>();
        cases.put("upper case in a name", head("GET", "/v1/x", "Accept", "a"));
        cases.put("an empty name", head("GET", "/v1/x", "", "a"));
        cases.put("a space in a name", head("GET", "/v1/x", "a b", "a"));
        cases.put("a colon in a name", head("GET", "/v1/x", "a:b", "a"));
        cases.put("a line end in a name", head("GET", "/v1/x", "a\r\nhost", "evil"));
        cases.put("NUL in a name", head("GET", "/v1/x", "a\0", "a"));
        cases.put("a letter beyond ASCII in a name", head("GET", "/v1/x", "\u00e9", "a"));
        for (String end : List.of("\r\n", "\n", "\r", "\0", "\u007f", "\u0001")) {
            String code = String.format("%02x", (int) end.charAt(end.length() - 1));
            cases.put("control " + code + " in a value", head("GET", "/v1/x", "a", "b" + end + "c: d"));
            cases.put("control " + code + " in the path", head("GET", "/v1/x" + end + "y", "a", "b"));
            cases.put("control " + code + " in the method", head("GET" + end + "X", "/v1/x"));
            cases.put(
                    "control " + code + " in the authority", lines("GET", "https", host + end + "X-Evil: 1", "/v1/x"));
        }
        cases.put("a request in a value", head("GET", "/v1/x", "a", "b\r\n\r\n" + SMUGGLED));
        cases.put("a request in the path", head("GET", "/v1/x HTTP/1.1\r\nHost: x\r\n\r\n" + SMUGGLED));
        cases.put("a request in the method", head("GET /v1/smuggled HTTP/1.1\r\nX: y", "/v1/x"));
        cases.put("a blank before a value", head("GET", "/v1/x", "a", " b"));
        cases.put("a tab behind a value", head("GET", "/v1/x", "a", "b\t"));
        cases.put("transfer-encoding", head("POST", "/v1/x", "transfer-encoding", "chunked"));
        cases.put(
                "transfer-encoding and a length",
                head("POST", "/v1/x", "content-length", "3", "transfer-encoding", "chunked"));
        cases.put("connection", head("GET", "/v1/x", "connection", "close"));
        cases.put("connection that names the credential", head("GET", "/v1/x", "connection", "authorization"));
        cases.put("keep-alive", head("GET", "/v1/x", "keep-alive", "1"));
        cases.put("proxy-connection", head("GET", "/v1/x", "proxy-connection", "keep-alive"));
        cases.put("upgrade", head("GET", "/v1/x", "upgrade", "websocket"));
        cases.put("te beyond trailers", head("GET", "/v1/x", "te", "trailers, chunked"));
        cases.put("content_length", head("POST", "/v1/x", "content_length", "3"));
        cases.put("transfer_encoding", head("POST", "/v1/x", "transfer_encoding", "chunked"));
        cases.put("two lengths", head("POST", "/v1/x", "content-length", "3", "content-length", "30"));
        cases.put("two equal lengths", head("POST", "/v1/x", "content-length", "3", "content-length", "3"));
        for (String length : List.of("+3", "-1", "3,3", "3 , 4", "0x3", "03", "", "9999999999999999999")) {
            cases.put("the length '" + length + "'", head("POST", "/v1/x", "content-length", length));
        }
        cases.put("a length and no content", head("POST", "/v1/x", "content-length", "3"));
        cases.put("an empty path", head("GET", ""));
        cases.put("no path", new String[] {":method", "GET", ":scheme", "https", ":authority", host});
        cases.put("the path *", head("OPTIONS", "*"));
        cases.put("an absolute path", head("GET", "https://" + host + "/v1/x"));
        cases.put("a path without its slash", head("GET", "v1/x"));
        cases.put("a fragment", head("GET", "/v1/x#y"));
        cases.put("a space in the path", head("GET", "/v1/x y"));
        cases.put("a dot segment", head("GET", "/v1/../x"));
        cases.put("an encoded dot segment", head("GET", "/v1/%2e%2e/x"));
        cases.put("no method", new String[] {":scheme", "https", ":authority", host, ":path", "/v1/x"});
        cases.put("an empty method", head("", "/v1/x"));
        cases.put("no scheme", new String[] {":method", "GET", ":authority", host, ":path", "/v1/x"});
        cases.put("another scheme", lines("GET", "ftp", host, "/v1/x"));
        cases.put("a scheme with more in it", lines("GET", "https://evil.test/", host, "/v1/x"));
        cases.put("no authority and no host", new String[] {":method", "GET", ":scheme", "https", ":path", "/v1/x"});
        cases.put("two hosts", head("GET", "/v1/x", "host", host, "host", host));
        cases.put("host and authority disagree", head("GET", "/v1/x", "host", hop.host("blob.up.test")));
        cases.put("a user in the authority", lines("GET", "https", "user@" + host, "/v1/x"));
        cases.put("a path in the authority", lines("GET", "https", host + "/v1/y", "/x"));
        cases.put("a query in the authority", lines("GET", "https", host + "?a", "/v1/x"));
        cases.put(":method twice", head("GET", "/v1/x", ":method", "POST"));
        cases.put(":path twice", head("GET", "/v1/x", ":path", "/v1/y"));
        cases.put(":authority twice", head("GET", "/v1/x", ":authority", host));
        cases.put(":scheme twice", head("GET", "/v1/x", ":scheme", "https"));
        cases.put("an unknown pseudo-header field", head("GET", "/v1/x", ":version", "HTTP/1.1"));
        cases.put("an answer's pseudo-header field", head("GET", "/v1/x", ":status", "200"));
        cases.put("a pseudo-header field in upper case", head("GET", "/v1/x", ":Path", "/v1/y"));
        cases.put("a late pseudo-header field", new String[] {
            ":method", "GET", "accept", "a", ":scheme", "https", ":authority", host, ":path", "/v1/x"
        });
        cases.put("a pseudo-header field behind a cookie", new String[] {
            ":method", "GET", "cookie", "a", ":scheme", "https", ":authority", host, ":path", "/v1/x"
        });
        cases.put("CONNECT with a path", head("CONNECT", "/v1/x"));
        cases.put("CONNECT in a tunnel", new String[] {":method", "CONNECT", ":authority", host});
        cases.put("TRACE with a body's length", head("TRACE", "/v1/x", "content-length", "5"));
        cases.put(
                "more lines than a head may have",
                head(
                        "GET",
                        "/v1/x",
                        Stream.iterate(0, i -> i < 129, i -> i + 1)
                                .flatMap(i -> Stream.of("x-" + i, "1"))
                                .toArray(String[]::new)));
        return cases;
    }

    /** One connection for all: none of them costs the next one its turn. */
    @TestFactory
    Stream<DynamicTest> a_head_with_no_one_meaning_is_a_400_of_its_own_stream() {
        RawHttp2Client agent = hop.http2("api.up.test", hop.token("read", "write"));
        List<DynamicTest> tests = new ArrayList<>();
        malformedHeads()
                .forEach((name, lines) -> tests.add(DynamicTest.dynamicTest(name, () -> {
                    hop.origin().received().clear();
                    RawHttp2Client.Answer answer = agent.answer(agent.get(lines));
                    assertThat(answer.status()).as(Arrays.toString(lines)).isEqualTo(400);
                    assertThat(answer.text()).contains("\"error\":\"malformed\"", "\"ledger\":\"");
                    assertThat(answer.field("proxy-status")).isNotEmpty();
                    assertThat(hop.origin().received()).isEmpty();
                })));
        tests.add(DynamicTest.dynamicTest("and a good one on the same connection passes", () -> {
            assertThat(agent.answer(agent.get(head("GET", "/v1/x"))).status()).isEqualTo(200);
            agent.close();
        }));
        return tests.stream();
    }

    @Test
    void content_that_is_longer_than_its_length_is_a_400_and_the_peer_is_told_to_stop() {
        try (RawHttp2Client agent = hop.http2("api.up.test", hop.token("write"))) {
            int stream = agent.begin(head("POST", "/v1/x", "content-length", "3"));
            agent.data(stream, "abc" + SMUGGLED, false);
            RawHttp2Client.Answer answer = agent.answer(stream);
            assertThat(answer.status()).isEqualTo(400);
            agent.await(frame -> frame.type() == Http2Frame.RST_STREAM && frame.code() == 1);
            int split = agent.begin(head("POST", "/v1/x", "content-length", "3"));
            agent.data(split, "abc", false).data(split, SMUGGLED, true);
            assertThat(agent.answer(split).status()).isEqualTo(400);
            int none = agent.begin(head("POST", "/v1/x", "content-length", "0"));
            agent.data(none, SMUGGLED, true);
            assertThat(agent.answer(none).status()).isEqualTo(400);
            assertThat(agent.answer(agent.get(head("POST", "/v1/x"))).status()).isEqualTo(200);
        }
        assertThat(hop.origin().received()).hasSize(1);
    }

    @Test
    void content_that_is_shorter_than_its_length_never_passes_for_whole() {
        try (RawHttp2Client agent = hop.http2("api.up.test", hop.token("write"))) {
            int stream = agent.begin(head("POST", "/v1/x", "content-length", "30"));
            agent.data(stream, "abc", true);
            assertThat(agent.answer(stream).status()).isEqualTo(400);
            int trailed = agent.begin(head("POST", "/v1/x", "content-length", "30"));
            agent.data(trailed, "abc", false)
                    .frame(
                            Http2Frame.HEADERS,
                            Http2Frame.END_HEADERS | Http2Frame.END_STREAM,
                            trailed,
                            RawHttp2Client.headers("x-a", "1"));
            assertThat(agent.answer(trailed).status()).isEqualTo(400);
        }
        assertThat(hop.origin().received()).isEmpty();
    }

    /** An origin of HTTP/1 acts when it has as much as the head says: it must not have that before the stream's end is known. */
    @Test
    void content_that_is_all_there_does_not_leave_before_its_stream_ends() {
        try (RawHttp2Client agent = hop.http2("api.up.test", hop.token("read", "write"))) {
            int takenBack = agent.begin(head("POST", "/v1/taken-back", "content-length", "3"));
            int bare = agent.begin(head("POST", "/v1/bare", "content-length", "0"));
            int longer = agent.begin(head("POST", "/v1/longer", "content-length", "3"));
            int whole = agent.begin(head("POST", "/v1/whole", "content-length", "3"));
            agent.data(takenBack, "abc", false).data(longer, "abc", false).data(whole, "abc", false);
            // Much longer than a window is patient for.
            for (int i = 0; i < 30; i++) {
                assertThat(agent.answer(agent.get(head("GET", "/v1/meanwhile"))).status())
                        .isEqualTo(200);
            }
            assertThat(hop.origin().received())
                    .allMatch(received -> received.target().equals("/v1/meanwhile"));
            agent.reset(takenBack, 8)
                    .reset(bare, 8)
                    .data(longer, SMUGGLED, true)
                    .data(whole, "", true);
            assertThat(agent.answer(longer).status()).isEqualTo(400);
            assertThat(agent.answer(whole).status()).isEqualTo(200);
        }
        Awaitility.await().until(() -> hop.flows().running() == 0);
        assertThat(hop.origin().received())
                .filteredOn(received -> received.requestLine().startsWith("POST"))
                .extracting(received -> received.requestLine() + "|" + received.text())
                .containsExactly("POST /v1/whole HTTP/1.1|abc");
        Entries.of(hop, "/v1/whole").asserts("abc".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
    }

    /** A GET that brings content brings it to the origin as content: it is not the next request there. */
    @Test
    void a_request_in_the_content_of_a_get_stays_content() {
        try (RawHttp2Client agent = hop.http2("blob.up.test", hop.token("blob"))) {
            String host = hop.host("blob.up.test");
            int sized = agent.begin(
                    lines("GET", "https", host, "/a", "content-length", Integer.toString(SMUGGLED.length())));
            agent.data(sized, SMUGGLED, true);
            assertThat(agent.answer(sized).status()).isEqualTo(200);
            int unsized = agent.begin(lines("GET", "https", host, "/b"));
            agent.data(unsized, "0\r\n\r\n" + SMUGGLED, true);
            assertThat(agent.answer(unsized).status()).isEqualTo(200);
        }
        assertThat(hop.origin().received())
                .extracting(received -> received.requestLine() + "|" + received.text())
                .containsExactly("GET /a HTTP/1.1|" + SMUGGLED, "GET /b HTTP/1.1|0\r\n\r\n" + SMUGGLED);
    }

    @Test
    void malformed_trailers_are_refused() {
        List<String[]> cases = List.of(
                new String[] {":path", "/v1/y"},
                new String[] {"Upper", "1"},
                new String[] {"transfer-encoding", "chunked"},
                new String[] {"a", "b\r\nc: d"});
        try (RawHttp2Client agent = hop.http2("api.up.test", hop.token("write"))) {
            for (String[] trailers : cases) {
                int stream = agent.begin(head("POST", "/v1/x"));
                agent.data(stream, "abc", false)
                        .frame(
                                Http2Frame.HEADERS,
                                Http2Frame.END_HEADERS | Http2Frame.END_STREAM,
                                stream,
                                RawHttp2Client.headers(trailers));
                assertThat(agent.answer(stream).status())
                        .as(Arrays.toString(trailers))
                        .isEqualTo(400);
            }
        }
        assertThat(hop.origin().received()).isEmpty();
    }

    /** RFC 9113 section 8.2.3. */
    @Test
    void crumbs_of_a_cookie_arrive_as_one_field() {
        String own = io.sallyport.testing.TestHop.POLICY.replaceFirst(
                "credential: none", "credential: {own: [cookie], reason: It has its own session there}");
        try (io.sallyport.testing.TestHop other = io.sallyport.testing.TestHop.start(settings -> settings, own);
                RawHttp2Client agent = other.http2("blob.up.test", other.token("blob"))) {
            int stream = agent.get(lines(
                    "GET", "https", other.host("blob.up.test"), "/x", "cookie", "a=1", "x-b", "2", "cookie", "c=3"));
            assertThat(agent.answer(stream).status()).isEqualTo(200);
            assertThat(other.origin().received().getFirst().field("cookie")).containsExactly("a=1; c=3");
        }
    }

    /** RW-15: one name in CONNECT, SNI and :authority; the stream is the wrong one, the connection is not. */
    @Test
    void an_authority_of_another_host_is_a_421_and_the_connection_goes_on() {
        try (RawHttp2Client agent = hop.http2("api.up.test", hop.token("read", "blob"))) {
            RawHttp2Client.Answer answer =
                    agent.answer(agent.get(lines("GET", "https", hop.host("blob.up.test"), "/v1/x")));
            assertThat(answer.status()).isEqualTo(421);
            assertThat(answer.text()).contains("misdirected", "api.up.test", "blob.up.test");
            assertThat(agent.answer(agent.get(lines("GET", "http", hop.host("api.up.test"), "/v1/x")))
                            .status())
                    .isEqualTo(421);
            assertThat(agent.answer(agent.get(lines("GET", "https", hop.host("API.up.test."), "/v1/x")))
                            .status())
                    .isEqualTo(200);
            assertThat(agent.answer(agent.get(
                                    ":method",
                                    "GET",
                                    ":scheme",
                                    "https",
                                    ":path",
                                    "/v1/y",
                                    "host",
                                    hop.host("api.up.test")))
                            .status())
                    .isEqualTo(200);
        }
        assertThat(hop.origin().received())
                .extracting(received -> received.requestLine())
                .containsExactly("GET /v1/x HTTP/1.1", "GET /v1/y HTTP/1.1");
    }

    @Test
    void a_head_that_is_too_large_is_a_431_and_one_that_asks_for_too_long_a_target_a_414() {
        try (RawHttp2Client agent = hop.http2("api.up.test", hop.token("read"))) {
            int stream = agent.nextStream();
            byte[] block = RawHttp2Client.headers(head("GET", "/v1/x", "x-large", "a".repeat(100_000)));
            agent.frame(Http2Frame.HEADERS, Http2Frame.END_STREAM, stream, Arrays.copyOf(block, 16_000));
            for (int from = 16_000; from < block.length; from += 16_000) {
                int to = Math.min(block.length, from + 16_000);
                agent.frame(
                        Http2Frame.CONTINUATION,
                        to == block.length ? Http2Frame.END_HEADERS : 0,
                        stream,
                        Arrays.copyOfRange(block, from, to));
            }
            RawHttp2Client.Answer answer = agent.answer(stream);
            assertThat(answer.status()).isEqualTo(431);
            assertThat(answer.text()).contains("head_too_large");
            assertThat(agent.answer(agent.get(head("GET", "/v1/" + "a".repeat(9000))))
                            .status())
                    .isEqualTo(414);
            assertThat(agent.answer(agent.get(head("GET", "/v1/x"))).status()).isEqualTo(200);
        }
    }
}

package io.sallyport.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.HopCase;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestHop;
import io.sallyport.testing.TestOrigin;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A request's content: hashed, recorded, then released, in whatever framing and size it comes. */
class ContentTest extends HopCase {

    private static final byte[] CRLF = "\r\n".getBytes(ISO_8859_1);

    /** RW-26. */
    @Test
    void the_credential_is_on_every_request_whatever_its_content() {
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("read", "write"))) {
            agent.send(request("GET /v1/x"));
            assertThat(agent.read().status()).isEqualTo(200);
            agent.send(request("POST /v1/x", "Content-Length: 3") + "abc");
            assertThat(agent.read().status()).isEqualTo(200);
            agent.send(request("PUT /v1/x", "Content-Length: 0"));
            assertThat(agent.read().status()).isEqualTo(200);
            agent.send(request("POST /v1/x", "Transfer-Encoding: chunked") + "3\r\nabc\r\n0\r\n\r\n");
            assertThat(agent.read().status()).isEqualTo(200);
        }
        assertThat(hop.origin().received())
                .allMatch(seen -> seen.field("Authorization").equals(List.of("Bearer " + TestHop.SECRET)))
                .extracting(TestOrigin.Received::text)
                .containsExactly("", "abc", "", "abc");
        assertThat(hop.origin().received().get(1).field("Content-Length")).containsExactly("3");
        assertThat(hop.origin().received().get(2).field("Content-Length")).containsExactly("0");
        assertThat(hop.origin().received().get(3).field("Transfer-Encoding")).containsExactly("chunked");
    }

    @Test
    void a_small_body_is_one_entry_with_its_hash() {
        byte[] content = random(8_000);
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("write"))) {
            // Head and content in one TLS record: what comes later than a few milliseconds would be a window of its
            // own.
            agent.send(
                    (request("POST /v1/small", "Content-Length: " + content.length) + new String(content, ISO_8859_1))
                            .getBytes(ISO_8859_1));
            assertThat(agent.read().status()).isEqualTo(200);
        }
        String hash = sha256(content);
        assertThat(hop.entries("used"))
                .filteredOn(entry -> entry.contains("/v1/small"))
                .hasSize(1)
                .allMatch(entry -> entry.contains(hash));
    }

    /** RW-26: several windows, both framings. */
    @Test
    void a_large_body_leaves_in_windows_and_the_last_has_the_whole_hash() {
        byte[] content = random(5 * 1024 * 1024 + 17);
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("write"))) {
            agent.send(request("POST /v1/length", "Content-Length: " + content.length))
                    .send(content);
            assertThat(agent.read().status()).isEqualTo(200);
            agent.send(request("POST /v1/chunked", "Transfer-Encoding: chunked"));
            for (int at = 0; at < content.length; at += 70_000) {
                byte[] chunk = java.util.Arrays.copyOfRange(content, at, Math.min(content.length, at + 70_000));
                agent.send(Integer.toHexString(chunk.length) + ";ext=1\r\n")
                        .send(chunk)
                        .send(CRLF);
            }
            agent.send("0\r\n\r\n");
            assertThat(agent.read().status()).isEqualTo(200);
        }
        assertThat(hop.origin().received())
                .hasSize(2)
                .allMatch(seen -> java.util.Arrays.equals(seen.content(), content));
        assertThat(hop.entries("window"))
                .filteredOn(entry -> entry.contains(sha256(content)))
                .hasSize(2);
    }

    @Test
    @Tag("slow")
    void an_upload_of_64_mib_arrives_whole() {
        byte[] content = random(64 * 1024 * 1024);
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("write"))) {
            agent.send(request("POST /v1/huge", "Content-Length: " + content.length))
                    .send(content);
            assertThat(agent.read().status()).isEqualTo(200);
        }
        assertThat(sha256(hop.origin().received().getFirst().content())).isEqualTo(sha256(content));
    }

    @Test
    void with_expect_the_origin_is_asked_before_any_content_leaves() {
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("write"))) {
            agent.send(request("POST /v1/expect", "Content-Length: 5", "Expect: 100-continue"));
            assertThat(agent.head()).startsWith("HTTP/1.1 100");
            agent.send("hello");
            assertThat(agent.read().status()).isEqualTo(200);
        }
        assertThat(hop.origin().received().getFirst().text()).isEqualTo("hello");
        assertThat(hop.entries("used"))
                .filteredOn(entry -> entry.contains("/v1/expect"))
                .hasSize(1)
                .allMatch(entry -> entry.contains("\"complete\":false"));
    }

    @Test
    void a_refusal_to_expect_comes_without_reading_the_content() {
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("read"))) {
            agent.send(request("POST /v1/expect", "Content-Length: 500000", "Expect: 100-continue"));
            RawClient.Answer answer = agent.read();
            assertThat(answer.status()).isEqualTo(403);
            assertThat(answer.field("Connection")).containsExactly("close");
        }
    }

    /** RW-42. */
    @Test
    void a_body_above_the_scopes_limit_is_refused_in_both_framings_and_both_modes() {
        String token = hop.token("small", "small-plain");
        byte[] large = random(64 * 1024 + 1);
        String plain = "http://" + hop.plainHost("small.up.test") + "/x";
        for (String framing : List.of("Content-Length: " + large.length, "Transfer-Encoding: chunked")) {
            byte[] body = framing.startsWith("T") ? chunked(large) : large;
            try (RawClient agent = hop.tunnel("api.up.test", token)) {
                agent.send(request("POST /small", framing)).send(body);
                assertThat(agent.read().status()).isEqualTo(413);
            }
            try (RawClient agent = hop.connect()) {
                agent.send(text("POST " + plain, "x", framing, shows(token))).send(body);
                assertThat(agent.read().status()).isEqualTo(413);
            }
        }
        assertThat(hop.origin().received()).isEmpty();
        assertThat(hop.plainOrigin().received()).isEmpty();
    }

    /** RW-42: at the gateway too, and at the very limit it passes. */
    @Test
    void the_gateway_holds_the_same_limit_in_both_framings() {
        String token = hop.token("small");
        for (int size : new int[] {64 * 1024, 64 * 1024 + 1}) {
            for (String framing : List.of("Content-Length: " + size, "Transfer-Encoding: chunked")) {
                byte[] body = framing.startsWith("T") ? chunked(random(size)) : random(size);
                try (RawClient agent = hop.connect()) {
                    agent.send(text("POST /gateway/fixer:small/small", "x", framing, "x-api-key: " + token))
                            .send(body);
                    assertThat(agent.read().status()).as(framing).isEqualTo(size > 64 * 1024 ? 413 : 200);
                }
            }
        }
        assertThat(hop.origin().received()).hasSize(2).allMatch(seen -> seen.content().length == 64 * 1024);
    }

    /** RW-42: extensions of chunks are nobody's business and stay behind. */
    @Test
    void chunk_extensions_of_a_request_are_not_passed_on() {
        String token = hop.token("write", "plain");
        String body = "3;name=value\r\nabc\r\n3;q=\"a;b\"\r\ndef\r\n0\r\n\r\n";
        try (RawClient agent = hop.connect()) {
            agent.send(text(
                            "POST http://" + hop.plainHost("plain.up.test") + "/x",
                            "x",
                            "Transfer-Encoding: chunked",
                            shows(token))
                    + body);
            assertThat(agent.read().status()).isEqualTo(200);
        }
        try (RawClient agent = hop.tunnel("api.up.test", token)) {
            agent.send(request("POST /v1/x", "Transfer-Encoding: chunked") + body);
            assertThat(agent.read().status()).isEqualTo(200);
        }
        assertThat(hop.plainOrigin().received().getFirst().text()).isEqualTo("abcdef");
        assertThat(hop.origin().received().getFirst().text()).isEqualTo("abcdef");
    }

    /** RW-42. */
    @Test
    void a_chunked_body_on_the_plain_path_arrives_whole() {
        byte[] content = random(200_000);
        try (RawClient agent = hop.connect()) {
            agent.send(text(
                            "POST http://" + hop.plainHost("plain.up.test") + "/x",
                            "x",
                            "Transfer-Encoding: chunked",
                            shows(hop.token("plain"))))
                    .send(chunked(content));
            assertThat(agent.read().status()).isEqualTo(200);
        }
        assertThat(hop.plainOrigin().received().getFirst().content()).isEqualTo(content);
    }

    @Test
    void malformed_chunks_are_refused_and_what_follows_them_is_never_a_request() {
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("write", "read"))) {
            String all = agent.send(request("POST /v1/x", "Transfer-Encoding: chunked")
                            + "5\r\nhelloXX0\r\n\r\nGET /v1/smuggled HTTP/1.1\r\nHost: x\r\n\r\n")
                    .rest();
            assertThat(all).startsWith("HTTP/1.1 400");
        }
        assertThat(hop.origin().received()).isEmpty();
    }

    private static byte[] chunked(byte[] content) {
        java.io.ByteArrayOutputStream out = new java.io.ByteArrayOutputStream();
        for (int at = 0; at < content.length; at += 8000) {
            int length = Math.min(8000, content.length - at);
            out.writeBytes((Integer.toHexString(length) + "\r\n").getBytes(ISO_8859_1));
            out.write(content, at, length);
            out.writeBytes(CRLF);
        }
        out.writeBytes("0\r\n\r\n".getBytes(ISO_8859_1));
        return out.toByteArray();
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    private static String sha256(byte[] content) {
        return HexFormat.of().formatHex(RequestHash.sha256().digest(content));
    }
}

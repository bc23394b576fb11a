package io.sallyport.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.Door;
import io.sallyport.testing.DoorCase;
import io.sallyport.testing.EveryHttp1Door;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestHop;
import io.sallyport.testing.TestOrigin;
import java.util.List;
import java.util.Random;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;

/** One meaning or a 400, and what is recorded is what left: framing as HTTP/1 writes it, at every door that speaks it. */
class EveryFramingTest extends DoorCase {

    private static final String SMUGGLED = "0\r\n\r\nGET /v1/smuggled HTTP/1.1\r\nHost: x\r\n\r\n";

    /** RW-40, PX-14: heads that some parser reads in another way than the next one. */
    private static final List<String> TWO_READINGS = List.of(
            "Content-Length: 4\r\nTransfer-Encoding: chunked",
            "Transfer-Encoding: chunked\r\nContent-Length: 4",
            "Content-Length: 0\r\nContent-Length: 40",
            "Content-Length: 5\r\nContent-Length: 5",
            "Content-Length: +5",
            "Content-Length: -5",
            "Content-Length: 5,5",
            "Content-Length: 5 , 6",
            "Content-Length: 0x5",
            "Content-Length: 05",
            "Content-Length: 5 5",
            "Content-Length:",
            "Content-Length: 9999999999999999999",
            "Content-Length : 5",
            " Content-Length: 5",
            "Content_Length: 5",
            "Content-Length: 5\r\n ,6",
            "Content-Length\u0000: 5",
            "Transfer-Encoding: chunked, chunked",
            "Transfer-Encoding: xchunked",
            "Transfer-Encoding: chunkedx",
            "Transfer-Encoding: gzip, chunked",
            "Transfer-Encoding: chunked, identity",
            "Transfer-Encoding: identity",
            "Transfer-Encoding: \"chunked\"",
            "Transfer-Encoding: chunked;q=1",
            "Transfer-Encoding:\u000bchunked",
            "Transfer-Encoding\t: chunked",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
            "Transfer-Encoding:\r\n chunked",
            "Transfer_Encoding: chunked",
            "X: a\r\n folded: b",
            "X: a\r\n\tfolded",
            "X: a\nTransfer-Encoding: chunked",
            "X: a\rTransfer-Encoding: chunked",
            "X: a\u0000b",
            "Host: second",
            "Bad Name: x",
            ": no name",
            "no colon");

    @EveryHttp1Door
    void a_head_with_two_readings_is_a_400_with_an_entry_and_nothing_leaves(Door door) {
        String token = door.token(hop);
        for (String fields : TWO_READINGS) {
            int before = hop.entries("refused").size();
            try (RawClient agent = door.open(hop, token)) {
                agent.send(door.headWithout(hop, token, "POST /v1/x") + fields + "\r\n\r\n" + SMUGGLED);
                RawClient.Answer answer = agent.read();
                assertThat(answer.status()).as(fields).isEqualTo(400);
                assertThat(answer.field("Connection")).containsExactly("close");
            }
            assertThat(hop.entries("refused"))
                    .as(fields)
                    .hasSize(before + 1)
                    .last()
                    .asString()
                    .contains("malformed");
        }
        assertThat(door.origin(hop).received()).isEmpty();
    }

    /** RW-32: what {@code Connection} names goes off before the credential goes on. */
    @EveryHttp1Door
    void fields_of_one_hop_go_off_and_the_credential_stays(Door door) {
        String token = door.token(hop);
        try (RawClient agent = door.open(hop, token)) {
            agent.send(door.head(
                            hop,
                            token,
                            "POST /v1/x",
                            "Connection: authorization, x-api-key, host, content-length, x-hop",
                            "Connection: x-second",
                            "X-Hop: 1",
                            "X-Second: 1",
                            "Keep-Alive: timeout=5",
                            "TE: trailers, deflate",
                            "Trailer: x-sum",
                            "Upgrade: h2c",
                            "Proxy-Connection: keep-alive",
                            "Proxy-Authenticate: Basic",
                            "Content-Length: 3")
                    + "abc");
            assertThat(agent.read().status()).isEqualTo(200);
        }
        TestOrigin.Received seen = door.origin(hop).received().getFirst();
        assertThat(seen.field("Authorization")).containsExactly("Bearer " + TestHop.SECRET);
        assertThat(seen.field("Host")).containsExactly(door.authority(hop));
        assertThat(seen.field("Content-Length")).containsExactly("3");
        assertThat(seen.head())
                .doesNotContainIgnoringCase("x-hop")
                .doesNotContainIgnoringCase("x-second")
                .doesNotContainIgnoringCase("keep-alive")
                .doesNotContainIgnoringCase("\nte:")
                .doesNotContainIgnoringCase("trailer")
                .doesNotContainIgnoringCase("upgrade")
                .doesNotContainIgnoringCase("proxy-");
    }

    /** RW-45: an origin that answers to the head gets no content, and the record says so. */
    @EveryHttp1Door
    void with_expect_an_answer_to_the_head_is_final_and_no_content_leaves(Door door) {
        door.origin(hop).answerToExpect(TestOrigin.raw("HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n"));
        String token = door.token(hop);
        String path = "/v1/expect/" + door.name();
        try (RawClient agent = door.open(hop, token)) {
            agent.send(door.head(hop, token, "POST " + path, "Content-Length: 100000000", "Expect: 100-continue"));
            assertThat(agent.read().status()).isEqualTo(401);
            Awaitility.await()
                    .untilAsserted(() ->
                            assertThat(Entries.of(hop, path).outcome()).contains("\"bytes_out\":0", "\"status\":401"));
        }
        Awaitility.await()
                .untilAsserted(() -> assertThat(door.origin(hop).received()).hasSize(1));
        assertThat(door.origin(hop).received().getFirst().content()).isEmpty();
    }

    /** RW-45: policy says no before anybody is asked to send. */
    @EveryHttp1Door
    void with_expect_a_refusal_is_final_without_a_100(Door door) {
        String token = door.token(hop, "read");
        try (RawClient agent = door.open(hop, token)) {
            agent.send(door.head(hop, token, "POST /v1/x", "Content-Length: 100000000", "Expect: 100-continue"));
            assertThat(agent.read().status()).isEqualTo(403);
        }
        assertThat(door.origin(hop).received()).isEmpty();
    }

    @EveryHttp1Door
    @Tag("slow")
    void an_upload_of_64_mib_arrives_whole_in_both_framings(Door door) {
        byte[] content = random(64 * 1024 * 1024);
        String token = door.token(hop);
        try (RawClient agent = door.open(hop, token)) {
            for (String framing : List.of("Content-Length: " + content.length, "Transfer-Encoding: chunked")) {
                boolean chunked = framing.startsWith("T");
                door.origin(hop).received().clear();
                String path = "/v1/" + door.name() + "/huge" + (chunked ? "c" : "l");
                agent.send(door.head(hop, token, "PUT " + path, framing)).send(chunked ? chunked(content) : content);
                assertThat(agent.read().status()).isEqualTo(200);
                assertThat(door.origin(hop).received().getFirst().content()).isEqualTo(content);
                Entries.of(hop, path).asserts(content);
            }
        }
    }

    static byte[] chunked(byte[] content) {
        java.io.ByteArrayOutputStream out = new java.io.ByteArrayOutputStream();
        for (int at = 0; at < content.length; at += 8000) {
            int length = Math.min(8000, content.length - at);
            out.writeBytes((Integer.toHexString(length) + "\r\n").getBytes(ISO_8859_1));
            out.write(content, at, length);
            out.writeBytes("\r\n".getBytes(ISO_8859_1));
        }
        out.writeBytes("0\r\n\r\n".getBytes(ISO_8859_1));
        return out.toByteArray();
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }
}

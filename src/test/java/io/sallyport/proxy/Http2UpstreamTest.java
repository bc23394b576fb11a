package io.sallyport.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.Http2Case;
import io.sallyport.testing.Http2Frame;
import io.sallyport.testing.Http2Origin;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestHop;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An agent's request to a destination that speaks HTTP/2: what it is told, and what comes back. */
class Http2UpstreamTest extends Http2Case {

    @Test
    void a_request_without_content_is_one_frame_that_ends_the_stream() {
        RawClient agent = agent("two.up.test");

        assertThat(agent.send(to("two.up.test", "GET /v1/x?a=1", "X-Mixed-Case: Yes"))
                        .read()
                        .text())
                .isEqualTo("hello");

        Http2Origin.Exchange request = origin().received().getFirst();
        assertThat(request.field(":method")).containsExactly("GET");
        assertThat(request.field(":scheme")).containsExactly("https");
        assertThat(request.field(":path")).containsExactly("/v1/x?a=1");
        assertThat(request.field(":authority")).containsExactly("two.up.test:" + origin().port());
        assertThat(request.field("x-mixed-case")).containsExactly("Yes");
        assertThat(request.field("host")).isEmpty();
        assertThat(request.field("authorization")).containsExactly("Bearer " + TestHop.SECRET);
        assertThat(origin().frames(Http2Frame.HEADERS).getFirst().flags() & Http2Frame.END_STREAM)
                .isEqualTo(Http2Frame.END_STREAM);
        assertThat(origin().frames(Http2Frame.DATA)).isEmpty();
    }

    @Test
    void content_arrives_whole_with_its_length_and_is_hashed_as_it_was() throws Exception {
        byte[] content = new byte[3_000_000];
        new Random(7).nextBytes(content);
        RawClient agent = agent("two.up.test");

        agent.send(to("two.up.test", "POST /v1/x", "Content-Length: " + content.length))
                .send(content);

        assertThat(agent.read().status()).isEqualTo(200);
        Http2Origin.Exchange request = origin().received().getFirst();
        assertThat(request.content()).isEqualTo(content);
        assertThat(request.field("content-length")).containsExactly("3000000");
        String hash = java.util.HexFormat.of().formatHex(RequestHash.sha256().digest(content));
        assertThat(hop.entries("window").getLast()).contains(hash);
    }

    @Test
    void chunked_content_has_no_length_there() throws Exception {
        RawClient agent = agent("two.up.test");

        agent.send(to("two.up.test", "POST /v1/x", "Transfer-Encoding: chunked"))
                .send("3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n");

        assertThat(agent.read().status()).isEqualTo(200);
        Http2Origin.Exchange request = origin().received().getFirst();
        assertThat(new String(request.content(), ISO_8859_1)).isEqualTo("abcde");
        assertThat(request.field("content-length")).isEmpty();
        assertThat(request.field("transfer-encoding")).isEmpty();
    }

    @Test
    void what_is_secret_is_marked_never_to_be_indexed() {
        RawClient agent = agent("bare.up.test");
        agent.send(to("bare.up.test", "GET /", "X-Other: plain")).read();
        RawClient credentialed = agent("two.up.test");
        credentialed.send(to("two.up.test", "GET /")).read();

        assertThat(marked(0)).isEmpty();
        assertThat(marked(1)).containsExactly("authorization");
    }

    private List<String> marked(int request) {
        return origin().received().get(request).lines().stream()
                .filter(Http2Origin.Line::neverIndexed)
                .map(Http2Origin.Line::name)
                .toList();
    }

    @Test
    void requests_of_several_agents_share_one_connection() throws Exception {
        RawClient first = agent("two.up.test");
        first.send(to("two.up.test", "GET /1")).read();
        CountDownLatch all = new CountDownLatch(10);
        origin().answer(request -> {
            all.countDown();
            all.await();
            Http2Origin.ok("both").to(request);
        });
        int before = origin().connections();
        List<RawClient> agents =
                IntStream.range(0, 10).mapToObj(i -> agent("two.up.test")).toList();
        agents.forEach(agent -> agent.send(to("two.up.test", "GET /2")));

        assertThat(agents).allSatisfy(agent -> assertThat(agent.read().text()).isEqualTo("both"));
        // One for each of the hop's loops at most.
        assertThat(origin().connections() - before)
                .isLessThan(Runtime.getRuntime().availableProcessors());
    }

    @Test
    void an_answer_without_a_length_reaches_the_agent_chunked() {
        origin().answer(request -> {
            request.head(false, ":status", "203");
            request.data(false, "one ");
            request.data(true, "two");
        });

        RawClient.Answer answer =
                agent("two.up.test").send(to("two.up.test", "GET /")).read();

        assertThat(answer.status()).isEqualTo(203);
        assertThat(answer.head()).startsWith("HTTP/1.1 203 Non-Authoritative Information\r\n");
        assertThat(answer.field("Transfer-Encoding")).containsExactly("chunked");
        assertThat(answer.text()).isEqualTo("one two");
    }

    @Test
    void an_origin_without_http2_still_gets_http1() {
        origin().http1(io.sallyport.testing.TestOrigin.echo());

        assertThat(agent("two.up.test")
                        .send(to("two.up.test", "GET /v1/x"))
                        .read()
                        .text())
                .startsWith("GET /v1/x HTTP/1.1\r\nHost: two.up.test:" + origin().port() + "\r\n");
    }

    @Test
    void a_secret_in_an_answer_is_masked_wherever_it_stands() {
        origin().answer(request -> {
            request.head(false, ":status", "200", "x-echo", TestHop.SECRET);
            request.data(false, "a " + TestHop.SECRET.substring(0, 10));
            request.data(false, TestHop.SECRET.substring(10) + " b");
            request.head(true, "x-trailing", TestHop.SECRET);
        });

        RawClient.Answer answer =
                agent("two.up.test").send(to("two.up.test", "GET /")).read();

        assertThat(answer.head() + answer.text() + answer.trailers()).doesNotContain(TestHop.SECRET);
        assertThat(answer.text()).hasSize(TestHop.SECRET.length() + 4);
        assertThat(answer.trailers()).contains("x-trailing: ");
    }

    /** RW-53: a certificate that covers both names, and one address, make no shared connection. */
    @Test
    void another_name_never_rides_on_a_connection() {
        for (int i = 0; i < 4; i++) {
            agent("two.up.test").send(to("two.up.test", "GET /")).read();
            agent("bare.up.test").send(to("bare.up.test", "GET /")).read();
        }
        assertThat(connections("bare.up.test")).doesNotContainAnyElementsOf(connections("two.up.test"));
    }

    /** RW-53. */
    @Test
    void neither_does_another_credential_for_the_same_name() {
        hop.secret("second", "another-secret-0123456789".getBytes(ISO_8859_1));
        hop.document("credentials/second.yml", """
                sallyport: v1
                credential: second
                destinations: ["https://two.up.test:${h2}"]
                source: {kind: file, name: second}
                inject: {kind: bearer}
                blast-radius: low
                """);
        hop.document("policies/fixer.yml", POLICY + """
                  second:
                    reason: With another credential
                    destination: {url: "https://two.up.test:${h2}", addresses: [127.0.0.0/8]}
                    allow: ["GET /second"]
                    credential: second
                """.indent(0));
        hop.reload();
        RawClient agent = hop.tunnelToHttp2("two.up.test", hop.token("two", "second"));
        for (int i = 0; i < 4; i++) {
            agent.send(to("two.up.test", "GET /first")).read();
            agent.send(to("two.up.test", "GET /second")).read();
        }

        assertThat(origin().received())
                .hasSize(8)
                .allSatisfy(request -> assertThat(request.field("authorization").getFirst())
                        .isEqualTo(
                                request.field(":path").contains("/second")
                                        ? "Bearer another-secret-0123456789"
                                        : "Bearer " + TestHop.SECRET));
        assertThat(origin().received().stream()
                        .map(request ->
                                request.connection() + request.field(":path").getFirst())
                        .distinct())
                .hasSize(2);
        assertThat(connections("two.up.test")).hasSize(2);
    }

    private List<Integer> connections(String name) {
        return origin().received().stream()
                .filter(request -> request.field(":authority").getFirst().startsWith(name))
                .map(Http2Origin.Exchange::connection)
                .distinct()
                .toList();
    }

    @Test
    void a_connection_that_nobody_uses_is_ended_with_a_word() {
        agent("two.up.test").send(to("two.up.test", "GET /")).read();

        // It is looked at every 5 s: the first look notes that it is idle.
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> {
            hop.clock().pass(Duration.ofSeconds(31));
            return !origin().frames(Http2Frame.GOAWAY).isEmpty();
        });

        assertThat(origin().frames(Http2Frame.GOAWAY)).hasSize(1);
        assertThat(origin().frames(Http2Frame.GOAWAY).getFirst().code()).isZero();
    }

    /** RW-26. */
    @Test
    @Tag("slow")
    void sixty_four_mebibytes_arrive_whole_however_they_are_framed() throws Exception {
        byte[] content = new byte[64 * 1024 * 1024];
        new Random(9).nextBytes(content);
        String hash = java.util.HexFormat.of().formatHex(RequestHash.sha256().digest(content));
        RawClient agent = agent("two.up.test");
        agent.send(to("two.up.test", "PUT /sized", "Content-Length: " + content.length))
                .send(content);
        assertThat(agent.read().status()).isEqualTo(200);
        agent.send(to("two.up.test", "PUT /chunked", "Transfer-Encoding: chunked"));
        for (int at = 0; at < content.length; at += 1 << 20) {
            agent.send("100000\r\n")
                    .send(java.util.Arrays.copyOfRange(content, at, at + (1 << 20)))
                    .send("\r\n");
        }
        agent.send("0\r\n\r\n");
        assertThat(agent.read().status()).isEqualTo(200);

        assertThat(origin().received()).hasSize(2).allSatisfy(request -> {
            assertThat(request.field("authorization")).containsExactly("Bearer " + TestHop.SECRET);
            assertThat(request.soFar()).isEqualTo(content);
        });
        assertThat(hop.entries("window").stream()
                        .filter(entry -> entry.contains("\"complete\":true") && entry.contains(hash)))
                .hasSize(2);
    }
}

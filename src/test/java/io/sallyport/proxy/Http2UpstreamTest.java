package io.sallyport.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.Http2Case;
import io.sallyport.testing.Http2Origin;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestHop;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
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
        assertThat(origin().frames(Http2Origin.HEADERS).getFirst().flags() & Http2Origin.END_STREAM)
                .isEqualTo(Http2Origin.END_STREAM);
        assertThat(origin().frames(Http2Origin.DATA)).isEmpty();
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
}

package io.sallyport.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.Http2Case;
import io.sallyport.testing.Http2Frame;
import io.sallyport.testing.Http2Origin;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestOrigin;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a destination in HTTP/2 takes back, refuses, breaks off or says wrongly, and what becomes of the request. */
class Http2FailuresTest extends Http2Case {

    private static final int REFUSED = 7;
    private static final int HTTP_1_1_REQUIRED = 13;

    /** RFC 9113 section 8.7: then any method may be repeated. */
    @Test
    void a_refused_stream_is_asked_again_once_with_its_content() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        origin().answer(request -> {
            if (asked.getAndIncrement() == 0) {
                request.reset(REFUSED);
            } else {
                Http2Origin.ok("second").to(request);
            }
        });

        int before = hop.entries("used").size();

        RawClient.Answer answer = post("abc").read();

        assertThat(answer.text()).isEqualTo("second");
        assertThat(new String(origin().received().get(1).content(), ISO_8859_1)).isEqualTo("abc");
        assertThat(hop.entries("used")).hasSize(before + 1);
    }

    @Test
    void one_that_is_refused_twice_is_told_so() {
        origin().answer(request -> request.reset(REFUSED));

        RawClient.Answer answer = post("abc").read();

        assertThat(answer.status()).isEqualTo(502);
        assertThat(answer.text()).contains("upstream_reset");
        assertThat(origin().received()).hasSize(2);
    }

    @Test
    void a_stream_above_the_last_of_a_goaway_is_asked_again_elsewhere() {
        AtomicInteger asked = new AtomicInteger();
        origin().answer(request -> {
            if (asked.getAndIncrement() == 0) {
                request.goAway(request.stream() - 2, 0, "");
            } else {
                Http2Origin.ok("elsewhere").to(request);
            }
        });

        assertThat(post("abc").read().text()).isEqualTo("elsewhere");
        assertThat(origin().received().stream()
                        .map(Http2Origin.Exchange::connection)
                        .distinct())
                .hasSize(2);
    }

    @Test
    void one_below_goes_on_and_the_next_is_asked_elsewhere() {
        origin().answer(request -> {
            request.goAway(request.stream(), 0, "");
            Http2Origin.ok("stayed").to(request);
        });
        assertThat(post("abc").read().text()).isEqualTo("stayed");
        assertThat(post("def").read().text()).isEqualTo("stayed");
        assertThat(origin().received().stream()
                        .map(Http2Origin.Exchange::connection)
                        .distinct())
                .hasSize(2);
    }

    /** It may have acted upon it: only the agent knows whether to ask again. */
    @Test
    void a_post_below_the_last_of_a_goaway_is_not_asked_again() {
        origin().answer(request -> {
            request.goAway(request.stream(), 11, "calm down");
            request.hangUp();
        });

        RawClient.Answer answer = post("abc").read();

        assertThat(answer.status()).isEqualTo(502);
        assertThat(origin().received()).hasSize(1);
        Awaitility.await().until(() -> hop.entries("outcome").getLast().contains("ENHANCE_YOUR_CALM: calm down"));
    }

    @Test
    void a_broken_off_stream_says_so_and_its_neighbours_go_on() throws Exception {
        CountDownLatch broken = new CountDownLatch(1);
        origin().answer(request -> {
            if (request.field(":path").contains("/bad")) {
                request.reset(2);
            } else {
                request.head(false, ":status", "200");
                broken.await();
                request.data(true, "whole");
            }
        });
        List<RawClient> good =
                IntStream.range(0, 4).mapToObj(i -> agent("two.up.test")).toList();
        good.forEach(agent -> agent.send(to("two.up.test", "GET /good")));
        Awaitility.await().until(() -> origin().received().size() == 4);

        RawClient.Answer bad =
                agent("two.up.test").send(to("two.up.test", "GET /bad")).read();
        broken.countDown();

        assertThat(bad.status()).isEqualTo(502);
        assertThat(bad.text()).contains("upstream_reset").contains("broke the request off");
        assertThat(good).allSatisfy(agent -> assertThat(agent.read().text()).isEqualTo("whole"));
    }

    @Test
    void an_answer_that_is_reset_within_is_no_whole_answer() {
        origin().answer(request -> {
            request.head(false, ":status", "200");
            request.data(false, "half");
            request.reset(2);
        });

        String all = agent("two.up.test").send(to("two.up.test", "GET /")).rest();

        assertThat(all).doesNotContain("\r\n0\r\n");
    }

    @Test
    void who_wants_http1_gets_it_from_then_on() {
        origin().answer(request -> {
            origin().http1(TestOrigin.ok("old"));
            request.reset(HTTP_1_1_REQUIRED);
        });

        assertThat(post("old.up.test", "abc").read().text()).isEqualTo("old");
        assertThat(origin().receivedHttp1().getFirst().text()).isEqualTo("abc");
        origin().protocols("h2", "http/1.1");
        hangUp();
        assertThat(post("old.up.test", "def").read().text()).isEqualTo("old");
        assertThat(origin().received()).hasSize(1);
    }

    @Test
    void beyond_what_a_destination_takes_at_one_time_another_connection_is_made() throws Exception {
        origin().settings(3, 2);
        CountDownLatch all = new CountDownLatch(6);
        // The first tells that the settings are known.
        RawClient first = agent("two.up.test");
        first.send(to("two.up.test", "GET /first")).read();
        origin().received().clear();
        origin().answer(request -> {
            all.countDown();
            all.await();
            Http2Origin.ok("ok").to(request);
        });
        List<RawClient> agents =
                IntStream.range(0, 6).mapToObj(i -> agent("two.up.test")).toList();
        agents.forEach(agent -> agent.send(to("two.up.test", "GET /")));

        assertThat(agents).allSatisfy(agent -> assertThat(agent.read().text()).isEqualTo("ok"));
        for (int connection : origin().received().stream()
                .map(Http2Origin.Exchange::connection)
                .distinct()
                .toList()) {
            assertThat(origin().received().stream().filter(request -> request.connection() == connection))
                    .hasSizeLessThanOrEqualTo(2);
        }
    }

    /** Each is a head, as pairs. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "x|1",
                ":status|200|:status|200",
                ":status|20",
                ":status|099",
                ":status|600",
                ":status|101",
                ":status|200|:path|/",
                ":status|200|connection|close",
                ":status|200|transfer-encoding|chunked",
                ":status|200|keep-alive|x",
                ":status|200|X-Upper|1",
                ":status|200|x y|1",
                ":status|200|x|a\u0001b",
                ":status|200|x|a\nb",
                ":status|200|x| a",
                ":status|200|content-length|1|content-length|2",
                ":status|200|content-length|+3",
                ":status|200|content-length|5",
            })
    void a_malformed_head_is_a_502(String head) {
        origin().answer(request -> {
            request.head(false, head.split("\\|"));
            request.data(true, "abc");
        });

        RawClient agent = agent("two.up.test");
        agent.send(to("two.up.test", "GET /", "Connection: close"));
        String all = agent.rest();

        // A length that the content does not have shows when the head has gone on.
        assertThat(all.startsWith("HTTP/1.1 502") || (head.endsWith("5") && !all.contains("HTTP/1.1 502")))
                .as(all)
                .isTrue();
        Awaitility.await()
                .until(() -> hop.entries("outcome").stream().anyMatch(entry -> entry.contains("upstream_malformed")));
    }

    @Test
    void content_in_place_of_a_head_is_a_502() {
        origin().answer(request -> request.data(true, "abc"));

        assertThat(agent("two.up.test").send(to("two.up.test", "GET /")).read().status())
                .isEqualTo(502);
    }

    /** RW-47. */
    @Test
    void a_head_request_and_answers_without_content_keep_their_fields_and_get_none() {
        RawClient agent = agent("two.up.test");
        origin().answer(request -> request.head(true, ":status", "200", "content-length", "1488324"));
        RawClient.Answer head = agent.send(to("two.up.test", "HEAD /")).read("HEAD");
        assertThat(head.field("Content-Length")).containsExactly("1488324");
        origin().answer(request -> request.head(true, ":status", "204"));
        assertThat(agent.send(to("two.up.test", "GET /")).read().status()).isEqualTo(204);
        origin().answer(request -> request.head(true, ":status", "304", "etag", "\"x\""));
        assertThat(agent.send(to("two.up.test", "GET /")).read().status()).isEqualTo(304);
        origin().answer(request -> {
            request.head(false, ":status", "103", "link", "</x>");
            request.head(false, ":status", "200");
            request.data(true, "ok");
        });
        assertThat(agent.send(to("two.up.test", "GET /")).read().status()).isEqualTo(103);
        assertThat(agent.read().text()).isEqualTo("ok");
    }

    /** RW-45. */
    @Test
    void a_final_answer_before_the_content_stops_it() throws Exception {
        origin().answer(request -> request.head(true, ":status", "401"));
        RawClient agent = agent("two.up.test");

        agent.send(to("two.up.test", "POST /", "Expect: 100-continue", "Content-Length: 100000000"));

        assertThat(agent.read().status()).isEqualTo(401);
        assertThat(agent.rest()).isEmpty();
        assertThat(origin().frames(Http2Frame.DATA)).isEmpty();
        Awaitility.await().until(() -> !origin().frames(Http2Frame.RST_STREAM).isEmpty());
    }

    /** RW-45. */
    @Test
    void an_interim_100_lets_the_content_come() throws Exception {
        origin().answer(request -> {
            request.head(false, ":status", "100");
            Http2Origin.ok("got it").to(request);
        });
        RawClient agent = agent("two.up.test");
        agent.send(to("two.up.test", "POST /", "Expect: 100-continue", "Content-Length: 3"));
        assertThat(agent.read().status()).isEqualTo(100);
        assertThat(agent.send("abc").read().text()).isEqualTo("got it");
        assertThat(new String(origin().received().getFirst().content(), ISO_8859_1))
                .isEqualTo("abc");
    }

    private RawClient post(String content) {
        return post("two.up.test", content);
    }

    private RawClient post(String name, String content) {
        return agent(name).send(to(name, "POST /v1/x", "Content-Length: " + content.length()) + content);
    }
}

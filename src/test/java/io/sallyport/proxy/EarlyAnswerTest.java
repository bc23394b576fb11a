package io.sallyport.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.HopCase;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestOrigin;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** An answer that does not wait for the request's content, with Expect and without (RW-45), and 1xx on the way. */
class EarlyAnswerTest extends HopCase {

    @Test
    void an_origin_that_says_401_to_the_head_gets_no_content_and_the_agent_no_100() {
        CompletableFuture<Integer> content = new CompletableFuture<>();
        hop.origin().converseAfterHead((request, in, out) -> {
            write(out, "HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
            try {
                content.complete(in.readAllBytes().length);
            } catch (IOException reset) {
                content.complete(0);
            }
        });
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("write"))) {
            agent.send(request("POST /v1/x", "Expect: 100-continue", "Content-Length: 1000000"));
            assertThat(agent.read().status()).isEqualTo(401);
            assertThat(content).succeedsWithin(5, TimeUnit.SECONDS).isEqualTo(0);
        }
        assertThat(outcome()).contains("\"status\":401", "\"bytes_out\":0");
    }

    @Test
    void an_origin_that_ignores_expect_and_waits_gets_what_the_agent_sends_unasked() {
        hop.origin().converseAfterHead((request, in, out) -> {
            byte[] content = in.readNBytes(5);
            TestOrigin.ok(new String(content, ISO_8859_1)).to(request, out);
        });
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("write"))) {
            // As curl does after a second without an answer.
            agent.send(request("POST /v1/x", "Expect: 100-continue", "Content-Length: 5") + "hello");
            assertThat(agent.read().text()).isEqualTo("hello");
        }
    }

    @Test
    void an_answer_that_comes_while_the_upload_runs_is_passed_on_at_once() {
        hop.origin().converseAfterHead((request, in, out) -> {
            in.readNBytes(3);
            write(out, "HTTP/1.1 413 Content Too Large\r\nContent-Length: 3\r\n\r\nbig");
            try {
                in.readAllBytes();
            } catch (IOException reset) {
                // The upload was broken off.
            }
        });
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("write"))) {
            agent.send(request("POST /v1/x", "Content-Length: 1000000") + "abc");
            RawClient.Answer answer = agent.read();
            assertThat(answer.status()).isEqualTo(413);
            assertThat(answer.text()).isEqualTo("big");
            assertThat(answer.field("Connection")).containsExactly("close");
        }
        assertThat(outcome()).contains("\"status\":413", "\"bytes_out\":3");
    }

    /** As a service does that streams its results while it is still being fed. */
    @Test
    void an_answer_and_an_upload_may_run_side_by_side() {
        hop.origin().converseAfterHead((request, in, out) -> {
            write(out, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
            for (int i = 0; i < 5; i++) {
                byte[] piece = in.readNBytes(1);
                write(out, "1\r\n" + (char) (piece[0] - 32) + "\r\n");
            }
            write(out, "0\r\n\r\n");
        });
        try (RawClient agent = hop.tunnel("blob.up.test", hop.token("blob"))) {
            agent.send(text("POST /v1/x", hop.host("blob.up.test"), "Content-Length: 5"));
            // The head leaves without waiting for content that does not come.
            agent.head();
            StringBuilder echoed = new StringBuilder();
            for (char c : "hello".toCharArray()) {
                agent.send(String.valueOf(c));
                echoed.append(agent.chunk());
            }
            assertThat(echoed.toString()).isEqualTo("HELLO");
        }
        assertThat(outcome()).contains("\"status\":200", "\"outcome\":\"answered\"", "\"bytes_out\":5");
    }

    @Test
    void interim_answers_go_to_whom_they_can_mean_something() {
        String interims = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n"
                + "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n";
        hop.origin().answer(TestOrigin.raw(interims + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("read"))) {
            agent.send(request("GET /v1/x"));
            assertThat(agent.head()).startsWith("HTTP/1.1 102");
            assertThat(agent.head()).startsWith("HTTP/1.1 103");
            assertThat(agent.read().text()).isEqualTo("ok");
            agent.send("GET /v1/x HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
            assertThat(agent.read().text()).isEqualTo("ok");
        }
    }

    @Test
    void an_http10_destination_whose_answer_ends_with_its_connection_is_whole() {
        hop.origin()
                .converse((request, in, out) -> write(out, "HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nold"));
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("read"))) {
            assertThat(agent.send(request("GET /v1/x")).read().text()).isEqualTo("old");
            assertThat(agent.send(request("GET /v1/x")).read().text()).isEqualTo("old");
        }
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(ISO_8859_1));
        out.flush();
    }

    private String outcome() {
        Awaitility.await().until(() -> hop.flows().running() == 0);
        return hop.entries("outcome").getLast();
    }
}

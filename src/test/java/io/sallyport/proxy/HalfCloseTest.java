package io.sallyport.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.HopCase;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestOrigin;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** One direction of a connection ends before the other: on the agent's side after its request, on the destination's after its answer. */
class HalfCloseTest extends HopCase {

    @Test
    void an_agent_that_says_nothing_more_still_gets_its_answer() {
        CountDownLatch shut = new CountDownLatch(1);
        hop.plainOrigin().answer((request, out) -> {
            await(shut);
            TestOrigin.ok("late").to(request, out);
        });
        try (RawClient agent = hop.connect()) {
            agent.send(plain("GET", "/x")).halfClose();
            shut.countDown();
            assertThat(agent.read().text()).isEqualTo("late");
            assertThat(agent.rest()).isEmpty();
        }
        assertThat(outcome()).contains("\"outcome\":\"answered\"");
    }

    @Test
    void everything_that_was_asked_before_is_answered() {
        hop.plainOrigin()
                .answer((request, out) ->
                        TestOrigin.ok(request.requestLine() + request.text()).to(request, out));
        byte[] body = new byte[3 * 1024 * 1024];
        try (RawClient agent = hop.connect()) {
            agent.send(plain("GET", "/one"));
            agent.send(plain("POST", "/two", "Content-Length: " + body.length)).send(body);
            agent.send(plain("GET", "/three")).halfClose();
            assertThat(agent.read().text()).startsWith("GET /one");
            assertThat(agent.read().content()).hasSize("POST /two HTTP/1.1".length() + body.length);
            assertThat(agent.read().text()).startsWith("GET /three");
            assertThat(agent.rest()).isEmpty();
        }
    }

    @Test
    void a_request_that_is_not_whole_is_no_request() {
        try (RawClient agent = hop.connect()) {
            agent.send(plain("POST", "/x", "Content-Length: 10") + "12345").halfClose();
            assertThat(agent.rest()).isEmpty();
        }
        Awaitility.await().until(() -> hop.flows().running() == 0);
        assertThat(hop.plainOrigin().received()).isEmpty();
    }

    @Test
    void a_long_answer_goes_on_after_the_agents_last_word() {
        CountDownLatch shut = new CountDownLatch(1);
        hop.plainOrigin().answer((request, out) -> {
            out.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345".getBytes(ISO_8859_1));
            out.flush();
            await(shut);
            out.write("67890".getBytes(ISO_8859_1));
        });
        try (RawClient agent = hop.connect()) {
            agent.send(plain("GET", "/x"));
            agent.head();
            agent.halfClose();
            Awaitility.await().pollDelay(50, TimeUnit.MILLISECONDS).until(() -> true);
            shut.countDown();
            assertThat(agent.rest()).isEqualTo("1234567890");
        }
    }

    /** Gone, not done: nobody says of a stream of events that it has asked all. */
    @Test
    void an_agent_that_leaves_a_stream_of_events_takes_the_destinations_connection_with_it() {
        CompletableFuture<Boolean> gone = endless("text/event-stream");
        RawClient agent = hop.connect();
        agent.send(plain("GET", "/x"));
        agent.head();
        agent.close();
        assertThat(gone).succeedsWithin(1, TimeUnit.SECONDS);
        assertThat(outcome()).contains("\"outcome\":\"agent-left\"");
    }

    @Test
    void an_agent_that_closes_within_any_answer_is_found_out_by_the_next_write() {
        CountDownLatch go = new CountDownLatch(1);
        CompletableFuture<Boolean> gone = new CompletableFuture<>();
        hop.plainOrigin().answer((request, out) -> {
            out.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".getBytes(ISO_8859_1));
            await(go);
            writeUntilGone(out, gone);
        });
        RawClient agent = hop.connect();
        agent.send(plain("GET", "/x"));
        agent.close();
        go.countDown();
        assertThat(gone).succeedsWithin(2, TimeUnit.SECONDS);
        assertThat(outcome()).contains("\"outcome\":\"agent-left\"");
    }

    @Test
    void an_agent_that_resets_after_its_last_word_is_gone() {
        CompletableFuture<Boolean> gone = new CompletableFuture<>();
        CountDownLatch asked = new CountDownLatch(1);
        hop.plainOrigin().converse((request, in, out) -> {
            asked.countDown();
            try {
                in.readAllBytes();
            } catch (IOException reset) {
                // An end all the same.
            }
            gone.complete(true);
        });
        RawClient agent = hop.connect();
        agent.send(plain("GET", "/x")).halfClose();
        await(asked);
        agent.reset();
        assertThat(gone).succeedsWithin(2, TimeUnit.SECONDS);
        assertThat(outcome()).contains("\"outcome\":\"agent-left\"");
    }

    /** TLS as it is here ends as a whole: a close_notify is the end. */
    @Test
    void in_tls_the_agents_last_word_is_its_end() {
        CompletableFuture<Boolean> gone = new CompletableFuture<>();
        CountDownLatch asked = new CountDownLatch(1);
        hop.origin().converse((request, in, out) -> {
            asked.countDown();
            try {
                in.readAllBytes();
            } catch (IOException reset) {
                // An end all the same.
            }
            gone.complete(true);
        });
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("read"))) {
            agent.send(request("GET /v1/x"));
            await(asked);
            agent.halfClose();
            assertThat(gone).succeedsWithin(2, TimeUnit.SECONDS);
            agent.rest();
        }
        assertThat(outcome()).contains("\"outcome\":\"agent-left\"");
    }

    @Test
    void a_connect_that_is_not_followed_by_anything_ends() {
        try (RawClient agent = hop.connect()) {
            agent.send(text("CONNECT " + hop.host("api.up.test"), "x", shows(hop.token("read"))))
                    .halfClose();
            assertThat(agent.rest()).matches("(?s)|HTTP/1.1 200.*");
        }
    }

    @Test
    void a_destination_that_says_nothing_more_behind_its_answer_has_answered() {
        hop.plainOrigin().converse((request, in, out) -> {
            out.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".getBytes(ISO_8859_1));
            out.flush();
        });
        try (RawClient agent = hop.connect()) {
            assertThat(agent.send(plain("GET", "/x")).read().text()).isEqualTo("ok");
            hop.plainOrigin().answer(TestOrigin.ok("next"));
            assertThat(agent.send(plain("GET", "/x")).read().text()).isEqualTo("next");
        }
    }

    private CompletableFuture<Boolean> endless(String type) {
        CompletableFuture<Boolean> gone = new CompletableFuture<>();
        hop.plainOrigin().converse((request, in, out) -> {
            out.write(("HTTP/1.1 200 OK\r\nContent-Type: " + type + "\r\nTransfer-Encoding: chunked\r\n\r\n")
                    .getBytes(ISO_8859_1));
            out.flush();
            try {
                in.readAllBytes();
            } catch (IOException reset) {
                // An end all the same.
            }
            gone.complete(true);
        });
        return gone;
    }

    private static void writeUntilGone(OutputStream out, CompletableFuture<Boolean> gone) throws IOException {
        try {
            while (true) {
                out.write("1\r\nx\r\n".getBytes(ISO_8859_1));
                out.flush();
                java.util.concurrent.locks.LockSupport.parkNanos(5_000_000);
            }
        } catch (IOException reset) {
            gone.complete(true);
            throw reset;
        }
    }

    private String plain(String method, String path, String... fields) {
        String[] all = java.util.Arrays.copyOf(fields, fields.length + 1);
        all[fields.length] = shows(hop.token("plain"));
        return text(method + " http://" + hop.plainHost("plain.up.test") + path, hop.plainHost("plain.up.test"), all);
    }

    private String outcome() {
        Awaitility.await().until(() -> hop.flows().running() == 0);
        return hop.entries("outcome").getLast();
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(10, TimeUnit.SECONDS)) {
                throw new IllegalStateException("what was waited for did not come");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}

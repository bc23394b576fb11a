package io.sallyport.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.HopCase;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestHop;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Server-sent events, scrubbed and at once (RW-55, and RW-68 where it is about events): no event waits for the next. */
class EventStreamTest extends HopCase {

    private static final String HEAD =
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";

    /** What the origin writes next; "" ends the stream. */
    private final LinkedBlockingQueue<String> next = new LinkedBlockingQueue<>();

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 4096, 16_384})
    void each_event_is_there_before_the_next_is_sent_however_it_is_chunked(int chunk) {
        script(hop, chunk);
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("read"))) {
            agent.send(request("GET /v1/stream"));
            agent.head();
            Chunks events = new Chunks(agent);
            for (int i = 0; i < 10; i++) {
                String event = "id: " + i + "\ndata: " + "x".repeat(i * 2000) + "\n\n";
                next.add(event);
                assertThat(events.take(event.length())).isEqualTo(event);
            }
            next.add("");
            assertThat(events.take(1)).isEmpty();
        }
    }

    /** No form of a secret has a line end in it, so that an event's end ends what is held back. */
    @Test
    void an_event_that_ends_like_a_secret_begins_is_not_held_back() {
        script(hop, 4096);
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("read"))) {
            agent.send(request("GET /v1/stream"));
            agent.head();
            Chunks events = new Chunks(agent);
            for (int length = 1; length < TestHop.SECRET.length(); length++) {
                String event = "data: " + TestHop.SECRET.substring(0, length) + "\n\n";
                next.add(event);
                assertThat(events.take(event.length())).isEqualTo(event);
            }
            String whole = "data: " + TestHop.SECRET + "\n\n";
            next.add(whole);
            assertThat(events.take(whole.length())).isEqualTo("data: " + "*".repeat(TestHop.SECRET.length()) + "\n\n");
            next.add("");
            assertThat(events.take(1)).isEmpty();
        }
    }

    /** Within a line the tail waits, whatever it is, and nothing before it, until the line tells. */
    @ParameterizedTest
    @ValueSource(strings = {TestHop.SECRET, "no secret, nor is it like one"})
    void half_a_line_waits_by_its_length_and_not_by_what_it_looks_like(String line) {
        script(hop, 4096);
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("read"))) {
            agent.send(request("GET /v1/stream"));
            agent.head();
            Chunks events = new Chunks(agent);
            // The longest form is hexadecimal, two digits for each byte.
            int tail = 2 * TestHop.SECRET.length() - 1;
            String begun = "data: " + "x".repeat(tail) + line.substring(0, 5);
            next.add(begun);
            assertThat(events.take(11)).isEqualTo("data: xxxxx");
            next.add("! after\n\n");
            String rest = begun.substring(11) + "! after\n\n";
            assertThat(events.take(rest.length())).isEqualTo(rest);
            next.add("");
            assertThat(events.take(1)).isEmpty();
        }
    }

    /** Six minutes of silence, in small: longer than every deadline but the one that is for it. */
    @Test
    void a_silent_stream_lives_as_long_as_the_idle_deadline() {
        Duration brief = Duration.ofMillis(200);
        ProxySettings.Deadlines usual = ProxySettings.Deadlines.DEFAULT;
        try (TestHop other = TestHop.start(settings -> settings.with(new ProxySettings.Deadlines(
                        brief,
                        usual.handshake(),
                        usual.dial(),
                        Duration.ofSeconds(20),
                        brief,
                        usual.patience(),
                        usual.recognition(),
                        usual.bodyIdle(),
                        usual.stall(),
                        Duration.ofMillis(1))));
                RawClient agent = other.tunnel("api.up.test", other.token("read"))) {
            other.origin().answer((request, out) -> {
                out.write((HEAD + "8\r\ndata: 1\n\r\n").getBytes(ISO_8859_1));
                out.flush();
                java.util.concurrent.locks.LockSupport.parkNanos(
                        Duration.ofMillis(1_500).toNanos());
                out.write("8\r\ndata: 2\n\r\n0\r\n\r\n".getBytes(ISO_8859_1));
            });
            agent.send(text("GET /v1/stream", other.host("api.up.test")));
            assertThat(agent.read().text()).isEqualTo("data: 1\ndata: 2\n");
        }
    }

    @Test
    void an_agent_that_goes_takes_the_destinations_connection_with_it_within_a_second() {
        CompletableFuture<Boolean> gone = new CompletableFuture<>();
        hop.origin().converse((request, in, out) -> {
            out.write(HEAD.getBytes(ISO_8859_1));
            out.flush();
            try {
                in.readAllBytes();
            } catch (IOException reset) {
                // An end all the same.
            }
            gone.complete(true);
        });
        RawClient agent = hop.tunnel("api.up.test", hop.token("read"));
        agent.send(request("GET /v1/stream"));
        agent.head();
        agent.close();
        assertThat(gone).succeedsWithin(1, TimeUnit.SECONDS);
        Awaitility.await().until(() -> hop.flows().running() == 0);
        assertThat(hop.entries("outcome").getLast()).contains("\"outcome\":\"agent-left\"");
    }

    private void script(TestHop at, int chunk) {
        next.clear();
        at.origin().answer((request, out) -> {
            out.write(HEAD.getBytes(ISO_8859_1));
            out.flush();
            for (String text = taken(); !text.isEmpty(); text = taken()) {
                chunks(out, text, chunk);
            }
            out.write("0\r\n\r\n".getBytes(ISO_8859_1));
        });
    }

    private static void chunks(OutputStream out, String text, int size) throws IOException {
        for (int i = 0; i < text.length(); i += size) {
            String piece = text.substring(i, Math.min(text.length(), i + size));
            out.write((Integer.toHexString(piece.length()) + "\r\n" + piece + "\r\n").getBytes(ISO_8859_1));
            out.flush();
        }
    }

    private String taken() throws IOException {
        try {
            String text = next.poll(10, TimeUnit.SECONDS);
            return text == null ? "" : text;
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    /** The content of a chunked answer, as it comes. */
    private static final class Chunks {
        private final RawClient agent;
        private final StringBuilder content = new StringBuilder();
        private boolean ended;

        Chunks(RawClient agent) {
            this.agent = agent;
        }

        /** @return as many bytes as were asked for, as soon as they are there; fewer at the end */
        String take(int length) {
            while (content.length() < length && !ended) {
                String chunk = agent.chunk();
                content.append(chunk);
                ended = chunk.isEmpty();
            }
            String taken = content.substring(0, Math.min(length, content.length()));
            content.delete(0, taken.length());
            return taken;
        }
    }
}

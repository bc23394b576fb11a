package io.sallyport.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.grant.EndReason;
import io.sallyport.grant.Grant;
import io.sallyport.grant.Grants;
import io.sallyport.testing.Door;
import io.sallyport.testing.DoorCase;
import io.sallyport.testing.EveryHttp1Door;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestHop;
import io.sallyport.testing.TestOrigin;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Streams of events at every door: at once, nothing added, and over when either side goes or the grant ends. */
class EveryStreamTest extends DoorCase {

    private static final String HEAD =
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";

    /** RW-55: no event waits for the one after it, and the hop says nothing of its own. */
    @EveryHttp1Door
    void an_event_is_there_before_the_next_is_sent(Door door) {
        LinkedBlockingQueue<String> next = says(door.origin(hop));
        String token = door.token(hop);
        try (RawClient agent = door.open(hop, token)) {
            agent.send(door.head(hop, token, "GET /v1/stream", "Accept: text/event-stream"));
            assertThat(agent.head()).contains("text/event-stream").doesNotContainIgnoringCase("content-length");
            for (int i = 0; i < 10; i++) {
                String event = "id: " + i + "\ndata: " + "x".repeat(i * 500) + "\n\n";
                next.add(event);
                assertThat(taken(agent, event.length())).isEqualTo(event);
            }
            next.add("");
            assertThat(agent.chunk()).isEmpty();
        }
    }

    /** RW-55, RW-68. */
    @EveryHttp1Door
    void an_event_with_the_secret_is_masked_and_no_later_than_others(Door door) {
        LinkedBlockingQueue<String> next = says(door.origin(hop));
        String token = door.token(hop);
        try (RawClient agent = door.open(hop, token)) {
            agent.send(door.head(hop, token, "GET /v1/stream"));
            agent.head();
            String before = "data: " + TestHop.SECRET.substring(0, 5) + "\n\n";
            next.add(before);
            assertThat(taken(agent, before.length())).isEqualTo(before);
            String event = "data: " + TestHop.SECRET + "\n\n";
            next.add(event);
            assertThat(taken(agent, event.length())).isEqualTo("data: " + "*".repeat(TestHop.SECRET.length()) + "\n\n");
            next.add("");
        }
    }

    /** RW-55. */
    @EveryHttp1Door
    void an_agent_that_goes_takes_the_destinations_connection_with_it(Door door) {
        CompletableFuture<Boolean> gone = listens(door);
        String token = door.token(hop);
        RawClient agent = door.open(hop, token);
        agent.send(door.head(hop, token, "GET /v1/left/" + door.name()));
        agent.head();
        agent.close();
        assertThat(gone).succeedsWithin(1, TimeUnit.MINUTES);
        Awaitility.await()
                .untilAsserted(() -> assertThat(
                                Entries.of(hop, "/v1/left/" + door.name()).outcome())
                        .contains("\"outcome\":\"agent-left\""));
    }

    /** PX-11. */
    @EveryHttp1Door
    void a_stream_that_is_open_when_its_grant_ends_is_cut_on_both_sides(Door door) {
        CompletableFuture<Boolean> gone = listens(door);
        Grant grant = door.grant(hop, "read");
        String token = hop.token(grant);
        try (RawClient agent = door.open(hop, token)) {
            agent.send(door.head(hop, token, "GET /v1/cut/" + door.name()));
            agent.head();
            end(grant);
            assertThat(agent.rest())
                    .as("half an answer is not to pass for a whole one")
                    .doesNotContain("0\r\n\r\n");
            assertThat(gone).succeedsWithin(1, TimeUnit.MINUTES);
        }
        Awaitility.await()
                .untilAsserted(() -> assertThat(
                                Entries.of(hop, "/v1/cut/" + door.name()).outcome())
                        .contains("\"outcome\":\"cut\""));
    }

    /** PX-11: where nothing runs there is nothing that could be cut, and what was the grant's is closed all the same. */
    @ParameterizedTest
    @EnumSource(
            value = Door.class,
            names = {"TUNNEL", "PLAIN_TUNNEL", "LED", "PLAIN_LED"})
    void a_tunnel_that_is_open_when_its_grant_ends_is_closed(Door door) {
        Grant used = door.grant(hop, "read");
        Grant unused = door.grant(hop, "read");
        Grant other = door.grant(hop, "read");
        try (RawClient idle = door.open(hop, hop.token(used));
                RawClient fresh = door.open(hop, hop.token(unused));
                RawClient bystander = door.open(hop, hop.token(other))) {
            idle.send(door.head(hop, "", "GET /v1/x"));
            assertThat(idle.read().status()).isEqualTo(200);
            end(used);
            end(unused);
            assertThat(idle.patience(60_000).rest()).isEmpty();
            assertThat(fresh.patience(60_000).rest()).isEmpty();
            bystander.send(door.head(hop, "", "GET /v1/x"));
            assertThat(bystander.read().status()).isEqualTo(200);
        }
    }

    private void end(Grant grant) {
        hop.room(Grants.class).endInMemory(List.of(grant), EndReason.REVOKED);
    }

    private CompletableFuture<Boolean> listens(Door door) {
        CompletableFuture<Boolean> gone = new CompletableFuture<>();
        door.origin(hop).converse((request, in, out) -> {
            out.write(HEAD.getBytes(ISO_8859_1));
            out.flush();
            untilTheEnd(in);
            gone.complete(true);
        });
        return gone;
    }

    private static void untilTheEnd(InputStream in) {
        try {
            in.readAllBytes();
        } catch (IOException reset) {
            // An end all the same.
        }
    }

    /** @return what the origin says next; empty ends the stream */
    private static LinkedBlockingQueue<String> says(TestOrigin origin) {
        LinkedBlockingQueue<String> next = new LinkedBlockingQueue<>();
        origin.answer((request, out) -> {
            out.write(HEAD.getBytes(ISO_8859_1));
            out.flush();
            for (String text = taken(next); !text.isEmpty(); text = taken(next)) {
                chunk(out, text);
            }
            out.write("0\r\n\r\n".getBytes(ISO_8859_1));
        });
        return next;
    }

    private static void chunk(OutputStream out, String text) throws IOException {
        out.write((Integer.toHexString(text.length()) + "\r\n" + text + "\r\n").getBytes(ISO_8859_1));
        out.flush();
    }

    private static String taken(LinkedBlockingQueue<String> next) throws IOException {
        try {
            String text = next.poll(1, TimeUnit.MINUTES);
            return text == null ? "" : text;
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    /** As many bytes of content, in whatever chunks. */
    private static String taken(RawClient agent, int length) {
        StringBuilder content = new StringBuilder();
        while (content.length() < length) {
            content.append(agent.chunk());
        }
        return content.toString();
    }
}

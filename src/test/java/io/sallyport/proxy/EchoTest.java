package io.sallyport.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.Ask;
import io.sallyport.testing.Caller;
import io.sallyport.testing.Door;
import io.sallyport.testing.DoorCase;
import io.sallyport.testing.EveryDoor;
import io.sallyport.testing.EveryHttp1Door;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.Reply;
import io.sallyport.testing.TestHop;
import io.sallyport.testing.TestOrigin;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Destinations that send back what they were sent, in every place of an answer, and an agent that has its guesses sent back. */
class EchoTest extends DoorCase {

    private static final String S = TestHop.SECRET;
    private static final String MASKED = "*".repeat(S.length());

    private static String sized(String status, String content, String... fields) {
        return "HTTP/1.1 " + status + "\r\n" + String.join("", fields) + "Content-Length: " + content.length()
                + "\r\n\r\n" + content;
    }

    private static Map<String, String> places() {
        Map<String, String> places = new LinkedHashMap<>();
        places.put("field", sized("200 OK", "", "X-Echo: Bearer " + S + "\r\n"));
        places.put("location", sized("302 Found", "", "Location: /x?key=" + S + "\r\n"));
        places.put("challenge", sized("401 Unauthorized", "", "WWW-Authenticate: Bearer error=" + S + "\r\n"));
        places.put("unauthorized", sized("401 Unauthorized", "bad key " + S));
        places.put("fault", sized("500 Internal Server Error", "<pre>Authorization: Bearer " + S + "</pre>"));
        places.put("proxy", sized("407 Proxy Authentication Required", "no " + S));
        places.put("part", sized("206 Partial Content", "of " + S, "Content-Range: bytes 0-45/100\r\n"));
        places.put(
                "multipart",
                sized(
                        "200 OK",
                        "--b\r\nContent-Type: text/plain\r\n\r\n" + S + "\r\n--b--\r\n",
                        "Content-Type: multipart/mixed; boundary=b\r\n"));
        places.put(
                "trailer",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Echo\r\n\r\n2\r\nok\r\n0\r\nX-Echo: " + S
                        + "\r\n\r\n");
        places.put("image", sized("200 OK", "\u0089PNG " + S, "Content-Type: image/png\r\n"));
        return places;
    }

    /** RW-66. */
    @EveryDoor
    void an_echo_is_masked_wherever_it_stands_and_the_record_says_so(Door door) {
        String token = door.token(hop);
        try (Caller agent = door.call(hop, token)) {
            places().forEach((place, wire) -> {
                door.origin(hop).answer(TestOrigin.raw(wire));
                String target = "/v1/echo/" + place + "/" + door.name();
                Reply reply = agent.ask(Ask.of("GET " + target));
                assertThat(reply.toString() + reply.text() + reply.fields() + reply.trailers())
                        .as(place)
                        .doesNotContain(S)
                        .contains(MASKED);
                assertThat(reply.status()).as(place).isEqualTo(Integer.parseInt(wire.substring(9, 12)));
                Awaitility.await()
                        .untilAsserted(() -> assertThat(Entries.of(hop, target).outcome())
                                .as(place)
                                .contains("\"masked\":true"));
            });
        }
    }

    /** RW-66: what HTTP/2 does not have, and what the connection's end delimits. */
    @EveryHttp1Door
    void an_echo_in_a_reason_phrase_in_the_head_for_HEAD_and_in_HTTP_1_0_is_masked(Door door) {
        String token = door.token(hop);
        try (RawClient agent = door.open(hop, token)) {
            door.origin(hop).answer(TestOrigin.raw("HTTP/1.1 400 no " + S + "\r\nContent-Length: 0\r\n\r\n"));
            assertThat(agent.send(door.head(hop, token, "GET /v1/x")).read().head())
                    .contains("400 no " + MASKED)
                    .doesNotContain(S);
            door.origin(hop)
                    .answer(TestOrigin.raw("HTTP/1.1 200 OK\r\nX-Echo: " + S + "\r\nContent-Length: 77\r\n\r\n"));
            assertThat(agent.send(door.head(hop, token, "HEAD /v1/x"))
                            .read("HEAD")
                            .head())
                    .contains("X-Echo: " + MASKED, "Content-Length: 77");
            door.origin(hop).answer((request, out) -> {
                out.write(("HTTP/1.0 200 OK\r\n\r\nold " + S).getBytes(ISO_8859_1));
                out.flush();
                throw new IOException("ends here");
            });
            assertThat(agent.send(door.head(hop, token, "GET /v1/x")).read().text())
                    .isEqualTo("old " + MASKED);
        }
    }

    /**
     * Stores a guess, has it sent back with a pause behind it, and watches how much comes before the pause: of 256 guesses for the next
     * character of the secret none is told from the others.
     */
    @ParameterizedTest
    @EnumSource(
            value = Door.class,
            names = {"TUNNEL", "GATEWAY"})
    void by_what_comes_before_a_pause_no_guess_is_told_from_another(Door door) {
        Semaphore goOn = new Semaphore(0);
        byte[][] stored = {{}};
        door.origin(hop).answer((request, out) -> {
            if (request.requestLine().startsWith("POST")) {
                stored[0] = request.content();
                out.write("HTTP/1.1 204 No Content\r\n\r\n".getBytes(ISO_8859_1));
                return;
            }
            out.write(
                    ("HTTP/1.1 200 OK\r\nContent-Length: " + (stored[0].length + 1) + "\r\n\r\n").getBytes(ISO_8859_1));
            out.write(stored[0]);
            out.flush();
            try {
                assertThat(goOn.tryAcquire(1, TimeUnit.MINUTES)).isTrue();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            out.write('.');
        });
        // The longest form is hexadecimal, two digits for each byte.
        int tail = 2 * S.length() - 1;
        String token = door.token(hop, "read", "write");
        try (RawClient agent = door.open(hop, token)) {
            for (int known : new int[] {0, 5, 7}) {
                for (int guess = 0; guess < 256; guess += known == 5 ? 1 : 13) {
                    byte[] probe = ("y".repeat(200) + S.substring(0, known) + (char) guess).getBytes(ISO_8859_1);
                    agent.send(door.head(hop, token, "POST /v1/store", "Content-Length: " + probe.length))
                            .send(probe);
                    assertThat(agent.read().status()).isEqualTo(204);
                    agent.send(door.head(hop, token, "GET /v1/stored"));
                    agent.head();
                    boolean printable = guess >= ' ' && guess <= '~';
                    boolean escape = guess == '%' || guess == '&' || guess == '\\';
                    int before = probe.length - (printable ? tail + (escape ? 9 : 0) : 0);
                    assertThat(exactly(agent, before)).as("guess %d", guess).isEqualTo(before);
                    goOn.release();
                    int rest = probe.length + 1 - before;
                    assertThat(exactly(agent, rest)).isEqualTo(rest);
                }
            }
        }
    }

    /** As many bytes as that, and no more are there then. */
    private static int exactly(RawClient agent, int length) {
        try {
            int came = agent.input().readNBytes(length).length;
            return came + agent.input().available();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}

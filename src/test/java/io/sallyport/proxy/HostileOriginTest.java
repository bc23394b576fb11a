package io.sallyport.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.HopCase;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestHop;
import io.sallyport.testing.TestOrigin;
import java.io.OutputStream;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Destinations that try to hand the agent a secret, or the broker more than it can hold. */
class HostileOriginTest extends HopCase {

    /** RW-74: a session that the credential opened is a credential. Cookies that the agent sends are taken off anyway. */
    @Test
    void a_session_that_the_credential_opened_stays_behind() {
        hop.origin()
                .answer(TestOrigin.raw(
                        "HTTP/1.1 200 OK\r\nSet-Cookie: session=abc\r\nTransfer-Encoding: chunked\r\n\r\n"
                                + "2\r\nok\r\n0\r\nSet-Cookie2: session=def\r\n\r\n"));
        hop.plainOrigin().answer(TestOrigin.status(200, "ok", "Set-Cookie: visitor=1"));
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("read"));
                RawClient bare = hop.connect()) {
            RawClient.Answer answer = agent.send(request("GET /v1/login")).read();
            assertThat(answer.text()).isEqualTo("ok");
            assertThat(answer.head()).doesNotContainIgnoringCase("set-cookie");
            assertThat(answer.trailers()).doesNotContainIgnoringCase("set-cookie");
            String plain = "http://" + hop.plainHost("plain.up.test") + "/x";
            bare.send(text("GET " + plain, "x", shows(hop.token("plain"))));
            assertThat(bare.read().field("Set-Cookie")).containsExactly("visitor=1");
        }
    }

    @Test
    void a_secret_in_the_name_of_a_field_is_masked() {
        try (TestHop other = TestHop.start()) {
            other.secret("token-as-a-name-0123456789");
            other.origin()
                    .answer((request, out) -> TestOrigin.raw("HTTP/1.1 103 Hints\r\nX-"
                                    + sent(request) + ": 1\r\n\r\nHTTP/1.1 200 OK\r\nX-" + sent(request)
                                    + ": 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-" + sent(request)
                                    + ": 1\r\n\r\n")
                            .to(request, out));
            try (RawClient agent = other.tunnel("api.up.test", other.token("read"))) {
                agent.send(text("GET /v1/x", other.host("api.up.test")));
                assertThat(agent.head()).startsWith("HTTP/1.1 103").doesNotContain("token-as-a-name");
                RawClient.Answer answer = agent.read();
                assertThat(answer.head()).contains("X-****").doesNotContain("token-as-a-name");
                assertThat(answer.trailers()).contains("X-****").doesNotContain("token-as-a-name");
            }
        }
    }

    /** What is told to the ledger about a malformed answer may name its fields. */
    @Test
    void a_secret_in_the_name_of_a_malformed_field_is_in_no_entry() {
        try (TestHop other = TestHop.start()) {
            other.secret("token-as-a-name-0123456789");
            other.origin()
                    .answer((request, out) -> TestOrigin.raw(
                                    "HTTP/1.1 200 OK\r\nX-" + sent(request) + ": a\u0001b\r\n\r\n")
                            .to(request, out));
            try (RawClient agent = other.tunnel("api.up.test", other.token("read"))) {
                RawClient.Answer answer =
                        agent.send(text("GET /v1/x", other.host("api.up.test"))).read();
                assertThat(answer.status()).isEqualTo(502);
                assertThat(answer.text()).doesNotContain("token-as-a-name");
            }
            Awaitility.await()
                    .untilAsserted(() -> assertThat(other.entries("outcome"))
                            .hasSize(1)
                            .noneMatch(entry -> entry.contains("token-as-a-name")));
        }
    }

    private static String sent(TestOrigin.Received request) {
        return request.field("Authorization").getFirst().substring("Bearer ".length());
    }

    /** An agent and a destination that work together must not fill the broker's memory. */
    @Test
    void interim_answers_that_nobody_takes_are_not_hoarded() {
        AtomicLong written = new AtomicLong();
        byte[] hints = ("HTTP/1.1 103 Early Hints\r\nLink: " + "x".repeat(8000) + "\r\n\r\n").getBytes(ISO_8859_1);
        hop.plainOrigin().answer((request, out) -> flood(out, hints, written));
        try (RawClient agent = hop.connect()) {
            agent.send(text("GET http://" + hop.plainHost("plain.up.test") + "/x", "x", shows(hop.token("plain"))));
            Awaitility.await().until(() -> written.get() > 0);
            Awaitility.await().until(() -> standsStill(written));
            // What sockets and one full buffer take, and far less than was on offer.
            assertThat(written.get()).isLessThan(64L * 1024 * 1024);
        }
    }

    private static void flood(OutputStream out, byte[] hints, AtomicLong written) throws java.io.IOException {
        while (written.get() < 256L * 1024 * 1024) {
            out.write(hints);
            written.addAndGet(hints.length);
        }
        out.write("HTTP/1.1 204 Enough\r\n\r\n".getBytes(ISO_8859_1));
    }

    private static boolean standsStill(AtomicLong counter) {
        long before = counter.get();
        LockSupport.parkNanos(500_000_000);
        return counter.get() == before;
    }
}

package io.sallyport.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.AnswerCorpus;
import io.sallyport.testing.Fuzzing;
import io.sallyport.testing.Http2Case;
import io.sallyport.testing.Http2Corpus;
import io.sallyport.testing.Http2Frame;
import io.sallyport.testing.Http2Origin;
import io.sallyport.testing.Quiet;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.RawHttp2Client;
import io.sallyport.testing.TestHop;
import io.sallyport.testing.TestOrigin;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Answers in every order, cut and padded, and then in none that is allowed, in both versions, at the hop as it runs. The agent gets its own
 * answer or is told that there is none, and never the secret; nobody waits for ever, and nothing stays behind.
 *
 * <p>Found when they were planted: a scrubber that does not look across pieces; content that goes to the stream before. Found of its own: idle
 * connections that held the memory of their last message.
 */
@Tag("slow")
class DestinationFuzzTest {

    private static final int AT_ONCE = 24;

    private TestHop hop;

    @BeforeEach
    void start() {
        hop = TestHop.start(settings -> settings, Http2Case.POLICY);
        // Whoever asks for HTTP/1.1, as a mutant may, gets it from then on.
        origin().http1(TestOrigin.ok("in HTTP/1"));
        origin().protocols("h2", "http/1.1");
    }

    /** Connections end before their hop does: one that is shut down forgets what it holds, which is no leak. */
    @AfterEach
    void close() {
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> {
            origin().hangUp();
            return hop.health().upstreams() == 0
                    && hop.room(AgentConnections.class).held() == 0;
        });
        hop.close();
    }

    private Http2Origin origin() {
        return hop.http2Origin();
    }

    private interface Agent {
        void on(long number, Random random) throws Exception;
    }

    /** @param http1 whether that is what the destination is meant to speak */
    private void run(boolean http1, Supplier<Agent> prepared) {
        Agent[] agent = {prepared.get()};
        try (Quiet quiet = new Quiet();
                ExecutorService agents = Executors.newVirtualThreadPerTaskExecutor()) {
            Fuzzing.run(5, seed -> {
                List<Future<?>> running = new ArrayList<>();
                for (int i = 0; i < AT_ONCE; i++) {
                    long number = seed * AT_ONCE + i;
                    running.add(agents.submit(() -> {
                        agent[0].on(number, new Random(number));
                        return null;
                    }));
                }
                running.forEach(DestinationFuzzTest::join);
                Awaitility.await()
                        .pollDelay(Duration.ZERO)
                        .pollInterval(Duration.ofMillis(5))
                        .atMost(Duration.ofMinutes(1))
                        .until(() -> hop.flows().running() == 0);
                assertThat(hop.room(ContentBudget.class).held()).isZero();
                if (origin().receivedHttp1().isEmpty() == http1) {
                    // Of a destination that is asked in the other version nothing is learnt.
                    close();
                    start();
                    agent[0] = prepared.get();
                }
                origin().received().clear();
                origin().receivedHttp1().clear();
                origin().frames().clear();
            });
            quiet.asserts();
        }
    }

    private static void join(Future<?> agent) {
        try {
            agent.get();
        } catch (Exception fault) {
            throw new AssertionError(fault.getCause() == null ? fault : fault.getCause());
        }
    }

    private static String mark(long number) {
        return String.format("m%016x.", number * 0x9e3779b97f4a7c15L);
    }

    /** Of the number that the path says. */
    private static Random chance(String path) {
        return new Random(path.hashCode());
    }

    private RawClient ask(RawClient agent, String token, String path) {
        return agent.send(
                "GET /gateway/fixer:two" + path + " HTTP/1.1\r\nHost: localhost\r\nx-api-key: " + token + "\r\n\r\n");
    }

    /** Content in which the secret stands between marks. */
    private static byte[] content(String mark, Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(random.nextInt(4) == 0 ? 200 : 5); i > 0; i--) {
            text.append(random.nextInt(3) == 0 ? TestHop.SECRET : mark);
        }
        return text.toString().getBytes(ISO_8859_1);
    }

    private static List<List<Http2Frame>> answer(
            Http2Origin.Exchange request, String path, byte[] content, Random random) {
        List<String> lines = new ArrayList<>(List.of(":status", "200", "x-echo", path + TestHop.SECRET));
        if (random.nextBoolean()) {
            lines.addAll(List.of("content-length", Integer.toString(content.length)));
        }
        byte[] block = RawHttp2Client.headers(lines.toArray(String[]::new));
        return Http2Corpus.message(request.stream(), block, content, random);
    }

    private static String path(Http2Origin.Exchange request) {
        return request.field(":path").getFirst();
    }

    @Test
    void answers_in_http2_that_are_cut_padded_and_interleaved_reach_who_asked() {
        run(false, () -> {
            origin().answer(DestinationFuzzTest::rightly);
            String token = hop.token("two");
            return (number, random) -> getsItsOwn(token, "/" + mark(number));
        });
    }

    private static void rightly(Http2Origin.Exchange request) throws IOException {
        String path = path(request);
        Random random = chance(path);
        for (List<Http2Frame> step : answer(request, path, content(path, random), random)) {
            request.raw(Http2Corpus.bytes(step));
            if (random.nextInt(4) == 0) {
                Thread.yield();
            }
        }
    }

    private void getsItsOwn(String token, String path) {
        Random same = chance(path);
        String expected = new String(content(path, same), ISO_8859_1)
                .replace(TestHop.SECRET, "*".repeat(TestHop.SECRET.length()));
        try (RawClient agent = hop.connect()) {
            RawClient.Answer answer = ask(agent, token, path).read();
            assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
            assertThat(answer.text()).isEqualTo(expected);
            assertThat(answer.field("x-echo")).singleElement().asString().startsWith(path + "*");
        }
    }

    @Test
    void mutants_of_answers_in_http2_hang_nobody_and_tell_no_secret() {
        run(false, () -> {
            origin().answer(DestinationFuzzTest::wrongly);
            String token = hop.token("two");
            return (number, random) -> tellsNothing(token, "/" + mark(number));
        });
    }

    private static void wrongly(Http2Origin.Exchange request) throws IOException {
        String path = path(request);
        Random random = chance(path);
        List<List<Http2Frame>> steps = answer(request, path, content(path, random), random);
        request.raw(Http2Corpus.mutant(Http2Corpus.disturbed(steps, 30, random), random));
        // An answer that never ends is the destination's right: this one goes.
        LockSupport.parkNanos(Duration.ofMillis(30).toNanos());
        request.hangUp();
    }

    private void tellsNothing(String token, String path) {
        try (RawClient agent = hop.connect()) {
            assertThat(heard(ask(agent, token, path))).doesNotContain(TestHop.SECRET);
        }
    }

    /** Answers of HTTP/1: what stands behind one is not the next one. */
    @Test
    void mutants_of_answers_in_http1_hang_nobody_tell_no_secret_and_are_no_other_requests_answers() {
        run(true, () -> {
            origin().http1(DestinationFuzzTest::wronglyInHttp1);
            String token = hop.token("two");
            return (number, random) -> {
                tellsNothing(token, "/" + mark(number));
                asksNext(token, "/next/" + mark(number));
            };
        });
    }

    private static void wronglyInHttp1(TestOrigin.Received request, OutputStream out) throws IOException {
        String path = request.target();
        if (path.startsWith("/next")) {
            TestOrigin.ok(path).to(request, out);
            return;
        }
        Random random = chance(path);
        byte[] mutant = AnswerCorpus.mutant(new String(content(path, random), ISO_8859_1), random);
        for (byte[] piece : Http2Corpus.cut(mutant, random)) {
            out.write(piece);
            out.flush();
        }
        // One that seems to be whole may keep its connection for a while, for the next one to ride on.
        Duration stays = Duration.ofMillis(random.nextInt(3) > 0 ? 20 : 300);
        Thread.ofVirtual().start(() -> {
            LockSupport.parkNanos(stays.toNanos());
            try {
                out.close();
            } catch (IOException gone) {
                // Which is all that is wanted.
            }
        });
    }

    private void asksNext(String token, String path) {
        try (RawClient agent = hop.connect()) {
            RawClient.Answer answer = ask(agent, token, path).read();
            assertThat(answer.status()).isIn(200, 502);
            if (answer.status() == 200) {
                assertThat(answer.text()).isEqualTo(path);
            }
        }
    }

    /** All that comes until the answer is over, however it ends; not that nothing comes. */
    private static String heard(RawClient agent) {
        try {
            return agent.read().toString();
        } catch (UncheckedIOException broken) {
            if (broken.getCause() instanceof SocketTimeoutException) {
                throw new AssertionError("nobody told the agent that there is no more", broken);
            }
            return "";
        }
    }
}

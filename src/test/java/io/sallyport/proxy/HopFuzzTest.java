package io.sallyport.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.sallyport.testing.Door;
import io.sallyport.testing.DoorCase;
import io.sallyport.testing.EveryHttp1Door;
import io.sallyport.testing.Fuzzing;
import io.sallyport.testing.HeadCorpus;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestOrigin;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.slf4j.LoggerFactory;

/** The hop as it runs, with real sockets and TLS: bytes cut, reordered and padded in ways that nobody would write. */
class HopFuzzTest extends DoorCase {

    private static final int AT_ONCE = 16;

    /** What is cut in two arrives in two segments, or TLS records, at the worst place of all. */
    @EveryHttp1Door
    @Tag("slow")
    void a_request_comes_to_the_same_wherever_it_is_cut(Door door) {
        String token = door.token(hop);
        byte[] whole = (door.head(hop, token, "POST /v1/x", "Transfer-Encoding: chunked", "X-A: b")
                        + "5;ext=1\r\nhello\r\n1\r\n!\r\n0\r\n\r\n")
                .getBytes(ISO_8859_1);
        try (RawClient agent = door.open(hop, token)) {
            for (int cut = 1; cut < whole.length; cut++) {
                agent.send(java.util.Arrays.copyOf(whole, cut));
                agent.send(java.util.Arrays.copyOfRange(whole, cut, whole.length));
                assertThat(agent.read().status()).as("cut at %d", cut).isEqualTo(200);
            }
            for (byte b : whole) {
                agent.send(new byte[] {b});
            }
            assertThat(agent.read().status()).isEqualTo(200);
        }
        assertThat(door.origin(hop).received())
                .hasSize(whole.length)
                .allMatch(seen ->
                        seen.text().equals("hello!") && seen.requestLine().equals("POST /v1/x HTTP/1.1"));
    }

    /** What leaves is on record, request by request; no fault is logged; nothing stays behind. */
    @EveryHttp1Door
    @Tag("slow")
    void mutants_leave_nothing_unrecorded_and_nothing_behind(Door door) throws Exception {
        ListAppender<ILoggingEvent> log = listening();
        String token = door.token(hop);
        String head = door.head(hop, token, "POST /v1/x");
        // What stands before the path and behind the host is the door's; the rest is the corpus'.
        List<byte[]> seeds = HeadCorpus.seeds(door.authority(hop)).stream()
                .map(seed -> dressed(new String(seed, ISO_8859_1), head, door.authority(hop)))
                .toList();
        try (ExecutorService agents = Executors.newVirtualThreadPerTaskExecutor()) {
            Fuzzing.run(5, seed -> {
                List<Future<?>> running = new ArrayList<>();
                for (int i = 0; i < AT_ONCE; i++) {
                    Random random = new Random(seed * AT_ONCE + i);
                    running.add(agents.submit(() -> send(door, token, HeadCorpus.mutant(seeds, random))));
                }
                running.forEach(HopFuzzTest::join);
            });
        }
        Awaitility.await().until(() -> hop.flows().running() == 0);
        Awaitility.await().until(() -> hop.room(AgentConnections.class).held() == 0);
        assertThat(hop.room(ContentBudget.class).held()).isZero();
        Set<String> recorded = new TreeSet<>();
        Entries.all(hop, "used")
                .forEach(entry -> recorded.add(entry.path("method").asString() + " "
                        + entry.path("target").asString() + " HTTP/1.1"));
        assertThat(door.origin(hop).received()).isNotEmpty();
        assertThat(recorded)
                .containsAll(door.origin(hop).received().stream()
                        .map(TestOrigin.Received::requestLine)
                        .toList());
        assertThat(door.origin(hop).received().size())
                .isLessThanOrEqualTo((int) Entries.all(hop, "used").stream().count());
        assertThat(log.list).noneMatch(event -> event.getLevel().isGreaterOrEqual(Level.ERROR));
    }

    private static byte[] dressed(String seed, String head, String authority) {
        String fields = head.substring(head.indexOf("\r\n") + 2, head.length() - 2);
        String target = head.substring("POST ".length(), head.indexOf("/v1/x"));
        return seed.replace("https://" + authority, "")
                .replace("/v1/", target + "/v1/")
                .replace("Host: " + authority + "\r\n", fields)
                .getBytes(ISO_8859_1);
    }

    private void send(Door door, String token, byte[] mutant) {
        try (RawClient agent = door.open(hop, token)) {
            agent.patience(300);
            agent.send(mutant);
            while (!agent.take().isEmpty()) {
                // Whatever it says.
            }
        } catch (UncheckedIOException closed) {
            // Or says nothing more.
        }
    }

    private static void join(Future<?> agent) {
        try {
            agent.get();
        } catch (Exception fault) {
            throw new AssertionError(fault);
        }
    }

    private static ListAppender<ILoggingEvent> listening() {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        ((Logger) LoggerFactory.getLogger("io.sallyport")).addAppender(log);
        return log;
    }
}

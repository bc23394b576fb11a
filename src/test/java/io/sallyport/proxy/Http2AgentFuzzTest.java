package io.sallyport.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.Door;
import io.sallyport.testing.DoorCase;
import io.sallyport.testing.Fuzzing;
import io.sallyport.testing.Http2Corpus;
import io.sallyport.testing.Http2Frame;
import io.sallyport.testing.Quiet;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.RawHttp2Client;
import io.sallyport.testing.TestOrigin;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An agent's frames of HTTP/2 in every order, cut and padded, and then in none that is allowed, at the hop as it runs. What arrives is on
 * record, and is the doing of the connection, and as long as its frames are right of the stream, that it says; nothing stays behind.
 *
 * <p>Found when they were planted: content that goes to the stream before; pieces of one size that are left out of the hash; content that is
 * dropped and not released. Found of its own: a request that an origin of HTTP/1 took for whole before its stream had ended.
 */
@Tag("slow")
class Http2AgentFuzzTest extends DoorCase {

    private static final int AT_ONCE = 24;
    private static final int STREAMS = 6;

    /** All that a request says carries the mark of its connection and stream. */
    private static final Pattern MARK = Pattern.compile("c([0-9a-f]{16})s\\d\\.");

    /** No bit that is turned over makes it another connection's. */
    private static String mark(long connection, int stream) {
        return String.format("c%016xs%d.", connection * 0x9e3779b97f4a7c15L, stream);
    }

    private static byte[] content(String mark, Random random) {
        return mark.repeat(random.nextInt(random.nextInt(4) == 0 ? 300 : 6)).getBytes(ISO_8859_1);
    }

    private byte[] block(Door door, String token, String mark, byte[] content, boolean sized) {
        List<String> lines = new ArrayList<>(List.of(
                ":method",
                "POST",
                ":scheme",
                door.scheme(),
                ":authority",
                door.authority(hop),
                ":path",
                "/v1/" + mark));
        lines.addAll(List.of("x-mark", mark));
        if (door.forwards()) {
            lines.addAll(List.of("proxy-authorization", RawClient.basic(token)));
        }
        if (sized) {
            lines.addAll(List.of("content-length", Integer.toString(content.length)));
        }
        return RawHttp2Client.headers(lines.toArray(String[]::new));
    }

    private List<Http2Frame> conversation(Door door, String token, long connection, Random random) {
        List<List<List<Http2Frame>>> messages = new ArrayList<>();
        for (int i = 0; i < STREAMS; i++) {
            String mark = mark(connection, i);
            byte[] content = content(mark, random);
            byte[] block = block(door, token, mark, content, random.nextBoolean());
            messages.add(Http2Corpus.message(2 * i + 1, block, content, random));
        }
        return Http2Corpus.disturbed(Http2Corpus.interleaved(messages, random), STREAMS, random);
    }

    private interface Agent {
        void on(long connection, Random random);
    }

    /** Runs agents side by side, and holds what arrived against the record. */
    private void run(Door door, Agent agent) {
        door.origin(hop).answer(TestOrigin.echo());
        LedgerTail ledger = new LedgerTail(hop);
        int[] arrived = {0};
        try (Quiet quiet = new Quiet();
                ExecutorService agents = Executors.newVirtualThreadPerTaskExecutor()) {
            long tried = Fuzzing.run(5, seed -> {
                List<Future<?>> running = new ArrayList<>();
                Set<String> known = new HashSet<>();
                for (int i = 0; i < AT_ONCE; i++) {
                    long connection = seed * AT_ONCE + i;
                    known.add(mark(connection, 0).substring(1, 17));
                    running.add(agents.submit(() -> agent.on(connection, new Random(connection))));
                }
                running.forEach(Http2AgentFuzzTest::join);
                atRest();
                List<TestOrigin.Received> received =
                        List.copyOf(door.origin(hop).received());
                door.origin(hop).received().clear();
                ledger.covers(received);
                received.forEach(seen -> assertOneConnections(seen, known));
                arrived[0] += received.size();
            });
            // Of mutants that are all refused nothing is learnt.
            assertThat(arrived[0]).as("of %d rounds", tried).isGreaterThan((int) tried * AT_ONCE / 4);
            quiet.asserts();
        }
    }

    private void atRest() {
        Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .atMost(Duration.ofMinutes(1))
                .until(() -> hop.flows().running() == 0
                        && hop.room(AgentConnections.class).held() == 0);
        assertThat(hop.room(ContentBudget.class).held()).isZero();
    }

    private static void join(Future<?> agent) {
        try {
            agent.get();
        } catch (Exception fault) {
            throw new AssertionError(fault.getCause() == null ? fault : fault.getCause());
        }
    }

    /** However its bytes were mixed up: they were one connection's. */
    private static void assertOneConnections(TestOrigin.Received seen, Set<String> known) {
        String all = seen.head() + new String(seen.content(), ISO_8859_1);
        assertThat(MARK.matcher(all)
                        .results()
                        .map(found -> found.group(1))
                        .filter(known::contains)
                        .distinct())
                .as(all)
                .hasSizeLessThanOrEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(
            value = Door.class,
            names = {"H2C_PLAIN_FORWARD", "H2_TUNNEL"})
    void streams_that_are_cut_padded_and_interleaved_get_their_own_and_nothing_else(Door door) {
        String token = door.token(hop);
        run(door, (connection, random) -> {
            byte[] bytes = Http2Corpus.bytes(conversation(door, token, connection, random));
            try (RawHttp2Client agent = door.http2(hop, token)) {
                for (byte[] piece : Http2Corpus.cut(bytes, random)) {
                    agent.raw(piece);
                }
                for (int i = 0; i < STREAMS; i++) {
                    RawHttp2Client.Answer answer = agent.answer(2 * i + 1);
                    assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
                    assertThat(answer.text()).startsWith("POST /v1/" + mark(connection, i));
                    String own = mark(connection, i);
                    assertThat(MARK.matcher(answer.text()).results())
                            .as(answer.text())
                            .allMatch(found -> found.group().equals(own));
                }
            }
        });
    }

    @ParameterizedTest
    @EnumSource(
            value = Door.class,
            names = {"H2C_PLAIN_FORWARD", "H2_TUNNEL"})
    void mutants_leave_nothing_unrecorded_and_nothing_behind(Door door) {
        String token = door.token(hop);
        run(door, (connection, random) -> {
            byte[] bytes = Http2Corpus.mutant(conversation(door, token, connection, random), random);
            try (RawHttp2Client agent = door.http2(hop, token).patience(100)) {
                for (byte[] piece : Http2Corpus.cut(bytes, random)) {
                    agent.raw(piece);
                }
                agent.rest();
            } catch (UncheckedIOException over) {
                // It has had enough, or waits for more.
            }
        });
    }
}

package io.sallyport.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.FrameCorpus;
import io.sallyport.testing.Frames;
import io.sallyport.testing.Fuzzing;
import io.sallyport.testing.Http2Corpus;
import io.sallyport.testing.Quiet;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestOrigin;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * WebSocket frames in every shape, right and wrong, at the hop as it runs. What a destination has of a conversation is on record, byte for
 * byte, and was that conversation's; nothing stays behind.
 *
 * <p>Found when it was planted: a mask that begins anew with each piece of a frame.
 */
@Tag("slow")
class WebSocketFuzzTest extends WebSocketCase {

    private static final int AT_ONCE = 24;

    private final Map<String, byte[]> arrived = new ConcurrentHashMap<>();

    private void keeps(TestOrigin.Received request, InputStream in, OutputStream out) throws IOException {
        accept(request, out);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        arrived.put(request.target(), new byte[0]);
        try {
            byte[] piece = new byte[10_000];
            for (int length = in.read(piece); length >= 0; length = in.read(piece)) {
                all.write(piece, 0, length);
                arrived.put(request.target(), all.toByteArray());
            }
        } catch (IOException reset) {
            // A reset is an end.
        }
    }

    private static String mark(long number) {
        return String.format("m%016x.", number * 0x9e3779b97f4a7c15L);
    }

    @Test
    void mutants_of_frames_leave_nothing_unrecorded_and_nothing_behind() {
        hop.plainOrigin().converse(this::keeps);
        String token = hop.token("talk");
        LedgerTail ledger = new LedgerTail(hop);
        int[] bytes = {0};
        try (Quiet quiet = new Quiet();
                ExecutorService agents = Executors.newVirtualThreadPerTaskExecutor()) {
            long tried = Fuzzing.run(5, seed -> {
                List<Future<?>> running = new ArrayList<>();
                for (int i = 0; i < AT_ONCE; i++) {
                    long number = seed * AT_ONCE + i;
                    running.add(agents.submit(() -> say(token, number, new Random(number))));
                }
                running.forEach(WebSocketFuzzTest::join);
                Awaitility.await()
                        .pollDelay(Duration.ZERO)
                        .pollInterval(Duration.ofMillis(5))
                        .atMost(Duration.ofMinutes(1))
                        .until(() -> hop.flows().running() == 0
                                && hop.room(AgentConnections.class).held() == 0
                                && hop.plainOrigin().open() == 0);
                assertThat(hop.room(ContentBudget.class).held()).isZero();
                ledger.read();
                List<String> marks = LongStream.range(seed * AT_ONCE, (seed + 1) * AT_ONCE)
                        .mapToObj(WebSocketFuzzTest::mark)
                        .toList();
                for (String mark : marks) {
                    byte[] content = payload(arrived.get("/" + mark));
                    bytes[0] += content.length;
                    ledger.use("/" + mark).assertBegins(content);
                    assertThat(new String(content, ISO_8859_1).lines())
                            .noneMatch(line -> !line.equals(mark) && marks.contains(line));
                }
                ledger.forget();
                arrived.clear();
            });
            assertThat(bytes[0]).isGreaterThan((int) tried * AT_ONCE);
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

    private void say(String token, long number, Random random) {
        String host = hop.plainHost("talk.up.test");
        String[] words = {mark(number) + "\n", "\n", mark(number) + "\n"};
        byte[] right = FrameCorpus.frames(true, words, random);
        byte[] bytes = random.nextInt(3) == 0 ? right : FrameCorpus.mutant(right, random);
        try (RawClient agent = hop.connect().patience(5_000)) {
            agent.send(handshakeAt(host, "http://" + host + "/" + mark(number), shows(token)));
            assertThat(agent.head()).startsWith("HTTP/1.1 101");
            agent.patience(100);
            for (byte[] piece : Http2Corpus.cut(bytes, random)) {
                agent.send(piece);
            }
            while (!agent.take().isEmpty()) {
                // Whatever it says.
            }
        } catch (UncheckedIOException over) {
            // It has had enough, or waits for more.
        }
    }

    /** Of frames, the last of which may not be whole. */
    private static byte[] payload(byte[] bytes) {
        ByteArrayOutputStream payload = new ByteArrayOutputStream();
        ByteArrayInputStream in = new ByteArrayInputStream(bytes);
        try {
            while (in.available() > 0) {
                payload.writeBytes(Frames.read(in).payload());
            }
        } catch (EOFException cut) {
            // Within a head.
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return payload.toByteArray();
    }
}

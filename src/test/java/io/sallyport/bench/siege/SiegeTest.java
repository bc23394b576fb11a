package io.sallyport.bench.siege;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.RawClient;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Good agents of a whole broker, beside others that mean it ill. What it takes them is told and not judged: machines differ. */
@Tag("slow")
class SiegeTest {

    private static final int MIB = 1 << 20;
    private static final int READERS = 20;

    private static SiegeGround ground;

    @BeforeAll
    static void start() {
        ground = SiegeGround.small();
        new GoodAgent(ground).asks(50);
    }

    @AfterAll
    static void stop() {
        ground.close();
    }

    /** RW-49: every answer comes; whoever asks is throttled by nobody else's silence. */
    @ParameterizedTest
    @EnumSource(
            value = Siege.Kind.class,
            names = {"CONNECT_TRICKLES", "HELLO_TRICKLES", "HEAD_TRICKLES", "BODY_TRICKLES"})
    void five_hundred_that_hold_on_keep_no_good_request_from_its_answer(Siege.Kind kind) throws Exception {
        besieged(kind, 500);
    }

    /** RW-49, and floods. */
    @ParameterizedTest
    @EnumSource(
            value = Siege.Kind.class,
            names = {"HUGE_HEADS", "STRANGERS_FLOOD", "REQUESTS_FLOOD", "REFUSALS_FLOOD", "STREAMS_RESET"})
    void a_flood_keeps_no_good_request_from_its_answer(Siege.Kind kind) throws Exception {
        besieged(kind, Math.min(8, kind.agents()));
    }

    private static void besieged(Siege.Kind kind, int agents) throws InterruptedException {
        try (Siege siege = new Siege(ground, kind, agents)) {
            System.out.println(new GoodAgent(ground).asks(100).line(agents + " × " + kind));
        }
    }

    /** RW-51: what nobody takes stays at the origin, what nobody reads stays with the agent; scrubbing is on. */
    @Test
    void readers_that_take_little_or_nothing_cost_a_fixed_buffer_each() {
        String token = ground.token();
        // What the first big answer touches is not counted.
        read(token, 16L * MIB);
        long before = ground.residentKiB();
        ground.forgetPeak();
        List<RawClient> slow = new ArrayList<>();
        try {
            for (int i = 0; i < READERS; i++) {
                RawClient agent = ground.tunnel(token);
                agent.send(ground.head("GET /v1/bytes/" + 2048L * MIB));
                agent.head();
                slow.add(agent);
            }
            read(token, 64L * MIB);
            slow.stream().skip(1).forEach(RawClient::take);
            assertThat(ground.peakKiB() - before)
                    .as("growth of the broker's peak memory, KiB")
                    .isLessThan(READERS * 2048L);
        } finally {
            slow.forEach(RawClient::reset);
        }
    }

    private static void read(String token, long bytes) {
        try (RawClient agent = ground.tunnel(token)) {
            agent.send(ground.head("GET /v1/bytes/" + bytes));
            agent.head();
            for (long left = bytes; left > 0; ) {
                left -= agent.take().length();
            }
        }
    }
}

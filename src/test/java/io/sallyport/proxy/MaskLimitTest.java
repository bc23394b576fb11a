package io.sallyport.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.grant.Grant;
import io.sallyport.grant.Grants;
import io.sallyport.testing.Ask;
import io.sallyport.testing.Caller;
import io.sallyport.testing.Door;
import io.sallyport.testing.EveryDoor;
import io.sallyport.testing.HopCase;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestHop;
import io.sallyport.testing.TestOrigin;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Guesses that are sent back masked are right ones: somebody who gets many of them is guessing. */
class MaskLimitTest extends HopCase {

    private static final int MOST = 8;

    @Override
    protected TestHop startHop() {
        return TestHop.start(settings -> settings.with(settings.limits().withMasksPerTask(MOST)), Door.POLICY);
    }

    @EveryDoor
    void the_answer_with_the_last_mask_ends_the_task_and_others_go_on(Door door) {
        door.origin(hop).answer(TestOrigin.status(200, "<" + TestHop.SECRET + "> <" + TestHop.SECRET + ">"));
        Grant grant = door.grant(hop, "read");
        String token = hop.token(grant);
        for (int i = 0; i < MOST / 2; i++) {
            assertThat(hop.room(Grants.class).stands(grant)).isTrue();
            try (Caller agent = door.call(hop, token)) {
                assertThat(agent.ask(Ask.of("GET /v1/x")).text()).doesNotContain(TestHop.SECRET);
            }
        }
        Awaitility.await().until(() -> !hop.room(Grants.class).stands(grant));
        Awaitility.await()
                .untilAsserted(() -> assertThat(hop.entries("revoked").getLast())
                        .contains(grant.task(), "\"by\":\"hop\"", "masked " + MOST + " times"));
        try (Caller other = door.call(hop, door.token(hop))) {
            assertThat(other.ask(Ask.of("GET /v1/x")).status()).isEqualTo(200);
        }
    }

    /** In one stream that does not end by itself. */
    @ParameterizedTest
    @EnumSource(
            value = Door.class,
            names = {"TUNNEL", "GATEWAY"})
    void a_stream_is_cut_at_the_last_mask(Door door) {
        door.origin(hop).answer((request, out) -> {
            out.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n".getBytes(ISO_8859_1));
            for (int i = 0; i < 10_000; i++) {
                out.write(("data: " + TestHop.SECRET + "\n\n").getBytes(ISO_8859_1));
                out.flush();
                java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
            }
        });
        String token = door.token(hop);
        try (RawClient agent = door.open(hop, token)) {
            agent.send(door.head(hop, token, "GET /v1/stream"));
            assertThat(agent.patience(60_000).rest().split("data: ").length).isLessThan(2_000);
        }
    }
}

package io.sallyport.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.grant.EndReason;
import io.sallyport.grant.Grant;
import io.sallyport.grant.Grants;
import io.sallyport.store.Writer;
import io.sallyport.testing.Frames;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestHop;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Stop means stop, for a WebSocket too (RW-80, PX-11); and it ends when either side goes. */
class WebSocketStopTest extends WebSocketCase {

    @Test
    void a_revoked_grant_closes_with_1008_and_nothing_more_leaves() {
        Grant grant = hop.grant("socket");
        try (RawClient agent = open(hop.token(grant))) {
            agent.send(Frames.masked(Frames.TEXT, "before"));
            Frames.read(agent);
            long start = System.nanoTime();
            List<Grant> ended = hop.room(Grants.class).endInMemory(List.of(grant), EndReason.REVOKED);
            assertThat(hop.flows().cut(ended)).isEqualTo(1);
            Frames.Frame close = Frames.read(agent);
            assertThat(close.code()).isEqualTo(1008);
            assertThat(close.text()).endsWith("grant ended");
            agent.send(Frames.masked(Frames.TEXT, "after"));
            agent.rest();
            // The published bound is 5 s; the connection is gone a second after the Close.
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
        }
        assertThat(outcome(hop)).contains("\"outcome\":\"cut\"", "\"status\":101");
        assertThat(got).extracting(Frames.Frame::text).containsExactly("before");
    }

    @Test
    void an_agent_that_takes_nothing_is_cut_off_all_the_same() {
        Grant grant = hop.grant("socket");
        CompletableFuture<Boolean> broke = new CompletableFuture<>();
        hop.origin().converse((request, in, out) -> {
            accept(request, out);
            byte[] much = Frames.plain(Frames.BINARY, new byte[64 * 1024]);
            try {
                while (true) {
                    out.write(much);
                }
            } catch (IOException gone) {
                broke.complete(true);
            }
        });
        try (RawClient agent = open(hop.token(grant))) {
            Awaitility.await().until(() -> hop.flows().running() == 1);
            hop.flows().cut(hop.room(Grants.class).endInMemory(List.of(grant), EndReason.REVOKED));
            assertThat(broke).succeedsWithin(5, TimeUnit.SECONDS);
            assertThat(outcome(hop)).contains("\"outcome\":\"cut\"");
            assertThat(agent.input()).isNotNull();
        }
    }

    @Test
    void a_scope_that_loses_its_upgrade_closes_its_websockets_and_one_that_gains_it_opens_none_of_a_live_grant() {
        try (TestHop other = startHop()) {
            other.origin().converse(this::echo);
            try (RawClient agent = other.tunnel("api.up.test", other.token("socket"));
                    RawClient wider = other.tunnel("api.up.test", other.token("read"))) {
                agent.send(handshakeAt(other.host("api.up.test"), "/ws/x")).head();
                other.document(
                        "policies/fixer.yml",
                        POLICY.replace("    upgrade: [websocket]\n    credential: up", "    credential: up")
                                .replace("\"GET /echo\"]", "\"GET /echo\"]\n    upgrade: [websocket]"));
                other.reload();
                assertThat(Frames.read(agent).code()).isEqualTo(1008);
                assertThat(wider.send(handshakeAt(other.host("api.up.test"), "/v1/x"))
                                .read()
                                .status())
                        .isEqualTo(403);
            }
            assertThat(outcome(other)).contains("\"outcome\":\"cut\"", "rule book");
        }
    }

    @Test
    void bytes_are_charged_and_when_they_are_spent_it_closes_with_1008() {
        try (TestHop other = TestHop.start(settings -> settings, POLICY.replace("10GiB", "4KiB"))) {
            other.origin().converse(this::echo);
            try (RawClient agent = other.tunnel("api.up.test", other.token("socket"))) {
                agent.send(handshakeAt(other.host("api.up.test"), "/ws/x")).head();
                agent.send(Frames.masked(Frames.TEXT, "x".repeat(2000)));
                assertThat(Frames.read(agent).payload()).hasSize(2000);
                agent.send(Frames.masked(Frames.TEXT, "y".repeat(3000)));
                Frames.Frame close = Frames.read(agent);
                assertThat(close.code()).isEqualTo(1008);
                assertThat(close.text()).endsWith("limit_spent");
            }
            assertThat(outcome(other)).contains("\"outcome\":\"refused\"", "\"bytes_out\":2000");
        }
        assertThat(got).hasSize(1);
    }

    @Test
    void the_scopes_body_limit_is_of_everything_the_agent_says() {
        try (TestHop other = TestHop.start(
                settings -> settings,
                POLICY.replace("    upgrade: [websocket]\n", "    upgrade: [websocket]\n    limits: {body: 1KiB}\n"))) {
            other.origin().converse(this::echo);
            try (RawClient agent = other.tunnel("api.up.test", other.token("socket"))) {
                agent.send(handshakeAt(other.host("api.up.test"), "/ws/x")).head();
                agent.send(Frames.masked(Frames.TEXT, "x".repeat(1000)));
                Frames.read(agent);
                agent.send(Frames.masked(Frames.TEXT, "x".repeat(100)));
                assertThat(Frames.read(agent).code()).isEqualTo(1009);
            }
        }
        assertThat(got).hasSize(1);
    }

    @Test
    void when_the_ledger_cant_write_nothing_more_leaves() {
        try (TestHop other = startHop()) {
            other.origin().converse(this::echo);
            try (RawClient agent = other.tunnel("api.up.test", other.token("socket"))) {
                agent.send(handshakeAt(other.host("api.up.test"), "/ws/x")).head();
                sql(other, "create trigger full before insert on entry begin select raise(abort, 'disk full'); end");
                agent.send(Frames.masked(Frames.TEXT, "unrecorded"));
                assertThat(Frames.read(agent).code()).isEqualTo(1011);
                agent.rest();
                assertThat(got).isEmpty();
                sql(other, "drop trigger full");
            }
        }
    }

    @Test
    void an_agent_that_goes_takes_the_destinations_connection_with_it() {
        CompletableFuture<Boolean> ended = new CompletableFuture<>();
        hop.origin().converse((request, in, out) -> {
            accept(request, out);
            try {
                in.readAllBytes();
            } catch (IOException reset) {
                // An end all the same.
            }
            ended.complete(true);
        });
        RawClient agent = open(hop.token("socket"));
        agent.close();
        assertThat(ended).succeedsWithin(1, TimeUnit.SECONDS);
        assertThat(outcome(hop)).contains("\"outcome\":\"agent-left\"");
    }

    @Test
    void a_destination_that_goes_without_a_close_does_not_look_like_a_regular_end() {
        hop.origin().converse((request, in, out) -> {
            accept(request, out);
            out.write(Frames.plain(Frames.TEXT, "last words"));
        });
        try (RawClient agent = open(hop.token("socket"))) {
            assertThat(Frames.read(agent).text()).isEqualTo("last words");
            assertThat(agent.rest()).isEmpty();
        }
        assertThat(outcome(hop)).contains("\"outcome\":\"upstream-failed\"", "upstream_reset");
    }

    @Test
    void a_destination_that_says_close_first_is_answered_through_the_record() {
        CompletableFuture<Frames.Frame> reply = new CompletableFuture<>();
        hop.origin().converse((request, in, out) -> {
            accept(request, out);
            out.write(Frames.plain(Frames.CLOSE, Frames.code(1001)));
            out.flush();
            reply.complete(Frames.read(in));
        });
        try (RawClient agent = open(hop.token("socket"))) {
            assertThat(Frames.read(agent).code()).isEqualTo(1001);
            agent.send(Frames.masked(Frames.CLOSE, Frames.code(1001)));
            assertThat(reply)
                    .succeedsWithin(5, TimeUnit.SECONDS)
                    .extracting(Frames.Frame::code)
                    .isEqualTo(1001);
            assertThat(agent.rest()).isEmpty();
        }
        assertThat(outcome(hop)).contains("\"outcome\":\"answered\"");
    }

    @Test
    void a_silent_websocket_lives_as_long_as_the_idle_deadline() {
        ProxySettings.Deadlines d = ProxySettings.Deadlines.DEFAULT;
        Duration brief = Duration.ofMillis(300);
        try (TestHop other = TestHop.start(
                settings -> settings.with(new ProxySettings.Deadlines(
                        brief,
                        d.handshake(),
                        d.dial(),
                        Duration.ofSeconds(3),
                        brief,
                        d.patience(),
                        d.recognition(),
                        brief,
                        d.stall(),
                        d.drain())),
                POLICY)) {
            other.origin().converse((request, in, out) -> {
                accept(request, out);
                java.util.concurrent.locks.LockSupport.parkNanos(
                        Duration.ofMillis(1500).toNanos());
                frames(in, out);
            });
            try (RawClient agent = other.tunnel("api.up.test", other.token("socket"))) {
                agent.send(handshakeAt(other.host("api.up.test"), "/ws/x")).head();
                agent.send(Frames.masked(Frames.TEXT, "after a silence"));
                assertThat(Frames.read(agent).text()).isEqualTo("after a silence");
                assertThat(agent.rest()).isEmpty();
            }
        }
    }

    private static String outcome(TestHop at) {
        Awaitility.await().until(() -> at.flows().running() == 0);
        return at.entries("outcome").getLast();
    }

    private static void sql(TestHop at, String statement) {
        at.room(Writer.class).write(tx -> {
            try (var sql = tx.connection().createStatement()) {
                return sql.execute(statement);
            }
        });
    }
}

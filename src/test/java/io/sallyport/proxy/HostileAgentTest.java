package io.sallyport.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.grant.Grant;
import io.sallyport.grant.Grants;
import io.sallyport.testing.HopCase;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestHop;
import io.sallyport.testing.TestOrigin;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Agents that send at the worst moment, and faults of our own that must not leave a request hanging. */
class HostileAgentTest extends HopCase {

    /** A small first window goes to the ledger, and the rest is too large while the name is being resolved. */
    @Test
    void a_body_that_grows_too_large_while_a_connection_is_made_never_leaves() {
        try (TestHop other = TestHop.start();
                RawClient agent = other.tunnel("api.up.test", other.token("small"))) {
            CompletableFuture<Void> resolved = new CompletableFuture<>();
            other.names().after("api.up.test", resolved);
            agent.send(text("POST /small", other.host("api.up.test"), "Transfer-Encoding: chunked") + "3\r\nabc\r\n");
            Awaitility.await().until(() -> !other.names().asked().isEmpty());
            agent.send("11000\r\n" + "x".repeat(0x11000) + "\r\n0\r\n\r\n");
            assertThat(agent.read().status()).isEqualTo(413);
            resolved.complete(null);
            Awaitility.await().until(() -> other.flows().running() == 0);
            Awaitility.await()
                    .untilAsserted(() -> assertThat(other.entries("outcome"))
                            .hasSize(1)
                            .allMatch(entry -> entry.contains("refused")));
            assertThat(other.origin().received()).isEmpty();
        }
    }

    @Test
    void a_fault_of_our_own_ends_the_request_and_makes_room() {
        try (TestHop other = TestHop.start();
                RawClient agent = other.tunnel("api.up.test", other.token("read"))) {
            other.names().fault("api.up.test");
            RawClient.Answer answer =
                    agent.send(text("GET /v1/x", other.host("api.up.test"))).read();
            assertThat(answer.status()).isEqualTo(503);
            // The answer does not wait for the outcome's entry.
            Awaitility.await()
                    .untilAsserted(() -> assertThat(other.entries("outcome")).hasSize(1));
            assertThat(other.flows().running()).isZero();
        }
    }

    /** The alarm of a grant was set by the clock of one moment; a clock that jumps must not leave the stream open until it rings. */
    @Test
    void a_stream_ends_with_its_grant_though_the_clock_was_put_forward() {
        try (TestHop other = TestHop.start()) {
            other.origin().answer((request, out) -> {
                out.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n".getBytes());
                out.flush();
                java.util.concurrent.locks.LockSupport.parkNanos(30_000_000_000L);
            });
            Grant grant = other.grant("read");
            try (RawClient agent = other.tunnel("api.up.test", other.token(grant))) {
                agent.send(text("GET /v1/x", other.host("api.up.test")));
                agent.head();
                other.clock().pass(java.time.Duration.ofMinutes(16));
                assertThat(agent.rest()).doesNotContain("\r\n0\r\n");
                assertThat(other.room(Grants.class).stands(grant)).isFalse();
            }
        }
    }

    /** Some destinations bind a connection to whoever authenticated on it first (NTLM, Negotiate). */
    @Test
    void tasks_that_bring_their_own_credential_share_no_connection() {
        String own = TestHop.POLICY.replaceFirst(
                "credential: none", "credential: {own: [authorization], reason: It has its own account there}");
        try (TestHop other = TestHop.start(settings -> settings, own)) {
            String first = other.token("blob");
            // Enough that every event loop has a connection of the first task's in its pool.
            for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
                negotiate(other, first);
            }
            int before = other.origin().connections();
            negotiate(other, other.token("blob"));
            assertThat(other.origin().connections()).isEqualTo(before + 1);
            assertThat(other.origin().received())
                    .extracting(received -> received.field("Authorization"))
                    .containsOnly(List.of("Negotiate abc"));
        }
    }

    private static void negotiate(TestHop at, String token) {
        try (RawClient agent = at.tunnel("blob.up.test", token)) {
            agent.send(text("GET /x", at.host("blob.up.test"), "Authorization: Negotiate abc"));
            assertThat(agent.read().status()).isEqualTo(200);
        }
    }

    /** A server name is whatever bytes the agent likes; it may stand in a refusal and in the ledger. */
    @Test
    void what_the_agent_names_stays_text_in_the_refusal_and_in_the_ledger() {
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("read"))) {
            RawClient.Answer answer =
                    agent.send(text("GET /v1/x", "\"},<script>\u00e9\u00ff")).read();
            assertThat(answer.status()).isEqualTo(421);
            assertThat(answer.text()).doesNotContain("<script>\u00e9");
        }
        hop.origin().answer(TestOrigin.ok("hello"));
        assertThat(hop.entries("refused")).noneMatch(entry -> entry.contains("<script>"));
    }

    /** Each entry is disk: no budget counts refusals, and a full disk would stop everybody. */
    @Test
    void refusals_without_end_do_not_fill_the_disk() {
        try (TestHop other = TestHop.start()) {
            Grant grant = other.grant("read");
            Recorder recorder = other.room(Recorder.class);
            RefusedRequest request = RefusedRequest.tunnel("api.up.test", 443);
            Refusal refusal = Refusal.of(RefusalError.DESTINATION_NOT_ALLOWED, "no");
            List<Refusal> answers = java.util.stream.IntStream.range(0, 3000)
                    .mapToObj(i -> recorder.refused(grant, request, refusal).toCompletableFuture())
                    .map(CompletableFuture::join)
                    .toList();
            assertThat(answers.getFirst().ledger()).isNotNull();
            assertThat(answers.getLast().ledger()).isNull();
            assertThat(answers.getLast().close()).isTrue();
            assertThat(other.health().refusedTooOftenCount()).isPositive();
            Grant another = other.grant("read");
            assertThat(recorder.refused(another, request, refusal)
                            .toCompletableFuture()
                            .join()
                            .ledger())
                    .isNotNull();
        }
    }

    /** The operator's connections are files of the same process. */
    @Test
    void the_most_connections_leave_files_for_the_operator() {
        assertThat(OpenFiles.forAgents(1024)).isEqualTo(256);
        assertThat(OpenFiles.forAgents(1_048_576)).isEqualTo(10_000);
        assertThat(OpenFiles.forAgents(-1)).isEqualTo(64);
    }
}

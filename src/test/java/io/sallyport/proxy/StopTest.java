package io.sallyport.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.grant.EndReason;
import io.sallyport.grant.Grant;
import io.sallyport.grant.Grants;
import io.sallyport.policy.Binding;
import io.sallyport.store.Writer;
import io.sallyport.testing.HopCase;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestHop;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Stop means stop (RW-80), and no record means no request (RW-87). */
class StopTest extends HopCase {

    @Test
    void an_open_stream_is_cut_when_its_grant_ends_and_an_idle_tunnel_closes() {
        endlessStream();
        Grant grant = hop.grant("read");
        try (RawClient agent = hop.tunnel("api.up.test", hop.token(grant));
                RawClient idle = hop.tunnel("api.up.test", hop.token(grant))) {
            agent.send(request("GET /v1/stream"));
            agent.head();
            assertThat(agent.take()).isNotEmpty();
            long before = System.nanoTime();
            List<Grant> ended = hop.room(Grants.class).endInMemory(List.of(grant), EndReason.REVOKED);
            assertThat(hop.flows().cut(ended)).isEqualTo(1);
            String rest = agent.rest();
            // The published bound is 50 ms; the machine that runs this may be busy.
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(1));
            assertThat(rest).doesNotContain("\r\n0\r\n");
            assertThat(idle.rest()).isEmpty();
        }
        try (RawClient agent = hop.connect()) {
            agent.send(text("CONNECT " + hop.host("api.up.test"), "x", shows(hop.token(grant))));
            assertThat(agent.read().status()).isEqualTo(407);
        }
        Awaitility.await()
                .untilAsserted(() -> assertThat(hop.entries("outcome"))
                        .anyMatch(entry -> entry.contains("\"outcome\":\"cut\"") && entry.contains(grant.id())));
        assertThat(hop.flows().running()).isZero();
    }

    @Test
    void a_flow_ends_when_its_grant_expires() {
        endlessStream();
        Grant usual = hop.grant("read");
        Grant brief = hop.open(new Grant(
                usual.id() + "b",
                usual.jti() + "b",
                usual.task() + "b",
                null,
                0,
                usual.policy(),
                usual.policyDigest(),
                usual.scopes(),
                usual.resources(),
                usual.workload(),
                null,
                usual.isolation(),
                usual.address(),
                100,
                1_000_000,
                usual.openedAt(),
                hop.clock().instant().plusSeconds(2),
                null,
                Binding.ADDRESS));
        try (RawClient agent = hop.tunnel("api.up.test", hop.token(brief))) {
            agent.send(request("GET /v1/stream"));
            agent.head();
            assertThat(agent.rest()).doesNotContain("\r\n0\r\n");
        }
    }

    /** RW-80: narrowing cuts what it no longer allows; a scope that is gone ends its grants. */
    @Test
    void a_narrower_rule_book_cuts_what_it_no_longer_allows() {
        endlessStream();
        try (TestHop other = startHop()) {
            other.origin().answer((request, out) -> stream(out));
            Grant reading = other.grant("read");
            try (RawClient agent = other.tunnel("api.up.test", other.token(reading))) {
                agent.send(text("GET /v1/stream", other.host("api.up.test")));
                agent.head();
                other.document(
                        "policies/fixer.yml", TestHop.POLICY.replace("\"GET /v1/**\", \"GET /echo\"", "\"GET /echo\""));
                other.reload();
                assertThat(agent.rest()).doesNotContain("\r\n0\r\n");
            }
            Grant writing = other.grant("write");
            other.document("policies/fixer.yml", TestHop.POLICY.replace("  write:", "  renamed:"));
            other.reload();
            assertThat(other.room(Grants.class).stands(writing)).isFalse();
            assertThat(other.room(Grants.class).stands(reading)).isTrue();
        }
    }

    /** Widening never reaches a live grant. */
    @Test
    void a_wider_rule_book_does_not_reach_a_grant_that_lives() {
        try (TestHop other = startHop();
                RawClient agent = other.tunnel("api.up.test", other.token("read"))) {
            other.document(
                    "policies/fixer.yml", TestHop.POLICY.replace("\"GET /echo\"", "\"GET /echo\", \"GET /wider\""));
            other.reload();
            assertThat(agent.send(text("GET /wider", other.host("api.up.test")))
                            .read()
                            .status())
                    .isEqualTo(403);
            assertThat(agent.send(text("GET /v1/x", other.host("api.up.test")))
                            .read()
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void a_task_runs_as_many_requests_at_once_as_its_policy_says() {
        try (TestHop other = TestHop.start(settings -> settings, TestHop.POLICY.replace("at-once: 64", "at-once: 1"))) {
            other.origin().answer((request, out) -> stream(out));
            Grant grant = other.grant("read");
            try (RawClient first = other.tunnel("api.up.test", other.token(grant));
                    RawClient second = other.tunnel("api.up.test", other.token(grant))) {
                first.send(text("GET /v1/stream", other.host("api.up.test")));
                first.head();
                RawClient.Answer refused = second.send(text("GET /v1/x", other.host("api.up.test")))
                        .read();
                assertThat(refused.status()).isEqualTo(429);
                assertThat(refused.field("Retry-After")).isNotEmpty();
                first.close();
                other.origin().answer(io.sallyport.testing.TestOrigin.ok("hello"));
                Awaitility.await().until(() -> other.flows().running() == 0);
                assertThat(second.send(text("GET /v1/x", other.host("api.up.test")))
                                .read()
                                .status())
                        .isEqualTo(200);
            }
        }
    }

    @Test
    void a_spent_budget_refuses_and_says_which() {
        try (TestHop other = TestHop.start(settings -> settings, TestHop.POLICY.replace("uses: 100000", "uses: 2"));
                RawClient agent = other.tunnel("api.up.test", other.token("read"))) {
            for (int status : new int[] {200, 200, 403}) {
                RawClient.Answer answer =
                        agent.send(text("GET /v1/x", other.host("api.up.test"))).read();
                assertThat(answer.status()).isEqualTo(status);
                if (status == 403) {
                    assertThat(answer.text()).contains("limit_spent").contains("uses");
                }
            }
        }
    }

    /** RW-87. */
    @Test
    void when_the_ledger_cant_write_nothing_leaves_and_it_recovers_by_itself() {
        try (TestHop other = startHop();
                RawClient agent = other.tunnel("api.up.test", other.token("read", "write"))) {
            String host = other.host("api.up.test");
            fill(other);
            RawClient.Answer get = agent.send(text("GET /v1/x", host)).read();
            assertThat(get.status()).isEqualTo(503);
            assertThat(get.text())
                    .contains("\"error\":\"unavailable\"", "\"ledger\":null")
                    .doesNotContain("full");
            agent.send(text("POST /v1/x", host, "Content-Length: 3") + "abc");
            assertThat(agent.read().status()).isEqualTo(503);
            assertThat(other.origin().connections()).isZero();
            assertThat(other.names().asked()).isEmpty();
            assertThat(other.health().recording()).isFalse();
            sql(other, "drop trigger full");
            assertThat(agent.send(text("GET /v1/x", host)).read().status()).isEqualTo(200);
            assertThat(other.health().recording()).isTrue();
            assertThat(other.origin().received()).hasSize(1);
        }
    }

    /** RW-87: the open stream ends at its next required record. */
    @Test
    void an_upload_ends_where_its_next_window_cant_be_recorded() {
        try (TestHop other = startHop();
                RawClient agent = other.tunnel("api.up.test", other.token("write"))) {
            agent.send(text("POST /v1/x", other.host("api.up.test"), "Content-Length: 10", "Expect: 100-continue"));
            assertThat(agent.head()).startsWith("HTTP/1.1 100");
            fill(other);
            agent.send("0123456789");
            assertThat(agent.read().status()).isEqualTo(503);
            assertThat(other.origin().received()).isEmpty();
            sql(other, "drop trigger full");
        }
    }

    private void endlessStream() {
        hop.origin().answer((request, out) -> stream(out));
    }

    private static void stream(java.io.OutputStream out) throws IOException {
        out.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
                .getBytes(ISO_8859_1));
        while (true) {
            out.write("9\r\ndata: 1\n\n\r\n".getBytes(ISO_8859_1));
            out.flush();
            java.util.concurrent.locks.LockSupport.parkNanos(5_000_000);
        }
    }

    /** No entry can be written any more. */
    private static void fill(TestHop at) {
        sql(at, "create trigger full before insert on entry begin select raise(abort, 'disk full'); end");
    }

    private static void sql(TestHop at, String statement) {
        at.room(Writer.class).write(tx -> {
            try (var sql = tx.connection().createStatement()) {
                return sql.execute(statement);
            }
        });
    }
}

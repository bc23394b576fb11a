package io.sallyport.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.grant.EndReason;
import io.sallyport.grant.Grant;
import io.sallyport.grant.Grants;
import io.sallyport.testing.Http2AgentCase;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.RawHttp2Client;
import io.sallyport.testing.TestHop;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** A tunnel in which nothing runs is a way into the broker all the same: it ends with its grant (RW-80). */
class IdleTunnelTest extends Http2AgentCase {

    @Override
    protected TestHop startHop() {
        return TestHop.start(settings -> settings, TestHop.POLICY + """
              raw:
                reason: Pins its certificate
                destination: {url: "https://raw.up.test:${tls}", addresses: [127.0.0.0/8]}
                intercept: false
                credential: none
                wide: The client pins the certificate
            """);
    }

    private void revoke(Grant... grants) {
        hop.room(Grants.class).endInMemory(List.of(grants), EndReason.REVOKED);
    }

    private RawHttp2Client tunnelled(Grant grant) {
        return hop.http2("api.up.test", hop.token(grant));
    }

    @Test
    void a_tunnel_closes_with_its_grant_whatever_was_said_in_it() {
        Grant grant = hop.grant("read", "plain", "raw");
        Grant other = hop.grant("read");
        try (RawClient fresh = hop.connected("api.up.test", hop.token(grant));
                RawClient begun = hop.connected("api.up.test", hop.token(grant)).send(new byte[] {22, 3, 1});
                RawClient secure = hop.tunnel("api.up.test", hop.token(grant));
                RawClient used = hop.tunnel("api.up.test", hop.token(grant));
                RawClient blind = hop.connected("raw.up.test", hop.token(grant));
                RawClient neighbour = hop.tunnel("api.up.test", hop.token(other))) {
            assertThat(used.send(request("GET /v1/x")).read().status()).isEqualTo(200);
            revoke(grant);
            for (RawClient closed : List.of(fresh, begun, secure, used, blind)) {
                assertThat(closed.rest()).isEmpty();
            }
            assertThat(neighbour.send(request("GET /v1/x")).read().status()).isEqualTo(200);
        }
    }

    @Test
    void a_connection_of_http_2_says_goaway_and_closes() {
        Grant grant = hop.grant("read");
        try (RawHttp2Client agent = tunnelled(grant)) {
            assertThat(agent.answer(agent.get(head("GET", "/v1/x"))).status()).isEqualTo(200);
            revoke(grant);
            assertThat(agent.goAway().code()).isZero();
            agent.rest();
        }
    }

    /** The connection is nobody's in particular: other tunnels in it go on. */
    @Test
    void a_tunnel_on_a_stream_ends_alone() {
        Grant grant = hop.grant("plain");
        Grant other = hop.grant("plain");
        try (RawHttp2Client agent = clear()) {
            int tunnel = tunnel(agent, grant);
            int neighbour = tunnel(agent, other);
            revoke(grant);
            assertThat(agent.answer(tunnel).ended()).isTrue();
            agent.data(neighbour, text("GET /a", hop.plainHost("plain.up.test")), false);
            Awaitility.await().until(() -> agent.ping().soFar(neighbour).text().endsWith("hello"));
        }
    }

    private int tunnel(RawHttp2Client agent, Grant grant) {
        int stream = agent.begin(
                ":method",
                "CONNECT",
                ":authority",
                hop.plainHost("plain.up.test"),
                "proxy-authorization",
                RawClient.basic(hop.token(grant)));
        assertThat(agent.head(stream).status()).isEqualTo(200);
        return stream;
    }

    @Test
    void time_ends_it_too_without_a_call() {
        Grant usual = hop.unopened("read");
        Grant brief = hop.open(TestHop.until(usual, hop.clock().instant().plusMillis(1500)));
        try (RawClient agent = hop.tunnel("api.up.test", hop.token(brief));
                RawHttp2Client streams = tunnelled(brief)) {
            assertThat(agent.rest()).isEmpty();
            assertThat(streams.goAway().code()).isZero();
        }
    }

    /** An alarm that was set by the clock of another moment must not leave it open. */
    @Test
    void so_does_a_clock_that_is_put_forward() {
        try (TestHop other = TestHop.start();
                RawClient agent = other.tunnel("api.up.test", other.token("read"))) {
            other.clock().pass(Duration.ofMinutes(16));
            assertThat(agent.rest()).isEmpty();
        }
    }

    /** An answer that is on its way is cut; one that was given before is not. */
    @Test
    void a_request_that_comes_at_the_same_time_is_refused_or_finds_the_connection_closed() {
        for (int i = 0; i < 50; i++) {
            Grant grant = hop.grant("read");
            try (RawClient agent = hop.tunnel("api.up.test", hop.token(grant))) {
                Thread ending = Thread.ofPlatform().start(() -> revoke(grant));
                String rest;
                try {
                    rest = agent.send(request("GET /v1/x")).rest();
                } catch (RuntimeException closed) {
                    rest = "";
                }
                assertThat(rest)
                        .satisfiesAnyOf(
                                text -> assertThat(text).isEmpty(),
                                text -> assertThat(text).contains("grant_ended"),
                                text -> assertThat(text).endsWith("hello"));
                ending.join();
            } catch (InterruptedException stopped) {
                throw new IllegalStateException(stopped);
            }
        }
        Awaitility.await().until(() -> hop.flows().running() == 0);
    }
}

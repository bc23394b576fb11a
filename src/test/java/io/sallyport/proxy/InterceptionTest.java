package io.sallyport.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sallyport.grant.Grant;
import io.sallyport.proxy.InterceptionRoot.RollOver;
import io.sallyport.proxy.tls.Lifetimes;
import io.sallyport.proxy.tls.MintedLeaves;
import io.sallyport.rules.RuleBooks;
import io.sallyport.store.Writer;
import io.sallyport.testing.HopCase;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestHop;
import java.util.List;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/** For whom certificates are made, and when; RW-03: what becomes of running sandboxes when the root is rolled over. */
class InterceptionTest extends HopCase {

    @Override
    protected TestHop startHop() {
        return TestHop.start(settings -> settings.withNames(List.of("hop.test", "127.0.0.1")));
    }

    private long minted() {
        return hop.room(MintedLeaves.class).minted();
    }

    private int connect(String host, String... fields) {
        try (RawClient agent = hop.connect()) {
            return agent.send(text("CONNECT " + hop.host(host), hop.host(host), fields))
                    .read()
                    .status();
        }
    }

    @Test
    void no_certificate_is_made_before_a_grant_names_the_host() {
        String token = hop.token("read");
        long before = minted();

        assertThat(connect("blob.up.test")).isEqualTo(407);
        assertThat(connect("blob.up.test", shows("no-token"))).isEqualTo(407);
        assertThat(connect("blob.up.test", shows(token)))
                .as("not among its scopes")
                .isEqualTo(403);
        assertThat(connect("nowhere.example", shows(token))).isEqualTo(403);

        assertThat(minted()).isEqualTo(before);
        hop.tunnel("blob.up.test", hop.token("blob")).close();
        assertThat(minted()).isEqualTo(before + 1);
    }

    @Test
    void a_host_that_a_reload_adds_is_intercepted_at_once_and_verifies() {
        hop.document("policies/fixer.yml", TestHop.POLICY.replace("blob.up.test", "later.up.test"));
        assertThat(hop.reload()).isInstanceOf(RuleBooks.Reload.Swapped.class);
        try (RawClient agent = hop.tunnel("later.up.test", hop.token("blob"))) {
            assertThat(agent.send(text("GET /v1/x", hop.host("later.up.test"))).head())
                    .startsWith("HTTP/1.1");
        } finally {
            hop.document("policies/fixer.yml", TestHop.POLICY);
            hop.reload();
        }
    }

    @Test
    void at_its_own_listener_the_hop_shows_its_names_to_whoever_asks_for_them() {
        hop.connect().tls(hop.trust(), "hop.test", hop.port()).close();
        // To an address, no server name is sent.
        hop.connect().tls(hop.trust(), "127.0.0.1", hop.port()).close();
    }

    @Test
    void a_stranger_who_asks_the_hop_for_other_names_is_shown_its_own_and_has_nothing_made() {
        hop.connect().tls(hop.trust(), "hop.test", hop.port()).close();
        long before = minted();

        for (String asked : List.of("api.up.test", "localhost", "hop.test.evil.example", "a".repeat(63) + ".test")) {
            assertThatThrownBy(() -> hop.connect().tls(hop.trust(), asked, hop.port()))
                    .as(asked)
                    .hasStackTraceContaining("No subject alternative DNS name matching " + asked);
        }
        assertThat(minted()).isEqualTo(before);
    }

    @Test
    void the_root_is_rolled_over_while_sandboxes_that_were_given_both_go_on() {
        String token = hop.token("read");
        rollsOver(trust -> hop.tunnel("api.up.test", token, trust));
    }

    @Test
    void the_root_is_rolled_over_while_sandboxes_whose_connections_are_led_here_go_on() {
        Grant grant = hop.ledGrant("read");
        int port = hop.origin().port();
        rollsOver(trust -> hop.led(grant, port).tls(trust, "api.up.test", port));
    }

    /** @param open a connection to the origin whose leaf is verified so */
    private void rollsOver(Function<SSLContext, RawClient> open) {
        InterceptionRoot root = hop.room(InterceptionRoot.class);
        SSLContext old = hop.trust();
        step(root::succeed);
        SSLContext both = hop.trust();
        try (RawClient running = open.apply(hop.trust())) {
            step(root::promote);

            assertThat(running.send(request("GET /v1/running")).read().status()).isEqualTo(200);
            open.apply(both).close();
            assertThatThrownBy(() -> open.apply(old)).hasStackTraceContaining("PKIX");
        }
        step(tx -> root.withdraw(tx, signed(root)));
        open.apply(hop.trust()).close();
    }

    /** The one that signed until now. */
    private static String signed(InterceptionRoot root) {
        return root.states().stream()
                .filter(state -> state.use() == InterceptionRoot.Use.SIGNED)
                .findFirst()
                .orElseThrow()
                .id();
    }

    @Test
    void health_says_degraded_ninety_days_before_the_end_until_a_successor_signs() {
        try (TestHop old = TestHop.start()) {
            HealthIndicator health = old.named("hopHealthIndicator", HealthIndicator.class);
            assertThat(health.health().getDetails()).doesNotContainKey("degraded");

            old.clock().pass(Lifetimes.USUAL.authority().minusDays(89));

            assertThat(health.health().getStatus()).isEqualTo(Status.UP);
            assertThat(health.health().getDetails())
                    .containsEntry("authorityDaysLeft", 88L)
                    .containsEntry("degraded", "the interception CA ends soon");
            InterceptionRoot root = old.room(InterceptionRoot.class);
            old.room(Writer.class).write(root::succeed);
            old.room(Writer.class).write(root::promote);
            assertThat(health.health().getDetails()).doesNotContainKey("degraded");
        }
    }

    private void step(Writer.Work<RollOver> work) {
        hop.clock().pass(java.time.Duration.ofSeconds(1));
        assertThat(hop.room(Writer.class).write(work)).isInstanceOf(RollOver.Done.class);
    }
}

package io.sallyport.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sallyport.testing.HopCase;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestHop;
import java.net.InetAddress;
import java.util.Base64;
import org.junit.jupiter.api.Test;

class HopMetricsTest extends HopCase {

    @Test
    void uses_their_ends_and_refusals_are_counted_under_labels_of_closed_lists() {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        hop.room(HopMetrics.class).bindTo(meters);
        int before = meters.getMeters().size();
        double uses = count(meters, "sallyport.hop.uses");
        ask("GET http://" + hop.plainHost("plain.up.test") + "/a", hop.token("plain"), 200);
        ask("GET http://" + hop.plainHost("clear.up.test") + "/v1/b", hop.token("plain"), 403);
        ask("GET http://" + hop.plainHost("plain.up.test") + "/a", "no-token", 407);

        assertThat(count(meters, "sallyport.hop.uses")).isEqualTo(uses + 1);
        await().untilAsserted(() -> assertThat(count(meters, "sallyport.hop.outcomes", "kind", "answered"))
                .isEqualTo(1));
        assertThat(count(meters, "sallyport.hop.refusals", "error", "scope_not_granted"))
                .isEqualTo(1);
        assertThat(count(meters, "sallyport.hop.refusals", "error", "grant_required"))
                .isEqualTo(1);
        assertThat(meters.getMeters()).hasSize(before);
        assertThat(meters.get("sallyport.hop.authority.left").gauge().value()).isPositive();
    }

    @Test
    void each_error_that_an_answer_can_have_is_a_label() {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        hop.room(HopMetrics.class).bindTo(meters);
        assertThat(meters.find("sallyport.hop.refusals").meters())
                .extracting(Meter::getId)
                .extracting(id -> id.getTag("error"))
                .hasSize(RefusalError.values().length)
                .doesNotContainNull();
    }

    @Test
    void connections_that_are_closed_unread_at_a_transparent_listener_have_a_label_for_each_reason() {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        hop.room(HopMetrics.class).bindTo(meters);
        Gate gate = hop.room(Gate.class);
        assertThat(gate.ofSource(InetAddress.ofLiteral("192.0.2.9"))).isEmpty();
        for (int i = 0; i < 2; i++) {
            hop.open(TestHop.from(hop.unopened("plain"), "192.0.2.10/32"));
        }
        assertThat(gate.ofSource(InetAddress.ofLiteral("192.0.2.10"))).isEmpty();

        assertThat(meters.find("sallyport.hop.led.closed").meters())
                .extracting(meter -> meter.getId().getTag("reason"))
                .containsExactlyInAnyOrder("direct", "source", "no_grant", "several_grants");
        assertThat(count(meters, "sallyport.hop.led.closed", "reason", "no_grant"))
                .isEqualTo(1);
        assertThat(count(meters, "sallyport.hop.led.closed", "reason", "several_grants"))
                .isEqualTo(1);
    }

    private void ask(String line, String token, int status) {
        try (RawClient agent = hop.connect()) {
            String basic = Base64.getEncoder().encodeToString(("task:" + token).getBytes());
            agent.send(line + " HTTP/1.1\r\nHost: x\r\nProxy-Authorization: Basic " + basic + "\r\n\r\n");
            assertThat(agent.read().status()).isEqualTo(status);
        }
    }

    private static double count(SimpleMeterRegistry meters, String name, String... tags) {
        FunctionCounter counter = meters.get(name).tags(tags).functionCounter();
        return counter.count();
    }
}

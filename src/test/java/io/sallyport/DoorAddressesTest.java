package io.sallyport;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sallyport.DoorAddresses.Listening;
import java.util.List;
import org.junit.jupiter.api.Test;

class DoorAddressesTest {

    @Test
    void every_door_may_listen_on_the_loopback_without_tls() {
        for (String loopback : List.of("127.0.0.1", "127.9.9.9", "::1", "localhost")) {
            assertThatCode(() -> DoorAddresses.check(List.of(agent(loopback, false), operator(loopback, false)), false))
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void the_agent_door_elsewhere_needs_tls_or_somebody_in_front_who_speaks_it() {
        assertThatThrownBy(() -> DoorAddresses.check(List.of(agent("0.0.0.0", false)), false))
                .isInstanceOf(StartRefused.class)
                .hasMessage(
                        "The agent door would listen on 0.0.0.0 (server.address) without TLS. Allowed: a loopback address, or TLS"
                                + " (server.ssl.bundle), or sallyport.tls-terminated-in-front=true where something in front of it speaks TLS.");
        assertThatCode(() -> DoorAddresses.check(List.of(agent("0.0.0.0", true)), false))
                .doesNotThrowAnyException();
        assertThatCode(() -> DoorAddresses.check(List.of(agent("0.0.0.0", false)), true))
                .doesNotThrowAnyException();
    }

    @Test
    void the_operator_door_elsewhere_needs_tls_of_its_own() {
        assertThatThrownBy(() -> DoorAddresses.check(List.of(operator("10.0.0.1", false)), true))
                .isInstanceOf(StartRefused.class)
                .hasMessageContaining("operator door")
                .hasMessageNotContaining("in-front");
        assertThatCode(() -> DoorAddresses.check(List.of(operator("10.0.0.1", true)), false))
                .doesNotThrowAnyException();
    }

    @Test
    void the_hop_elsewhere_needs_somebody_in_front_and_is_told_of_nothing_else() {
        Listening hop = new Listening("hop", "sallyport.proxy.bind", "0.0.0.0", false, true);
        assertThatThrownBy(() -> DoorAddresses.check(List.of(hop), false))
                .hasMessageContaining("hop door")
                .hasMessageContaining("Allowed: a loopback address, or sallyport.tls-terminated-in-front=true");
        assertThatCode(() -> DoorAddresses.check(List.of(hop), true)).doesNotThrowAnyException();
    }

    @Test
    void an_address_that_is_none_is_named() {
        assertThatThrownBy(() -> DoorAddresses.check(List.of(agent("no address", false)), true))
                .isInstanceOf(StartRefused.class)
                .hasMessageContaining("\"no address\"")
                .hasMessageContaining("server.address");
    }

    private static Listening agent(String address, boolean tls) {
        return new Listening("agent", "server.address", address, tls, true);
    }

    private static Listening operator(String address, boolean tls) {
        return new Listening("operator", "sallyport.operator.bind", address, tls, false);
    }
}

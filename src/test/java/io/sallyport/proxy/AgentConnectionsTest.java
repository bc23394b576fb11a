package io.sallyport.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.proxy.AgentConnections.Bound;
import io.sallyport.proxy.AgentConnections.Seat;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class AgentConnectionsTest {

    private final List<String> closed = new ArrayList<>();
    private final AtomicLong now = new AtomicLong();

    @Test
    void one_stranger_too_many_from_a_source_closes_its_oldest_and_nobody_elses() {
        AgentConnections connections = new AgentConnections(Limits.of(100).withStrangersPerSource(2), now::get);
        enter(connections, "10.0.0.1", "a");
        enter(connections, "10.0.0.2", "other");
        enter(connections, "10.0.0.1", "b");
        enter(connections, "10.0.0.1", "c");
        assertThat(closed).containsExactly("a");
        assertThat(connections.held()).isEqualTo(3);
        assertThat(connections.turnedAway(Bound.STRANGERS)).isEqualTo(1);
    }

    @Test
    void whoever_has_shown_a_grant_is_not_pushed_out() {
        AgentConnections connections = new AgentConnections(Limits.of(8), now::get);
        Seat known = enter(connections, "10.0.0.1", "known");
        assertThat(known.recognised("task")).isTrue();
        for (int i = 0; i < 50; i++) {
            enter(connections, "10.0.0.1", "stranger-" + i);
        }
        assertThat(closed).hasSize(47).doesNotContain("known");
        assertThat(connections.turnedAway(Bound.SOURCE)).isEqualTo(47);
    }

    @Test
    void where_all_have_shown_a_grant_one_more_is_turned_away() {
        AgentConnections connections =
                new AgentConnections(new Limits(2, 2, 2, 2, 1, 1 << 20, 1 << 20, 1, 1024, 1), now::get);
        assertThat(enter(connections, "10.0.0.1", "a").recognised("task")).isTrue();
        assertThat(enter(connections, "10.0.0.2", "b").recognised("task")).isTrue();
        assertThat(connections.enter(address("10.0.0.3"), () -> {})).isEmpty();
        assertThat(closed).isEmpty();
        assertThat(connections.turnedAway(Bound.CONNECTIONS)).isEqualTo(1);
    }

    @Test
    void an_ipv6_network_is_one_source() {
        AgentConnections connections = new AgentConnections(Limits.of(100).withStrangersPerSource(1), now::get);
        enter(connections, "2001:db8::1", "a");
        enter(connections, "2001:db8::ffff:2", "b");
        enter(connections, "2001:db8:0:1::1", "c");
        assertThat(closed).containsExactly("a");
    }

    @Test
    void a_task_has_its_most_and_gets_room_again_when_one_leaves_or_serves_another() {
        AgentConnections connections = new AgentConnections(Limits.of(100).withPerTask(1, 1), now::get);
        Seat first = enter(connections, "10.0.0.1", "a");
        Seat second = enter(connections, "10.0.0.1", "b");
        assertThat(first.recognised("task")).isTrue();
        assertThat(first.recognised("task")).isTrue();
        assertThat(second.recognised("task")).isFalse();
        assertThat(second.stranger()).isTrue();
        assertThat(first.recognised("other")).isTrue();
        assertThat(second.recognised("task")).isTrue();
        second.leave();
        second.leave();
        assertThat(first.recognised("task")).isTrue();
        first.leave();
        assertThat(connections.held()).isZero();
        assertThat(connections.strangers()).isZero();
    }

    /** Three may be a client's mistake. */
    @Test
    void a_task_whose_connections_flood_has_no_further_ones_for_a_minute_and_others_do() {
        AgentConnections connections = new AgentConnections(Limits.of(100), now::get);
        for (int i = 0; i < 3; i++) {
            Seat seat = enter(connections, "10.0.0.1", "flood-" + i);
            assertThat(seat.recognised("task")).isTrue();
            seat.flooded();
            seat.leave();
        }
        assertThat(enter(connections, "10.0.0.1", "fourth").recognised("task")).isFalse();
        assertThat(enter(connections, "10.0.0.1", "neighbour").recognised("other"))
                .isTrue();
        now.addAndGet(TimeUnit.SECONDS.toNanos(61));
        assertThat(enter(connections, "10.0.0.1", "later").recognised("task")).isTrue();
    }

    private Seat enter(AgentConnections connections, String address, String name) {
        return connections.enter(address(address), () -> closed.add(name)).orElseThrow();
    }

    private static InetAddress address(String text) {
        return InetAddress.ofLiteral(text);
    }
}

package io.sallyport.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sallyport.grant.EndReason;
import io.sallyport.grant.Grant;
import io.sallyport.grant.Grants;
import io.sallyport.grant.TaskListener;
import io.sallyport.grant.TaskListeners;
import io.sallyport.http.IpRange;
import io.sallyport.policy.Binding;
import io.sallyport.testing.Sandbox;
import io.sallyport.testing.TestHop;
import io.sallyport.testing.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Connections over IPv6 that are led to the hop, by a listener that takes both families. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TransparentIpv6Test {

    /** Of documentation (RFC 3849 and RFC 5737): nothing is there. */
    private static final String NOWHERE = "2001:db8::7";

    private static final String NOWHERE4 = "203.0.113.7";

    private TestHop hop;
    private Sandbox task;

    @TempDir
    static Path folder;

    @BeforeAll
    void start() throws IOException {
        Tools.requireRoot();
        Tools.require("ip", "iptables", "curl");
        assumeTrue(Sandbox.IPV6, "no IPv6 here");
        hop = TestHop.startTransparent(
                new ListenerSettings.Transparent("::", 0, List.of(range("10.199.0.0/16"), range("fd00:199::/32"))));
        task = new Sandbox(11);
        Files.writeString(
                folder.resolve("ca.pem"), hop.room(InterceptionRoot.class).pem());
    }

    @AfterAll
    void stop() {
        if (task != null) {
            task.close();
        }
        if (hop != null) {
            hop.close();
        }
    }

    private static IpRange range(String text) {
        return IpRange.parse(text).orElseThrow();
    }

    private Tools.Ran curl(Sandbox in, String nowhere, String path) {
        hop.origin().received().clear();
        return in.run(
                folder,
                "curl",
                "-sS",
                "-m",
                "10",
                "--cacert",
                folder.resolve("ca.pem").toString(),
                "--resolve",
                "api.up.test:" + hop.origin().port() + ":" + nowhere,
                "https://" + hop.host("api.up.test") + path);
    }

    @Test
    void a_listener_of_the_task_s_own_takes_both_families_from_the_address_that_it_is_for() {
        Grant grant = hop.open(TestHop.bound(hop.unopened("read"), Binding.LISTENER));
        var opened = (TaskListeners.Opened.Listening) hop.room(TaskListeners.class)
                .open(grant, new TaskListener.Transparent(range(task.address6() + "/128")));
        String place = opened.listener().place();
        assertThat(place).startsWith("[::]:");
        try (Sandbox own = new Sandbox(12)) {
            own.ledTo(Integer.parseInt(place.substring(place.lastIndexOf(':') + 1)));
            assertThat(curl(own, NOWHERE, "/v1/another").exit())
                    .as("another source")
                    .isEqualTo(35);
        }
        task.ledTo(Integer.parseInt(place.substring(place.lastIndexOf(':') + 1)));
        Tools.Ran ran = curl(task, NOWHERE, "/v1/six");
        assertThat(ran.out()).as(ran.err()).isEqualTo("hello");
        assertThat(hop.origin().received().getFirst().field("Authorization"))
                .containsExactly("Bearer " + TestHop.SECRET);
        assertThat(hop.entries("used")).anyMatch(entry -> entry.contains("/v1/six") && entry.contains(grant.id()));
        // The listener is for one address, and that is not the sandbox's of the other family.
        assertThat(curl(task, NOWHERE4, "/v1/four").exit()).isEqualTo(35);
    }

    @Test
    void by_its_address_a_sandbox_has_the_grant_that_is_bound_to_it_in_either_family() {
        try (Sandbox one = new Sandbox(13).ledTo(hop.room(HopLifecycle.class).transparentPort())) {
            assertThat(curl(one, NOWHERE, "/v1/none").exit()).isEqualTo(35);
            Grant six = hop.open(TestHop.from(hop.unopened("read"), one.address6() + "/128"));
            Tools.Ran ran = curl(one, NOWHERE, "/v1/by-six");
            assertThat(ran.out()).as(ran.err()).isEqualTo("hello");
            assertThat(hop.entries("used")).anyMatch(entry -> entry.contains("/v1/by-six") && entry.contains(six.id()));
            assertThat(curl(one, NOWHERE4, "/v1/not-four").exit()).isEqualTo(35);

            Grant four = hop.open(TestHop.from(hop.unopened("read"), one.address() + "/32"));
            assertThat(curl(one, NOWHERE4, "/v1/by-four").out()).isEqualTo("hello");
            assertThat(hop.entries("used"))
                    .anyMatch(entry -> entry.contains("/v1/by-four") && entry.contains(four.id()));

            hop.room(Grants.class).endInMemory(List.of(six), EndReason.REVOKED);
            assertThat(curl(one, NOWHERE, "/v1/ended").exit()).isEqualTo(35);
        }
    }
}

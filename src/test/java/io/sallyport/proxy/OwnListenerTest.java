package io.sallyport.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sallyport.grant.EndReason;
import io.sallyport.grant.Grant;
import io.sallyport.grant.Grants;
import io.sallyport.grant.TaskListener;
import io.sallyport.grant.TaskListeners;
import io.sallyport.http.IpRange;
import io.sallyport.policy.Binding;
import io.sallyport.testing.HopCase;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.RawHttp2Client;
import io.sallyport.testing.TestHop;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** A port of the task's own: no token in the sandbox, and nothing but the one grant behind it. */
class OwnListenerTest extends HopCase {

    private static final IpRange LOOPBACK = IpRange.parse("127.0.0.1/32").orElseThrow();

    /** One that takes no led connections, so that a listener can be asked for that is not to be had. */
    @Override
    protected TestHop startHop() {
        return TestHop.startTransparent(ListenerSettings.Transparent.NONE);
    }

    private Grant listening(String... scopes) {
        return hop.open(TestHop.bound(hop.unopened(scopes), Binding.LISTENER));
    }

    private int port(Grant grant) {
        return port(grant, LOOPBACK);
    }

    private int port(Grant grant, IpRange peers) {
        TaskListeners.Opened opened = hop.room(TaskListeners.class).open(grant, new TaskListener.Port(peers));
        String place = ((TaskListeners.Opened.Listening) opened).listener().place();
        return Integer.parseInt(place.substring(place.lastIndexOf(':') + 1));
    }

    private Path socket(Grant grant, long uid) {
        TaskListeners.Opened opened = hop.room(TaskListeners.class).open(grant, new TaskListener.Socket(uid));
        return Path.of(((TaskListeners.Opened.Listening) opened).listener().place());
    }

    private static long self() {
        try {
            return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void end(Grant grant) {
        hop.room(Grants.class).endInMemory(List.of(grant), EndReason.REVOKED);
    }

    @Test
    void a_tunnel_needs_no_token_and_the_origin_gets_the_credential() {
        Grant grant = listening("read");
        try (RawClient agent = RawClient.to(port(grant))) {
            agent.send(text("CONNECT " + hop.host("api.up.test"), hop.host("api.up.test")));
            assertThat(agent.head()).startsWith("HTTP/1.1 200");
            RawClient inside = agent.tls(hop.trust(), "api.up.test", 443);
            assertThat(inside.send(request("GET /v1/bound")).read().text()).isEqualTo("hello");
        }
        assertThat(hop.origin().received().getFirst().field("Authorization"))
                .containsExactly("Bearer " + TestHop.SECRET);
        assertThat(hop.entries("used")).anyMatch(entry -> entry.contains("/v1/bound") && entry.contains(grant.id()));
    }

    @Test
    void absolute_form_and_the_gateway_need_none_either() {
        try (RawClient agent = RawClient.to(port(listening("read", "plain")))) {
            agent.send(text("GET http://" + hop.plainHost("plain.up.test") + "/x", "ignored"));
            assertThat(agent.read().status()).isEqualTo(200);
            agent.send(text("GET /gateway/fixer:read/v1/y", "127.0.0.1"));
            assertThat(agent.read().text()).isEqualTo("hello");
        }
        assertThat(hop.origin().received().getFirst().field("Authorization"))
                .containsExactly("Bearer " + TestHop.SECRET);
    }

    /** What leaked into the sandbox after all must not open another door. */
    @Test
    void the_task_token_of_a_bound_grant_opens_nothing_at_the_hop() {
        Grant grant = listening("read");
        port(grant);
        try (RawClient agent = hop.connect()) {
            agent.send(text("CONNECT " + hop.host("api.up.test"), "x", shows(hop.token(grant))));
            assertThat(agent.read().status()).isEqualTo(407);
            agent.send(text("GET /gateway/fixer:read/v1/y", "x", "Authorization: Bearer " + hop.token(grant)));
            assertThat(agent.read().status()).isEqualTo(401);
        }
        assertThat(hop.origin().received()).isEmpty();
    }

    @Test
    void the_listener_serves_its_own_grant_alone() {
        int port = port(listening("read"));
        String other = hop.token("read", "blob");
        try (RawClient agent = RawClient.to(port)) {
            agent.send(text("CONNECT " + hop.host("blob.up.test"), "x"));
            assertThat(agent.read().status()).isEqualTo(403);
            agent.send(text("CONNECT " + hop.host("api.up.test"), "x", shows(other)));
            RawClient.Answer refused = agent.read();
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.text()).contains("ambiguous_token").doesNotContain("\"ledger\":null");
        }
        try (RawClient agent = RawClient.to(port)) {
            agent.send(text("GET /gateway/fixer:read/v1/y", "127.0.0.1", "x-api-key: " + other));
            assertThat(agent.read().status()).isEqualTo(400);
        }
        assertThat(hop.origin().received()).isEmpty();
    }

    /** SDKs insist on a key, and some bring two. */
    @Test
    void a_placeholder_in_the_place_of_a_key_is_taken_off_and_no_doubt() {
        try (RawClient agent = RawClient.to(port(listening("read")))) {
            agent.send(
                    text("GET /gateway/fixer:read/v1/y", "localhost", "Authorization: Bearer none", "x-api-key: void"));
            assertThat(agent.read().status()).isEqualTo(200);
            agent.send(text("CONNECT " + hop.host("api.up.test"), "x", shows("placeholder")));
            assertThat(agent.head()).startsWith("HTTP/1.1 200");
        }
        assertThat(hop.origin().received().getFirst().field("x-api-key")).isEmpty();
        assertThat(hop.origin().received().getFirst().field("Authorization"))
                .containsExactly("Bearer " + TestHop.SECRET);
    }

    /** A page on any web site can have the browser of whoever sits at the machine speak to a port of it. */
    @Test
    void a_web_page_can_not_speak_through_the_listener() {
        int port = port(listening("read"));
        for (String giveaway : List.of("Sec-Fetch-Site: cross-site", "Origin: https://evil.example")) {
            try (RawClient browser = RawClient.to(port)) {
                browser.send(text("GET /gateway/fixer:read/v1/y", "127.0.0.1:" + port, giveaway));
                RawClient.Answer refused = browser.read();
                assertThat(refused.status()).isEqualTo(403);
                assertThat(refused.text()).contains("web_page").doesNotContain("\"ledger\":null");
            }
        }
        // A name of the page's own that was made to resolve to loopback: then the page is of the same origin.
        try (RawClient browser = RawClient.to(port)) {
            browser.send(text("GET /gateway/fixer:read/v1/y", "rebound.evil.example:" + port));
            assertThat(browser.read().status()).isEqualTo(421);
        }
        assertThat(hop.origin().received()).isEmpty();
    }

    @Test
    void whoever_is_not_among_the_peers_is_closed_on_before_anything_is_read() {
        int port = port(listening("read"), IpRange.parse("10.1.2.3/32").orElseThrow());
        try (RawClient agent = RawClient.to(port)) {
            assertThat(agent.rest()).isEmpty();
        }
    }

    @Test
    void the_listener_and_what_came_in_by_it_close_when_the_grant_ends() {
        Grant grant = listening("read");
        int port = port(grant);
        try (RawClient idle = RawClient.to(port);
                RawClient tunnel = RawClient.to(port)) {
            tunnel.send(text("CONNECT " + hop.host("api.up.test"), "x"));
            tunnel.head();
            end(grant);
            assertThat(idle.rest()).isEmpty();
            assertThat(tunnel.rest()).isEmpty();
        }
        assertThatThrownBy(() -> connectedSoon(port)).hasRootCauseInstanceOf(ConnectException.class);
        assertThat(hop.room(TaskListeners.class).of(grant)).isEmpty();
    }

    /** The listening socket closes on its own thread, a moment later. */
    private static void connectedSoon(int port) {
        long until = System.nanoTime() + Duration.ofSeconds(5).toNanos();
        while (System.nanoTime() < until) {
            try (RawClient again = RawClient.to(port)) {
                assertThat(again.rest()).isEmpty();
            }
        }
    }

    @Test
    void a_grant_that_ended_by_time_answers_no_request_and_its_listener_closes() {
        Grant grant = listening("read");
        int port = port(grant);
        try (RawClient agent = RawClient.to(port)) {
            hop.clock().pass(Duration.ofMinutes(16));
            agent.send(text("CONNECT " + hop.host("api.up.test"), "x"));
            // Either the request is refused, or the connection was closed first.
            try {
                assertThat(agent.read().status()).isEqualTo(403);
            } catch (UncheckedIOException closed) {
                assertThat(hop.room(Grants.class).stands(grant)).isFalse();
            }
        }
        hop.room(OwnListeners.class).closeFallen();
        assertThat(hop.room(TaskListeners.class).of(grant)).isEmpty();
    }

    @Test
    void open_listeners_are_counted_by_their_kind() {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        hop.room(ListenerMetrics.class).bindTo(meters);
        double ports = open(meters, "port");
        double sockets = open(meters, "socket");
        Grant one = listening("read");
        Grant other = listening("read");
        port(one);
        socket(other, self());
        assertThat(open(meters, "port")).isEqualTo(ports + 1);
        assertThat(open(meters, "socket")).isEqualTo(sockets + 1);
        assertThat(open(meters, "transparent")).isZero();
        end(one);
        end(other);
        assertThat(open(meters, "port")).isEqualTo(ports);
        assertThat(open(meters, "socket")).isEqualTo(sockets);
        assertThat(meters.get("sallyport.hop.listeners.most").gauge().value()).isEqualTo(100);
    }

    private static double open(SimpleMeterRegistry meters, String kind) {
        return meters.get("sallyport.hop.listeners").tag("kind", kind).gauge().value();
    }

    /** Through the hop an agent would come to the port of another task from the broker's own address, which may be let in there. */
    @Test
    void no_policy_can_name_the_listener_of_another_task_as_a_destination() {
        int port = port(listening("read"));
        hop.document("policies/fixer.yml", TestHop.POLICY + """
                  chain:
                    reason: Names another's port
                    destination: {url: "http://chain.up.test:%d", addresses: [127.0.0.0/8]}
                    allow: ["* /**"]
                    credential: none
                """.formatted(port));
        hop.reload();
        try (RawClient agent = hop.connect()) {
            agent.send(text(
                    "GET http://chain.up.test:" + port + "/gateway/fixer:read/v1/x", "x", shows(hop.token("chain"))));
            RawClient.Answer refused = agent.read();
            assertThat(refused.status()).isEqualTo(403);
            assertThat(refused.text()).contains("address_forbidden");
        } finally {
            hop.document("policies/fixer.yml", TestHop.POLICY);
            hop.reload();
        }
        assertThat(hop.origin().received()).isEmpty();
    }

    @Test
    void a_grant_that_gets_no_listener_has_ended_and_the_ledger_says_why() {
        Grant grant = listening("read");
        TaskListeners.Opened opened = hop.room(TaskListeners.class).open(grant, new TaskListener.Transparent(LOOPBACK));
        assertThat(opened).isInstanceOf(TaskListeners.Opened.Failed.class);
        assertThat(hop.room(Grants.class).stands(grant)).isFalse();
        assertThat(hop.entries("revoked"))
                .anyMatch(entry -> entry.contains(grant.id()) && entry.contains("listener could not be opened"));
    }

    @Test
    void a_unix_socket_serves_the_user_that_it_is_for() {
        Grant grant = listening("read");
        Path socket = socket(grant, self());
        assertThat(socket)
                .satisfies(file -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                        .isEqualTo("rw-------"));
        try (RawClient agent = RawClient.to(socket)) {
            agent.send(text("GET /gateway/fixer:read/v1/y", "anything.example"));
            assertThat(agent.read().text()).isEqualTo("hello");
            agent.send(text("CONNECT " + hop.host("api.up.test"), "x"));
            assertThat(agent.head()).startsWith("HTTP/1.1 200");
            end(grant);
            assertThat(agent.rest()).isEmpty();
        }
        assertThat(hop.origin().received().getFirst().field("Authorization"))
                .containsExactly("Bearer " + TestHop.SECRET);
    }

    /** The file's mode is no guard against root, nor where the broker may not give files away: the kernel's word about the peer is. */
    @Test
    void another_user_is_closed_on_whatever_the_mode_of_the_file() {
        Path socket = socket(listening("read"), self() + 1);
        try (RawClient agent = RawClient.to(socket)) {
            assertThat(agent.rest()).isEmpty();
        }
    }

    @Test
    void the_file_of_a_socket_goes_with_the_grant() {
        Grant grant = listening("read");
        Path socket = socket(grant, self());
        end(grant);
        long until = System.nanoTime() + Duration.ofSeconds(5).toNanos();
        while (Files.exists(socket) && System.nanoTime() < until) {
            Thread.onSpinWait();
        }
        assertThat(socket).doesNotExist();
    }

    @Test
    void nobody_but_the_broker_can_list_or_change_the_folder_of_sockets() throws IOException {
        Path folder = socket(listening("read"), self()).getParent();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                .isEqualTo("rwx--x--x");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        try {
            assertThatThrownBy(() -> SocketFile.folder(folder)).hasMessageContaining("chmod go-w");
        } finally {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
        }
    }

    @Test
    void tls_to_the_listener_is_served_under_the_hops_own_name() {
        try (RawClient agent = RawClient.to(port(listening("read"))).tls(hop.trust(), "localhost", 1)) {
            agent.send(text("GET /gateway/fixer:read/v1/y", "localhost"));
            assertThat(agent.read().status()).isEqualTo(200);
        }
    }

    /** The hop stops and starts: what a restart is to the listeners. */
    @Test
    void after_a_restart_a_listener_is_where_it_was_and_a_grant_whose_port_is_taken_has_ended() throws IOException {
        Grant kept = listening("read");
        Grant lost = listening("read");
        Grant never = listening("read");
        int place = port(kept);
        int taken = port(lost);
        HopLifecycle lifecycle = hop.room(HopLifecycle.class);
        lifecycle.stop();
        try (ServerSocket other = new ServerSocket(taken, 1, InetAddress.getByName("127.0.0.1"))) {
            lifecycle.start();
            assertThat(other.isBound()).isTrue();
        }
        assertThat(hop.room(Grants.class).stands(kept)).isTrue();
        assertThat(hop.room(Grants.class).stands(lost)).isFalse();
        // One whose listener was never recorded: the broker was killed between the grant and it.
        assertThat(hop.room(Grants.class).stands(never)).isFalse();
        try (RawClient agent = RawClient.to(place)) {
            agent.send(text("CONNECT " + hop.host("api.up.test"), "x"));
            assertThat(agent.head()).startsWith("HTTP/1.1 200");
        }
        assertThat(hop.entries("revoked")).anyMatch(entry -> entry.contains(lost.id()) && entry.contains(never.id()));
    }

    @Test
    void what_is_malformed_is_an_entry_of_the_grant_whose_listener_it_came_in_by() {
        Grant grant = listening("read");
        try (RawClient agent = RawClient.to(port(grant))) {
            agent.send("GET /x HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n");
            assertThat(agent.read().status()).isEqualTo(400);
        }
        assertThat(hop.entries("refused")).anyMatch(entry -> entry.contains(grant.id()));
    }

    @Test
    void the_own_token_is_no_doubt_and_does_not_leave() {
        Grant grant = listening("plain");
        String token = hop.token(grant);
        try (RawClient agent = RawClient.to(port(grant))) {
            agent.send(text("GET http://" + hop.plainHost("plain.up.test") + "/x", "ignored", shows(token)));
            assertThat(agent.read().status()).isEqualTo(200);
        }
        assertThat(hop.plainOrigin().received().getFirst().toString())
                .doesNotContain(token)
                .doesNotContain(Base64.getEncoder().encodeToString(("task:" + token).getBytes()));
    }

    /** With prior knowledge, as over the hop's own port: streams of one connection, all of them the grant's. */
    @Test
    void http_2_comes_in_by_a_port_and_by_a_socket_and_needs_no_token_either() {
        for (boolean unix : new boolean[] {false, true}) {
            Grant grant = listening("read", "plain");
            RawClient socket = unix ? RawClient.to(socket(grant, self())) : RawClient.to(port(grant));
            hop.origin().received().clear();
            try (RawHttp2Client agent = RawHttp2Client.over(socket)) {
                int gateway = agent.get(lines("localhost", "/gateway/fixer:read/v1/y"));
                int forward = agent.get(lines(hop.plainHost("plain.up.test"), "/x"));
                assertThat(agent.answer(gateway).text()).isEqualTo("hello");
                assertThat(agent.answer(forward).text()).isEqualTo("hello");
                int tunnel = agent.begin(":method", "CONNECT", ":authority", hop.plainHost("plain.up.test"));
                assertThat(agent.head(tunnel).status()).isEqualTo(200);
                agent.data(tunnel, text("GET /inside", hop.plainHost("plain.up.test")), false);
                Awaitility.await().until(() -> agent.ping().soFar(tunnel).text().endsWith("hello"));
                int other = agent.get(lines(hop.plainHost("clear.up.test"), "/v1/x"));
                assertThat(agent.answer(other).text()).contains("scope_not_granted");
                end(grant);
                agent.rest();
            }
            assertThat(hop.origin().received().getFirst().field("Authorization"))
                    .containsExactly("Bearer " + TestHop.SECRET);
            assertThat(hop.entries("used").stream().filter(entry -> entry.contains(grant.id())))
                    .hasSize(3);
        }
    }

    /** A browser's page can't speak HTTP/2 in clear, but whoever can make it send a preface would. */
    @Test
    void what_a_web_page_may_not_send_it_may_not_send_on_a_stream() {
        try (RawHttp2Client page = RawHttp2Client.over(RawClient.to(port(listening("read"))))) {
            int giveaway = page.get(
                    ":method",
                    "GET",
                    ":scheme",
                    "http",
                    ":authority",
                    "127.0.0.1",
                    ":path",
                    "/gateway/fixer:read/v1/y",
                    "origin",
                    "https://evil.example");
            assertThat(page.answer(giveaway).text()).contains("web_page");
        }
        try (RawHttp2Client page = RawHttp2Client.over(RawClient.to(port(listening("read"))))) {
            int rebound = page.get(lines("rebound.evil.example", "/gateway/fixer:read/v1/y"));
            assertThat(page.answer(rebound).status()).isEqualTo(421);
        }
        assertThat(hop.origin().received()).isEmpty();
    }

    private static String[] lines(String authority, String path) {
        return new String[] {":method", "GET", ":scheme", "http", ":authority", authority, ":path", path};
    }
}

package io.sallyport.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sallyport.grant.Grant;
import io.sallyport.grant.Grants;
import io.sallyport.grant.TaskListener;
import io.sallyport.grant.TaskListeners;
import io.sallyport.http.IpRange;
import io.sallyport.policy.Binding;
import io.sallyport.proxy.tls.MintedLeaves;
import io.sallyport.testing.ClientHellos;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.Sandbox;
import io.sallyport.testing.TestHop;
import io.sallyport.testing.TestOrigin;
import io.sallyport.testing.TestProcess;
import io.sallyport.testing.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Tools that know of no proxy, in a network namespace from which every connection is led to the hop. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TransparentTest {

    /** Of documentation (RFC 5737): nothing is there, so whatever is reached was not reached by it. */
    private static final String NOWHERE = "203.0.113.7";

    private static final String POLICY = TestHop.POLICY + """
              socket:
                reason: Talks
                destination: {url: "https://api.up.test:${tls}", addresses: [127.0.0.0/8]}
                allow: ["GET /ws/**"]
                upgrade: [websocket]
                credential: up
              deep:
                reason: A name that may lead anywhere
                destination: {url: "https://deep.up.test:${tls}", addresses: [127.0.0.0/8]}
                allow: ["GET /v1/**"]
                credential: none
              raw:
                reason: Pins its certificate
                destination: {url: "https://raw.up.test:${tls}", addresses: [127.0.0.0/8]}
                intercept: false
                credential: none
                wide: The client pins the certificate
              inside:
                reason: A name that resolves to where no document lets it
                destination: "https://inside.up.test:${tls}"
                intercept: false
                credential: none
                wide: The client pins the certificate
            """;

    private TestHop hop;
    private Sandbox task;
    private Sandbox neighbour;
    private Grant grant;
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @TempDir
    static Path folder;

    @BeforeAll
    void start() throws IOException {
        Tools.requireRoot();
        Tools.require("ip", "iptables", "curl", "openssl");
        hop = TestHop.startTransparent(
                new ListenerSettings.Transparent("0.0.0.0", 0, List.of(range("10.199.0.0/16"))), POLICY);
        task = new Sandbox(1);
        neighbour = new Sandbox(2).ledTo(hop.room(HopLifecycle.class).transparentPort());
        grant = hop.open(TestHop.bound(
                hop.unopened("read", "write", "small", "plain", "socket", "deep", "raw", "inside"), Binding.LISTENER));
        task.ledTo(listener(grant, task));
        Files.writeString(
                folder.resolve("ca.pem"), hop.room(InterceptionRoot.class).pem());
        hop.authority().writeRoot(folder.resolve("origin.pem"));
        log.start();
        ((Logger) LoggerFactory.getLogger("io.sallyport")).addAppender(log);
    }

    /** Nothing that an agent does is a fault of the broker's. */
    @AfterEach
    void no_fault_was_logged() {
        assertThat(log.list)
                .filteredOn(event -> event.getLevel() == Level.ERROR)
                .isEmpty();
    }

    @AfterAll
    void stop() {
        ((Logger) LoggerFactory.getLogger("io.sallyport")).detachAppender(log);
        for (AutoCloseable one : new AutoCloseable[] {task, neighbour, hop}) {
            try {
                if (one != null) {
                    one.close();
                }
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @BeforeEach
    void fresh() {
        hop.origin().received().clear();
        hop.plainOrigin().received().clear();
        hop.origin().answer(TestOrigin.ok("hello"));
    }

    private static IpRange range(String text) {
        return IpRange.parse(text).orElseThrow();
    }

    private int listener(Grant of, Sandbox peer) {
        var opened =
                hop.room(TaskListeners.class).open(of, new TaskListener.Transparent(range(peer.address() + "/32")));
        String place = ((TaskListeners.Opened.Listening) opened).listener().place();
        return Integer.parseInt(place.substring(place.lastIndexOf(':') + 1));
    }

    private Tools.Ran curl(Sandbox in, String url, String... more) {
        List<String> all = new ArrayList<>(List.of(
                "curl", "-sS", "-m", "10", "--cacert", folder.resolve("ca.pem").toString()));
        for (String name : List.of(
                "api.up.test", "plain.up.test", "denied.up.test", "deep.up.test", "raw.up.test", "inside.up.test")) {
            all.addAll(List.of("--resolve", name + ":" + hop.origin().port() + ":" + NOWHERE));
            all.addAll(List.of("--resolve", name + ":" + hop.plainOrigin().port() + ":" + NOWHERE));
        }
        all.addAll(List.of(more));
        all.add(url);
        return in.run(folder, all.toArray(String[]::new));
    }

    private String api(String path) {
        return "https://" + hop.host("api.up.test") + path;
    }

    @Test
    void a_tool_that_knows_of_no_proxy_reaches_its_destination_with_the_credential() {
        Tools.Ran ran = curl(task, api("/v1/led"));
        assertThat(ran.out()).as(ran.err()).isEqualTo("hello");
        TestOrigin.Received seen = hop.origin().received().getFirst();
        assertThat(seen.field("Authorization")).containsExactly("Bearer " + TestHop.SECRET);
        assertThat(hop.entries("used")).anyMatch(entry -> entry.contains("/v1/led") && entry.contains(grant.id()));
    }

    @Test
    void plain_http_goes_where_host_says() {
        Tools.Ran ran = curl(task, "http://" + hop.plainHost("plain.up.test") + "/x");
        assertThat(ran.out()).as(ran.err()).isEqualTo("hello");
        assertThat(hop.plainOrigin().received()).hasSize(1);
    }

    @Test
    void host_must_have_the_port_that_was_dialled() {
        Tools.Ran ran = curl(task, "http://" + hop.plainHost("plain.up.test") + "/x", "-H", "Host: plain.up.test:81");
        assertThat(ran.out()).contains("misdirected");
        assertThat(hop.plainOrigin().received()).isEmpty();
    }

    @Test
    void a_host_that_no_scope_names_gets_an_alert_no_leaf_and_an_entry() {
        Tools.Ran ran = curl(task, "https://" + hop.host("denied.up.test") + "/v1/x");
        assertThat(ran.exit()).isEqualTo(35);
        assertThat(ran.err()).contains("unrecognized name");
        assertThat(hop.names().asked()).doesNotContain("denied.up.test");
        assertThat(hop.entries("refused"))
                .anyMatch(entry -> entry.contains("denied.up.test") && entry.contains("destination_not_allowed"));
    }

    /** The listener of the task itself. */
    @Test
    void what_a_scope_has_passed_through_is_so_for_a_connection_that_was_led_here() throws Exception {
        try (Sandbox pinned = new Sandbox(7)) {
            Grant own = hop.open(TestHop.bound(hop.unopened("raw"), Binding.LISTENER));
            passesThrough(pinned.ledTo(listener(own, pinned)), own);
        }
    }

    /** The one for all that are known by their address. */
    @Test
    void what_a_scope_has_passed_through_is_so_for_a_sandbox_that_is_known_by_its_address() throws Exception {
        try (Sandbox pinned = new Sandbox(5).ledTo(hop.room(HopLifecycle.class).transparentPort())) {
            passesThrough(pinned, hop.open(at(pinned, hop.unopened("raw"))));
        }
    }

    private void passesThrough(Sandbox from, Grant of) {
        long minted = hop.room(MintedLeaves.class).minted();
        // By the origin's own root alone: a leaf of the broker's would not do.
        Tools.Ran ran = curl(from, raw("/pinned"), "-H", "Authorization: Bearer its-own", "--cacert", originRoot());
        assertThat(ran.out()).as(ran.err()).isEqualTo("hello");
        assertThat(hop.origin().received()).hasSize(1);
        assertThat(hop.origin().received().getFirst().field("Authorization")).containsExactly("Bearer its-own");
        assertThat(entries("used", of))
                .singleElement(STRING)
                .contains("\"method\":\"CONNECT\"", "\"scope\":\"raw\"", "raw.up.test");
        Awaitility.await()
                .untilAsserted(() -> assertThat(entries("outcome", of))
                        .singleElement(STRING)
                        .contains("\"outcome\":\"answered\"")
                        .doesNotContain("\"bytes_out\":0"));
        assertThat(hop.room(MintedLeaves.class).minted()).as("certificates").isEqualTo(minted);
        assertThat(curl(from, raw("/by-our-root")).exit())
                .as("the broker's root")
                .isEqualTo(60);
    }

    private List<String> entries(String kind, Grant of) {
        return hop.entries(kind).stream()
                .filter(entry -> entry.contains(of.id()))
                .toList();
    }

    private String raw(String path) {
        return "https://" + hop.host("raw.up.test") + path;
    }

    private static String originRoot() {
        return folder.resolve("origin.pem").toString();
    }

    @Test
    void what_is_passed_through_is_on_record_before_it_is_dialled_and_not_dialled_where_no_document_lets_it() {
        int connections = hop.origin().connections();
        Tools.Ran ran = curl(task, "https://" + hop.host("inside.up.test") + "/x", "--cacert", originRoot());
        assertThat(ran.err()).containsIgnoringCase("alert access denied");
        assertThat(hop.origin().connections()).isEqualTo(connections);
        assertThat(hop.entries("used")).anyMatch(entry -> entry.contains("\"scope\":\"inside\""));
        assertThat(hop.entries("outcome")).anyMatch(entry -> entry.contains("address_forbidden"));
    }

    /** What may be for another host than the one that was judged. */
    @Test
    void a_hello_that_can_be_read_in_two_ways_is_not_passed_through() throws IOException {
        int connections = hop.origin().connections();
        for (byte[] hello :
                List.of(ClientHellos.of("raw.up.test", true), ClientHellos.ofEach("raw.up.test", "api.up.test"))) {
            Files.write(folder.resolve("hello"), hello);
            Tools.Ran ran = task.run(
                    folder,
                    "bash",
                    "-c",
                    "exec 3<>/dev/tcp/" + NOWHERE + "/" + hop.origin().port()
                            + "; cat hello >&3; timeout 20 cat <&3 | od -An -tu1");
            assertThat(ran.out().strip().split(" +"))
                    .as(ran.err())
                    .containsExactly("21", "3", "3", "0", "2", "2", "112");
        }
        assertThat(hop.origin().connections()).isEqualTo(connections);
        assertThat(hop.entries("refused"))
                .anyMatch(entry -> entry.contains("misdirected") && entry.contains("encrypted ClientHello"));
    }

    @Test
    void a_revocation_cuts_what_is_passed_through() throws Exception {
        hop.origin().answer((request, out) -> {
            out.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nbegun".getBytes());
            out.flush();
            java.util.concurrent.locks.LockSupport.parkNanos(20_000_000_000L);
        });
        try (Sandbox cut = new Sandbox(6).ledTo(hop.room(HopLifecycle.class).transparentPort())) {
            Grant led = hop.open(at(cut, hop.unopened("raw")));
            Thread ending = Thread.ofPlatform().start(() -> {
                Awaitility.await()
                        .until(() -> hop.origin().received().stream()
                                .anyMatch(seen -> seen.requestLine().contains("/held")));
                List<Grant> ended =
                        hop.room(Grants.class).endInMemory(List.of(led), io.sallyport.grant.EndReason.REVOKED);
                hop.flows().cut(ended);
            });
            Tools.Ran ran = curl(cut, raw("/held"), "-N", "--cacert", originRoot());
            ending.join();
            assertThat(ran.exit()).as(ran.err()).isIn(18, 35, 56);
            Awaitility.await()
                    .untilAsserted(() -> assertThat(entries("outcome", led))
                            .singleElement(STRING)
                            .contains("\"outcome\":\"cut\""));
        }
    }

    @Test
    void tls_without_a_server_name_gets_an_alert_and_an_entry() {
        Tools.Ran ran = task.run(
                folder,
                "openssl",
                "s_client",
                "-noservername",
                "-connect",
                NOWHERE + ":" + hop.origin().port());
        assertThat(ran.out() + ran.err()).contains("unrecognized name");
        assertThat(hop.entries("refused")).anyMatch(entry -> entry.contains("without a server name"));
        assertThat(hop.origin().received()).isEmpty();
    }

    @Test
    void server_name_and_host_must_be_one() {
        Tools.Ran ran = curl(task, api("/v1/x"), "-H", "Host: blob.up.test");
        assertThat(ran.out()).contains("misdirected");
        assertThat(hop.origin().received()).isEmpty();
    }

    @Test
    void whoever_comes_to_the_listener_itself_was_not_led_there_and_is_closed_on() {
        double before = closed("direct");
        int port = listener(hop.open(TestHop.bound(hop.unopened("read"), Binding.LISTENER)), task);
        try (RawClient direct = RawClient.to(port)) {
            assertThat(direct.rest()).isEmpty();
        }
        Tools.Ran ran = task.run(folder, "curl", "-sS", "-m", "10", "http://" + task.gate() + ":" + port + "/");
        assertThat(ran.exit()).isIn(52, 56);
        assertThat(closed("direct")).isEqualTo(before + 2);
    }

    @Test
    void by_its_address_a_sandbox_has_the_one_grant_that_is_bound_to_it_and_none_where_there_are_two() {
        double none = closed("no_grant");
        double several = closed("several_grants");
        assertThat(curl(neighbour, api("/v1/none")).exit()).isEqualTo(35);
        assertThat(closed("no_grant")).isEqualTo(none + 1);
        Grant one = hop.open(at(neighbour, hop.unopened("read")));
        assertThat(curl(neighbour, api("/v1/one")).out()).isEqualTo("hello");
        assertThat(hop.entries("used")).anyMatch(entry -> entry.contains("/v1/one") && entry.contains(one.id()));
        Grant two = hop.open(at(neighbour, hop.unopened("read")));
        assertThat(curl(neighbour, api("/v1/two")).exit()).isEqualTo(35);
        assertThat(closed("several_grants")).isEqualTo(several + 1);
        hop.room(Grants.class).endInMemory(List.of(two), io.sallyport.grant.EndReason.REVOKED);
        assertThat(curl(neighbour, api("/v1/again")).out()).isEqualTo("hello");
        hop.room(Grants.class).endInMemory(List.of(one), io.sallyport.grant.EndReason.REVOKED);
        assertThat(curl(neighbour, api("/v1/ended")).exit()).isEqualTo(35);
        assertThat(hop.origin().received()).hasSize(2);
    }

    /** RW-01. */
    @Test
    void the_leaf_passes_openssl_in_strict_mode() {
        Tools.Ran ran = task.run(
                folder,
                "openssl",
                "s_client",
                "-connect",
                NOWHERE + ":" + hop.origin().port(),
                "-servername",
                "api.up.test",
                "-verify_hostname",
                "api.up.test",
                "-CAfile",
                folder.resolve("ca.pem").toString(),
                "-verify_return_error",
                "-x509_strict");
        assertThat(ran.out()).as(ran.err()).contains("Verify return code: 0 (ok)");
    }

    /** RW-14: curl itself reads both denials, and its connection serves on. */
    @Test
    void a_no_can_be_read_and_the_connection_goes_on() {
        Tools.Ran ran = curl(
                task,
                api("/v1/last"),
                "-w",
                "\\n%{http_code} %{num_connects}\\n",
                api("/v1/first"),
                api("/elsewhere"),
                "-X",
                "GET");
        assertThat(ran.out().lines())
                .as(ran.err())
                .contains("hello", "200 1", "403 0", "200 0")
                .anyMatch(line -> line.contains("path_not_allowed") && !line.contains("\"ledger\":null"));
        assertThat(hop.origin().received()).hasSize(2);
        assertThat(curl(task, api("/v1/no"), "-X", "DELETE").out()).contains("method_not_allowed");
    }

    /** RW-61, RW-63: neither a literal nor a name leads to an address that no document names. */
    @Test
    void reserved_addresses_are_refused_by_name_and_as_literals() {
        hop.names().answer("deep.up.test", "169.254.169.254");
        Tools.Ran name = curl(task, "https://" + hop.host("deep.up.test") + "/v1/x");
        assertThat(name.out()).as(name.err()).contains("address_forbidden");
        hop.names().answer("deep.up.test", "93.184.215.14", "10.0.0.1");
        assertThat(curl(task, "https://" + hop.host("deep.up.test") + "/v1/x").out())
                .contains("address_forbidden");
        for (String literal : List.of("169.254.169.254", "10.0.0.1", "100.64.0.1")) {
            assertThat(curl(task, "http://" + literal + "/latest/meta-data/").out())
                    .as(literal)
                    .contains("destination_not_allowed");
        }
    }

    /** A token of this broker's leaves here no more than elsewhere. */
    @Test
    void a_task_token_in_a_request_is_refused() {
        String token = hop.token("read");
        assertThat(curl(task, api("/v1/x?note=" + token)).out()).contains("task_token_in_request");
        assertThat(curl(task, api("/v1/x"), "-H", "X-Note: " + token).out()).contains("task_token_in_request");
        assertThat(hop.origin().received()).isEmpty();
    }

    /** RW-24, RW-13, RW-32, PX-04. */
    @Test
    void the_agents_own_credentials_and_fields_of_one_hop_come_off() {
        Tools.Ran ran = curl(
                task,
                api("/v1/own?key=mine"),
                "--http1.1",
                "-H",
                "Authorization: Bearer mine",
                "-H",
                "Cookie: s=mine",
                "-H",
                "Proxy-Authorization: Basic eDp5",
                "-H",
                "Connection: x-hop, authorization",
                "-H",
                "X-Hop: 1");
        assertThat(ran.out()).as(ran.err()).isEqualTo("hello");
        TestOrigin.Received seen = hop.origin().received().getFirst();
        assertThat(seen.head()).doesNotContain("mine").doesNotContain("Proxy-").doesNotContainIgnoringCase("x-hop");
        assertThat(seen.field("Authorization")).containsExactly("Bearer " + TestHop.SECRET);
    }

    /** RW-26, RW-42, RW-45: in both framings, and with Expect, as curl does it. */
    @Test
    void uploads_arrive_whole_and_a_limit_holds() throws IOException {
        Path content = Files.write(folder.resolve("upload"), new byte[3_000_000]);
        for (String framing : List.of("Content-Length: 3000000", "Transfer-Encoding: chunked")) {
            Tools.Ran ran = curl(
                    task,
                    api("/v1/up"),
                    "--http1.1",
                    "-H",
                    framing,
                    "-H",
                    "Expect: 100-continue",
                    "-T",
                    content.toString());
            assertThat(ran.out()).as(ran.err()).isEqualTo("hello");
        }
        assertThat(hop.origin().received())
                .hasSize(2)
                .allMatch(seen -> seen.content().length == 3_000_000)
                .allMatch(seen -> seen.field("Authorization").equals(List.of("Bearer " + TestHop.SECRET)));
        assertThat(curl(task, api("/small"), "--data-binary", "@" + content).out())
                .contains("body_too_large");
    }

    /** RW-55, RW-68: a secret in the second event is masked; the first is there while the origin waits with the second. */
    @Test
    void events_arrive_one_by_one_and_scrubbed() {
        hop.origin().answer((request, out) -> {
            out.write(("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: one\n\n").getBytes());
            out.flush();
            out.write(("data: " + TestHop.SECRET + "\n\n").getBytes());
            out.flush();
            throw new IOException("ends here");
        });
        Tools.Ran ran = curl(task, api("/v1/events"), "-N");
        assertThat(ran.out()).isEqualTo("data: one\n\ndata: " + "*".repeat(TestHop.SECRET.length()) + "\n\n");
        hop.origin().answer((request, out) -> {
            out.write(("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: one\n\n").getBytes());
            out.flush();
            java.util.concurrent.locks.LockSupport.parkNanos(20_000_000_000L);
        });
        Tools.Ran first = curl(task, api("/v1/events"), "-N", "-m", "3");
        assertThat(first.out()).as(first.err()).isEqualTo("data: one\n\n");
    }

    /** RW-57. */
    @Test
    void an_upgrade_to_a_websocket_passes_where_its_scope_says_so() {
        hop.origin().converse((request, in, out) -> {
            WebSocketCase.accept(request, out);
            out.write(io.sallyport.testing.Frames.plain(io.sallyport.testing.Frames.TEXT, "first"));
            out.write(io.sallyport.testing.Frames.plain(
                    io.sallyport.testing.Frames.CLOSE, io.sallyport.testing.Frames.code(1000)));
            out.flush();
            in.readAllBytes();
        });
        String[] handshake = {
            "--http1.1",
            "-i",
            "-N",
            "-m",
            "3",
            "-H",
            "Connection: Upgrade",
            "-H",
            "Upgrade: websocket",
            "-H",
            "Sec-WebSocket-Version: 13",
            "-H",
            "Sec-WebSocket-Key: " + WebSocketCase.KEY
        };
        Tools.Ran ran = curl(task, api("/ws/x"), handshake);
        assertThat(ran.out()).as(ran.err()).contains("101 Switching Protocols", "first");
        assertThat(hop.origin().received().getFirst().field("Authorization"))
                .containsExactly("Bearer " + TestHop.SECRET);
        assertThat(curl(task, api("/v1/x"), handshake).out()).contains("upgrade_not_allowed");
    }

    /** RW-08. */
    @Test
    void http2_is_offered() {
        Tools.Ran ran = curl(task, api("/v1/two"), "--http2", "-w", " %{http_version}");
        assertThat(ran.out()).as(ran.err()).isEqualTo("hello 2");
    }

    /** RW-21, RW-18. */
    @Test
    void methods_and_paths_that_somebody_could_read_otherwise_are_refused() {
        for (String method : List.of("TRACE", "trace", "FOO", "OPTIONS")) {
            assertThat(curl(task, api("/v1/x"), "-X", method).out()).contains("method_not_allowed");
        }
        for (String path : List.of("/v1/../secret", "/v1/%2e%2e/secret", "/v1//../secret")) {
            assertThat(curl(task, api(path), "--path-as-is").out()).as(path).contains("\"error\":");
        }
        assertThat(hop.origin().received()).isEmpty();
    }

    @Test
    void without_the_capability_a_start_is_refused_in_words() {
        Tools.require("setpriv");
        try (TestProcess broker = TestProcess.prepared()
                .setting("sallyport.proxy.transparent.bind", "0.0.0.0")
                .under("setpriv", "--bounding-set=-net_admin,-net_raw")) {
            assertThatThrownBy(broker::start).hasMessageContaining("CAP_NET_RAW");
        }
    }

    /** Known by its address alone, it is the grant's as much as a tunnel is. */
    @Test
    void a_connection_that_was_led_here_ends_with_the_grant_though_nothing_runs_on_it() {
        try (Sandbox idle = new Sandbox(4).ledTo(hop.room(HopLifecycle.class).transparentPort())) {
            Grant led = hop.open(at(idle, hop.unopened("plain")));
            Thread ending = Thread.ofPlatform().start(() -> {
                Awaitility.await()
                        .until(() -> hop.entries("outcome").stream().anyMatch(entry -> entry.contains(led.id())));
                hop.room(Grants.class).endInMemory(List.of(led), io.sallyport.grant.EndReason.REVOKED);
            });
            String request = "GET /led-idle HTTP/1.1\\r\\nHost: " + hop.plainHost("plain.up.test") + "\\r\\n\\r\\n";
            Tools.Ran ran = idle.run(
                    folder,
                    "bash",
                    "-c",
                    "exec 3<>/dev/tcp/" + NOWHERE + "/" + hop.plainOrigin().port() + "; printf '" + request
                            + "' >&3; timeout 20 cat <&3; echo \"exit $?\"");
            assertThat(ran.out()).contains("hello").endsWith("exit 0\n");
            ending.join();
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    /** The task's own listener is for its own sandbox. */
    @Test
    void a_neighbour_that_is_led_to_the_listener_of_a_task_is_closed_on() {
        Grant other = hop.open(TestHop.bound(hop.unopened("read"), Binding.LISTENER));
        int port = listener(other, task);
        double before = closed("source");
        try (Sandbox stranger = new Sandbox(3).ledTo(port)) {
            assertThat(curl(stranger, api("/v1/x")).exit()).isEqualTo(35);
        }
        assertThat(closed("source")).isEqualTo(before + 1);
        assertThat(hop.origin().received()).isEmpty();
    }

    private double closed(String reason) {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        hop.room(HopMetrics.class).bindTo(meters);
        return meters.get("sallyport.hop.led.closed")
                .tag("reason", reason)
                .functionCounter()
                .count();
    }

    private static Grant at(Sandbox sandbox, Grant grant) {
        return TestHop.from(grant, sandbox.address() + "/32");
    }
}

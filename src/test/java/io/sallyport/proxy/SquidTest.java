package io.sallyport.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.net.UpstreamProxy;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestCertificates;
import io.sallyport.testing.TestHop;
import io.sallyport.testing.Tools;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Through Squid, as organisations run it: it asks who we are, has names it lets nobody reach, and resolves names by itself. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SquidTest {

    @TempDir
    static Path folder;

    private int port;
    private Process squid;

    @BeforeAll
    void start() throws Exception {
        Tools.require("squid", "openssl");
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        String hash = Tools.run(folder, Map.of(), "openssl", "passwd", "-apr1", "Pr0xy-Passw0rd")
                .out()
                .strip();
        Files.writeString(folder.resolve("users"), "broker:" + hash + "\n");
        Files.writeString(folder.resolve("hosts"), "127.0.0.1 api.up.test blob.up.test plain.up.test\n");
        Files.writeString(folder.resolve("squid.conf"), """
                http_port 127.0.0.1:%1$d
                pid_filename %2$s/squid.pid
                access_log stdio:%2$s/access.log
                cache_log %2$s/cache.log
                cache deny all
                shutdown_lifetime 0 seconds
                hosts_file %2$s/hosts
                auth_param basic program /usr/lib/squid/basic_ncsa_auth %2$s/users
                auth_param basic children 1
                acl known proxy_auth REQUIRED
                acl shut dstdomain blob.up.test
                http_access deny shut
                http_access allow known
                http_access deny all
                """.formatted(port, folder));
        // Squid gives its rights up where it was started with root's.
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        // By its name it keeps shared memory: another Squid of this machine has another one.
        squid = new ProcessBuilder(
                        "squid",
                        "-N",
                        "-n",
                        "sallyport" + port,
                        "-f",
                        folder.resolve("squid.conf").toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("out").toFile())
                .start();
        Awaitility.await().atMost(30, TimeUnit.SECONDS).ignoreExceptions().until(() -> {
            new Socket("127.0.0.1", port).close();
            return true;
        });
    }

    @AfterAll
    void stop() throws InterruptedException {
        if (squid != null) {
            squid.destroy();
            if (!squid.waitFor(10, TimeUnit.SECONDS)) {
                squid.destroyForcibly();
            }
        }
    }

    private TestHop through(String target, String password) throws IOException {
        Path file = Files.writeString(folder.resolve("who-" + target), "broker:" + password);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return TestHop.startThrough(
                TestCertificates.authority(),
                UpstreamProxy.parse("http://squid.up.test:" + port, target, List.of(), "file:" + file),
                TestHop.POLICY);
    }

    private static RawClient.Answer get(TestHop hop, String name, String scope) {
        try (RawClient agent = hop.tunnel(name, hop.token(scope))) {
            return agent.send("GET /v1/x HTTP/1.1\r\nHost: " + hop.host(name) + "\r\n\r\n")
                    .read();
        }
    }

    private String log() throws IOException {
        return Files.readString(folder.resolve("access.log"));
    }

    @Test
    void by_name_squid_resolves_and_denies_and_the_destinations_tls_stays_end_to_end() throws IOException {
        String asked;
        try (TestHop hop = through("name", "Pr0xy-Passw0rd")) {
            hop.names().fail("api.up.test", "no such name");
            hop.names().fail("blob.up.test", "no such name");
            assertThat(get(hop, "api.up.test", "read").text()).isEqualTo("hello");
            assertThat(hop.origin().received()).singleElement().satisfies(request -> {
                assertThat(request.field("Authorization")).containsExactly("Bearer " + TestHop.SECRET);
                assertThat(request.head()).doesNotContain("Proxy-").doesNotContain("Via");
            });
            assertThat(get(hop, "blob.up.test", "blob").text())
                    .contains("upstream_proxy")
                    .contains("does not let it reach this destination (403)");
            asked = hop.host("api.up.test");
        }
        // Squid writes of a tunnel when it is over.
        Awaitility.await()
                .untilAsserted(() -> assertThat(log())
                        .contains("CONNECT " + asked + " broker")
                        .contains("TCP_DENIED/403"));
    }

    @Test
    void with_a_wrong_password_squid_asks_for_one_and_the_agent_hears_of_no_challenge() throws IOException {
        try (TestHop hop = through("name", "wrong")) {
            hop.names().fail("api.up.test", "no such name");
            RawClient.Answer refused = get(hop, "api.up.test", "read");
            assertThat(refused.status()).isEqualTo(502);
            assertThat(refused.text()).contains("does not accept the broker's credential (407)");
            assertThat(refused.head())
                    .doesNotContainIgnoringCase("Proxy-Authenticate")
                    .doesNotContainIgnoringCase("squid");
            assertThat(hop.origin().received()).isEmpty();
        }
    }

    /** A port of the origin's on an address of this machine that is not loopback, where one is to be had. */
    @Test
    void by_address_squid_reaches_the_address_that_was_judged() throws IOException {
        String asked;
        try (TestHop hop = through("address", "Pr0xy-Passw0rd")) {
            InetAddress own = own();
            try (ServerSocket front = new ServerSocket(hop.origin().port(), 10, own)) {
                Thread.ofVirtual().start(() -> lead(front, hop.origin().port()));
                hop.names().answer("api.up.test", own.getHostAddress());
                hop.document("policies/fixer.yml", TestHop.POLICY.replace("127.0.0.0/8", own.getHostAddress()));
                hop.reload();
                assertThat(get(hop, "api.up.test", "read").text()).isEqualTo("hello");
                asked = own.getHostAddress() + ":" + hop.origin().port();
            }
        }
        Awaitility.await().untilAsserted(() -> assertThat(log()).contains("CONNECT " + asked + " broker"));
    }

    private static InetAddress own() throws IOException {
        return java.net.NetworkInterface.networkInterfaces()
                .flatMap(java.net.NetworkInterface::inetAddresses)
                .filter(address -> address.getAddress().length == 4 && !address.isLoopbackAddress())
                .findFirst()
                .orElseThrow(() -> new org.opentest4j.TestAbortedException("this machine has loopback alone"));
    }

    private static void lead(ServerSocket front, int port) {
        try {
            while (true) {
                Socket peer = front.accept();
                Socket origin = new Socket("127.0.0.1", port);
                Thread.ofVirtual().start(() -> copy(peer, origin));
                Thread.ofVirtual().start(() -> copy(origin, peer));
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    private static void copy(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // One side left.
        }
    }
}
